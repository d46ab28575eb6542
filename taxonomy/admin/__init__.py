"""The taxonomy in the back office: entities, their other words and relations, and publishing."""

from taxonomy.admin import entities, lexicon, relations, releases, versions

__all__ = ["entities", "lexicon", "relations", "releases", "versions"]
