"""The hospital's taxonomy: what staff edit, and what was published of it."""

from taxonomy.models.entities import (
    Campus,
    Condition,
    Department,
    Doctor,
    Entity,
    Examination,
    Specialty,
    Treatment,
)
from taxonomy.models.lexicon import ComplaintRoute, LexiconConcept, OwnNames
from taxonomy.models.proposals import Merger, PageReading, PopulationCue, Proposal
from taxonomy.models.relations import Alias, Fact, Relation
from taxonomy.models.releases import (
    LivePointer,
    PublishedEntity,
    PublishedRelation,
    Release,
    ReleaseComment,
    RowSet,
    Version,
)
from taxonomy.models.snomed import (
    SnomedChange,
    SnomedConcept,
    SnomedDescription,
    SnomedIsA,
    SnomedProposal,
    SnomedRelationship,
    SnomedRelease,
)
