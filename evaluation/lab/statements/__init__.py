"""Fitting what traits of a statement are worth (chat/answering/quotation/weights.py).

`candidates` asks golden questions and keeps the statements that might answer, `fitting` finds the
weights, `figures` says how well weights do on questions that they were not fitted on.
"""
