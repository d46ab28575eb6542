"""The taxonomy in the back office: entities, their other words and relations, and publishing."""

from taxonomy.admin import entities, lexicon, population, relations, releases, snomed, versions

__all__ = ["entities", "lexicon", "population", "relations", "releases", "snomed", "versions"]
