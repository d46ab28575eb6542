"""Whether a question asks for a spot within the hospital: which floor, building, wing or entrance.

Who works at a department, and at which campus it is, is no answer to that; a page that names the
spot is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from taxonomy.lexicon import Lexicon, Use

#: Concepts of the lexicon that are a part of a house, and those that lead into it.
PARTS, WAYS = frozenset({"floor", "building", "wing"}), frozenset({"entrance", "signposting"})
#: Words that ask which one it is, and how far before a part they may stand: "welk paviljoen", "quel
#: est l'étage", "σε ποιον όροφο", "în care clădire".
WHICH, ASKING = "which", {"which": 3, "what": 3, "who": 1, "where_rel": 1}
#: Words of a question that is hardly more than a part and a name: "oogarts verdieping?"
BRIEF, FLOOR = 4, "floor"


def asks_spot(words: Sequence[str], language: str, lexicon: Lexicon) -> bool:
    """Tell whether a question, as folded words, asks for a spot."""
    uses = lexicon.read(words, language)
    if len(words) <= BRIEF and any(FLOOR in named(use) for use in uses):
        return True
    return any(
        not PARTS.isdisjoint(names) or (far == 0 and asks == WHICH and not WAYS.isdisjoint(names))
        for asks, far, names in _asked(uses)
    )


def _asked(uses: Sequence[Use]) -> Iterator[tuple[str, int, frozenset[str]]]:
    """Yield each word that asks which, with what is named near behind it, and how near."""
    for asking in uses:
        for asks in named(asking) & ASKING.keys():
            for use in uses:
                if 0 <= (far := use.start - asking.end) < ASKING[asks]:
                    yield asks, far, named(use)


def named(use: Use) -> frozenset[str]:
    return frozenset(concept.name for concept in use.concepts)
