"""The search index of chunks."""
