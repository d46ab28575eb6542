"""Models of documents, chunks, ingestion and steering."""

from retrieval.models.documents import (
    Chunk,
    ChunkStatements,
    CorpusState,
    Document,
    DocumentCategory,
    Origin,
    Original,
)
from retrieval.models.ingestion import CategoryMismatch, IngestionItem, IngestionRun
from retrieval.models.steering import (
    AffinityCell,
    CategoryFilter,
    CategoryKeyword,
    ContentCategory,
    EntityKindBoost,
    RetrievalSetting,
    SteeringRoute,
    UnitPhrase,
)
