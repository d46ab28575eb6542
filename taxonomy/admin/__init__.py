"""Admin pages of the taxonomy: entities, aliases, relations, facts, proposals and releases."""

# ruff: noqa: F401 (registers pages)
from taxonomy.admin import entities, facts, home, proposals, relations, releases, snomed
