"""Conversations as they were, and the words by which questions are read and answers are said."""

from chat.admin import conversations, safety, texts

__all__ = ["conversations", "safety", "texts"]
