"""Conversations as they were, and the words by which questions are read and answers are said."""

from chat.admin import answers, conversations, curated, interventions, safety, texts

__all__ = ["answers", "conversations", "curated", "interventions", "safety", "texts"]
