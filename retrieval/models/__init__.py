"""Documents, chunks, ingestion runs, and the rows that steer search."""

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
