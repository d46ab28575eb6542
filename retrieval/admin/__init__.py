"""Admin of documents, chunks, ingestion and steering."""

from retrieval.admin import chunks, documents, ingestion, settings, steering

__all__ = ["chunks", "documents", "ingestion", "settings", "steering"]
