"""The hospital's own words for what a question names, appended to it for both lanes."""

from __future__ import annotations

from collections.abc import Iterable

from taxonomy.kinds import Kind
from taxonomy.resolvers.base import Match
from taxonomy.vocabulary import Vocabulary
from zol.text import fold

#: Kinds that lead to a department: it is named too, so that its pages are found.
ROUTED = (Kind.CONDITION, Kind.TREATMENT, Kind.EXAMINATION, Kind.SPECIALTY)
MOST = 6


def enriched(query: str, matches: Iterable[Match], vocabulary: Vocabulary) -> str:
    """Return "hartkloppingen" as "hartkloppingen (Palpitaties, Cardiologie)"."""
    said = fold(query)
    names = [name for name in names_of(matches, vocabulary) if fold(name) not in said]
    return f"{query} ({', '.join(names[:MOST])})" if names else query


def names_of(matches: Iterable[Match], vocabulary: Vocabulary) -> list[str]:
    """Return the names that bridge a visitor's words and the pages', each once."""
    names: dict[str, None] = {}
    for match in matches:
        names[match.thing.name] = None
        if latin := match.thing.get("latin"):
            names[latin] = None
        if match.thing.kind in ROUTED:
            names |= dict.fromkeys(d.name for d in vocabulary.departments_of(match.thing)[:1])
    return list(names)
