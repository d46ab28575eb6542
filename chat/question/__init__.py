"""Understand a question: language, content words, classification, entities."""
