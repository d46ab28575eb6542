"""Checks of an answer, whichever engine wrote it."""
