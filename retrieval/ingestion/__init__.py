"""Ingestion: turn a page or brochure into chunks in the index, one step a file.

`read` turns bytes into blocks, `split` blocks into pieces, `questions_for` and `summarise` describe
a piece, `flags` finds text that addresses an assistant, `store` replaces a document's chunks in one
transaction, and `process` runs these steps in order.
"""
