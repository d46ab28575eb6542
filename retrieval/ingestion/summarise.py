"""A page in two or three of its own sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from math import log

from retrieval.ingestion.read.blocks import Block, Sort
from zol.sentences import sentences
from zol.text import words

MOST = 3
#: Words of a sentence that can stand in a summary.
SHORTEST, LONGEST = 5, 45
#: Letters of a word that says something.
SAYS_SOMETHING = 4


def summarise(blocks: Iterable[Block]) -> str:
    """Return the opening sentence and those that share most with the rest, in reading order."""
    found = [
        sentence
        for block in blocks
        if block.sort is Sort.TEXT
        for sentence in sentences(block.text)
        if SHORTEST <= len(words(sentence)) <= LONGEST and not sentence.endswith("?")
    ]
    if not found:
        return ""
    weights = _weights(found)
    best = sorted(range(1, len(found)), key=lambda n: (-weights[n], n))[: MOST - 1]
    return " ".join(found[number] for number in sorted({0, *best}))


def _weights(found: Sequence[str]) -> list[float]:
    """Return how much of the page each sentence covers, for its length."""
    terms = [
        {word for word in words(sentence) if len(word) >= SAYS_SOMETHING} for sentence in found
    ]
    frequency = Counter(word for each in terms for word in each)
    return [
        sum(log(1 + frequency[word]) for word in each if frequency[word] > 1) / (len(each) + 5)
        for each in terms
    ]
