"""Statements written by hand from pages of both hospitals, right and wrong, held to the checks."""
