"""Ingestion of pages and brochures into the index, one step in each file.

`read` turns bytes into blocks, `split` blocks into pieces, `questions_for` and
`summarise` say what a piece is about, `flags` finds text that addresses an assistant, `store`
replaces a document's chunks in one transaction, `process` is the order of these steps.
"""
