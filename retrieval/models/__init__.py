"""Pages, their chunks, how they came in, and how search is steered."""

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
