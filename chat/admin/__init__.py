"""Conversations as they were, and the words by which questions are read and answers are said."""

from chat.admin import conversations, texts

__all__ = ["conversations", "texts"]
