"""Where an answer comes from, each source with its own right to be sure."""
