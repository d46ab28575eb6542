"""Admin of documents, chunks, ingestion and the rows that steer search."""

from retrieval.admin import chunks, documents, ingestion, settings, steering

__all__ = ["chunks", "documents", "ingestion", "matrix", "settings", "steering"]
