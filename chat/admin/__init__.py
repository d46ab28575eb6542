"""Conversations as they were, and the words by which questions are read and answers are said."""

from chat.admin import conversations, interventions, safety, texts

__all__ = ["conversations", "interventions", "safety", "texts"]
