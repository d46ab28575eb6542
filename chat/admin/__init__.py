"""Admin of conversations, texts and the rows used to understand questions."""

# ruff: noqa: F401 (registers pages)
from chat.admin import answers, conversations, curated, figures, home, safety, texts
