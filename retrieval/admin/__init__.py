"""Documents, their chunks, how they came in, and how search is steered."""

from retrieval.admin import chunks, documents, ingestion, settings, steering

__all__ = ["chunks", "documents", "ingestion", "matrix", "settings", "steering"]
