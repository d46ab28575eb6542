"""From a question to what is meant by it, without any model: words, examples and the taxonomy."""
