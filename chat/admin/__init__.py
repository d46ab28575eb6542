"""Conversations as they were, and the words by which questions are read and answers are said."""

# ruff: noqa: F401 (registers pages)
from chat.admin import answers, conversations, curated, figures, home, safety, texts
