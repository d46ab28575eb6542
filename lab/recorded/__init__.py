"""Recorded turns: what a model was asked and replied, to be served again."""
