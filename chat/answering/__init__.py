"""Compose answers: sentences, citations, refusals, remarks and suggested questions."""
