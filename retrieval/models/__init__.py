"""Models of documents, chunks, ingestion and steering."""

from retrieval.models.documents import (
    Chunk,
    CorpusState,
    Document,
    DocumentCategory,
    IngestionItem,
    IngestionRun,
    Origin,
    Original,
)
from retrieval.models.steering import (
    AffinityCell,
    CategoryFilter,
    CategoryKeyword,
    CategoryMismatch,
    ContentCategory,
    EntityKindBoost,
    RetrievalSetting,
    SteeringRoute,
    UnitPhrase,
)
