"""Admin of conversations, texts and the rows by which questions are understood."""

# ruff: noqa: F401 (registers pages)
from chat.admin import answers, conversations, curated, figures, safety, texts
