"""What must hold before an answer counts, by code, whoever wrote it.

`statements`: each sentence of a model, while it is written and before anybody sees it.
`answers`: the whole answer of either engine, with what it had to name added.
"""
