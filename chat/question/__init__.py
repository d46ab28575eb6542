"""Understand a question: language, content words, classification, entities.

`read` makes a frozen `Question` of what the resolvers, the head of needs and the readers of
conditions say; who needs any of it takes it from there and does not look at the text again.
"""
