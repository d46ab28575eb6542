"""Sources of answers, each with its own certainty."""
