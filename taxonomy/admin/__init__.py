"""The taxonomy in the back office: entities, their other words and relations, and publishing."""

from taxonomy.admin import (
    entities,
    facts,
    lexicon,
    proposals,
    relations,
    releases,
    snomed,
    versions,
)

__all__ = [
    "entities",
    "facts",
    "lexicon",
    "proposals",
    "relations",
    "releases",
    "snomed",
    "versions",
]
