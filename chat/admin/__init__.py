"""Admin pages of the chat: conversations, answers, safety and texts."""

# ruff: noqa: F401 (registers pages)
from chat.admin import answers, conversations, curated, figures, safety, texts
