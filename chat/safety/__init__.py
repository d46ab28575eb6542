"""Checks that need no model: each a pure function of rows and text, with its evidence."""
