"""From passages to coherent blocks: what is retrieved is not what is read.

Neighbours fill the gaps, overlaps go, passages of a document stand together in reading order, the
best document comes first and the weakest is dropped first (Liu et al. 2024: what stands in the
middle of a long context is read least).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from retrieval.fields import Place, reading
from retrieval.passage import Passage

CountTokens: TypeAlias = Callable[[str], int]

#: Words by which two neighbours may overlap; chunks are cut with 70 tokens in common.
LONGEST_OVERLAP = 90
SHORTEST_OVERLAP = 5


@dataclass(frozen=True, slots=True)
class Block:
    """Passages of one document, in reading order, as one text."""

    passages: tuple[Passage, ...]
    #: What is read of them, each line with where it stands; `text` says both.
    lines: tuple[tuple[str, Place], ...]
    text: str
    tokens: int

    @property
    def weight(self) -> float:
        return max(passage.weight for passage in self.passages)

    @property
    def best(self) -> Passage:
        return max(self.passages, key=lambda passage: passage.weight)


def with_neighbours(
    passages: Sequence[Passage], neighbours: Mapping[int, Sequence[Passage]], factor: float
) -> tuple[Passage, ...]:
    """Add the chunks before and after each passage, at a part of its score."""
    known = {passage.chunk_id: passage for passage in passages}
    for passage in passages:
        for neighbour in neighbours.get(passage.chunk_id, ()):
            if neighbour.chunk_id not in known:
                known[neighbour.chunk_id] = replace(
                    neighbour,
                    base=(passage.base or 0.0) * factor,
                    boosts=passage.boosts,
                    affinity=passage.affinity,
                    similarity=0.0,
                )
    return tuple(known.values())


def assemble(
    passages: Iterable[Passage], *, budget: int, count_tokens: CountTokens
) -> tuple[Block, ...]:
    """Return the blocks that fit the budget, best document first."""
    documents: dict[int, list[Passage]] = defaultdict(list)
    for passage in passages:
        documents[passage.source.document_id].append(passage)
    blocks = sorted(
        (_block(group, count_tokens) for group in documents.values()),
        key=lambda block: block.weight,
        reverse=True,
    )
    kept: list[Block] = []
    spent = 0
    for block in blocks:
        if kept and spent + block.tokens > budget:
            break
        kept.append(block)
        spent += block.tokens
    return tuple(kept)


def _block(passages: Iterable[Passage], count_tokens: CountTokens) -> Block:
    ordered = tuple(sorted(passages, key=lambda passage: passage.ordinal))
    lines: list[tuple[str, Place]] = []
    last: Passage | None = None
    for passage in ordered:
        follows = last is not None and passage.ordinal == last.ordinal + 1
        text = without_overlap(last.text, passage.text) if follows and last else passage.text
        new = text.splitlines()
        places = passage.placed[len(passage.placed) - len(new) :]
        lines += zip(new, places, strict=True)
        last = passage
    return block_of(ordered, lines, count_tokens)


def block_of(
    passages: Sequence[Passage], lines: Iterable[tuple[str, Place]], count_tokens: CountTokens
) -> Block:
    """Return the block of some passages of which these lines are read."""
    known = tuple((line, place) for line, place in lines if line.strip())
    text = "\n".join(reading(known))
    return Block(tuple(passages), known, text, count_tokens(text))


def without_overlap(before: str, text: str) -> str:
    """Return a text without the words with which the text before it ended."""
    earlier, later = before.split(), text.split()
    for size in range(min(LONGEST_OVERLAP, len(earlier), len(later)), SHORTEST_OVERLAP - 1, -1):
        if earlier[-size:] == later[:size]:
            return _skip_words(text, size)
    return text


def _skip_words(text: str, count: int) -> str:
    """Return a text without its first words, keeping the line breaks behind them."""
    position = 0
    for _ in range(count):
        while position < len(text) and text[position].isspace():
            position += 1
        while position < len(text) and not text[position].isspace():
            position += 1
    return text[position:].lstrip()
