"""The taxonomy in the back office: entities, their other words and relations, and publishing."""

from taxonomy.admin import entities, facts, proposals, relations, releases, snomed

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
