"""The taxonomy in the back office: entities, their other words and relations, and publishing."""

# ruff: noqa: F401 (registers pages)
from taxonomy.admin import entities, facts, home, proposals, relations, releases, snomed
