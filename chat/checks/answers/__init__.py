"""Checks of a whole answer, whoever wrote it. What is taken out is told."""
