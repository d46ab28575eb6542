"""The hospital's taxonomy: what staff edit, and what was published of it."""

from taxonomy.models.complaints import ComplaintPhrase, ComplaintRoute
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
from taxonomy.models.facts import Fact
from taxonomy.models.given import GivenDefaults, OwnNames
from taxonomy.models.lexicon import LexiconConcept
from taxonomy.models.population import Merger, PageReading, PopulationCue, Proposal
from taxonomy.models.relations import Alias, Relation
from taxonomy.models.releases import Release, ReleaseComment
from taxonomy.models.snomed import (
    SnomedChange,
    SnomedConcept,
    SnomedDescription,
    SnomedIsA,
    SnomedProposal,
    SnomedRelationship,
    SnomedRelease,
)
from taxonomy.models.versions import (
    LivePointer,
    PublishedEntity,
    PublishedRelation,
    PublishedRow,
    Version,
)

__all__ = [
    "Alias",
    "Campus",
    "ComplaintPhrase",
    "ComplaintRoute",
    "Condition",
    "Department",
    "Doctor",
    "Entity",
    "Examination",
    "Fact",
    "GivenDefaults",
    "LexiconConcept",
    "LivePointer",
    "Merger",
    "OwnNames",
    "PageReading",
    "PopulationCue",
    "Proposal",
    "PublishedEntity",
    "PublishedRelation",
    "PublishedRow",
    "Relation",
    "Release",
    "ReleaseComment",
    "SnomedChange",
    "SnomedConcept",
    "SnomedDescription",
    "SnomedIsA",
    "SnomedProposal",
    "SnomedRelationship",
    "SnomedRelease",
    "Specialty",
    "Treatment",
    "Version",
]
