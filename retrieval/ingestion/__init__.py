"""Ingestion: turn a page or brochure into chunks in the index.

`process` runs the steps: `prepare` reads the bytes and `split`s them into chunks in a separate
process, `knowledge` adds entities and finds text that addresses an assistant, and `store` replaces
the document's chunks. When a run ends, `relations` finds translations and `outdated` pages;
`classification` classifies chunks again when the category keywords change.
"""
