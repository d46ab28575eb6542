"""Expand a query with the hospital's terms for its entities, for dense and keyword search.

Three layers, in order: other names of the entity itself (approved name, SNOMED CT synonyms), the
department it is routed to, and Latin. Only resolved entities add terms. The number of added letters
is always traced, and logged (LOG_LEVEL=DEBUG), because a missing expansion once went unnoticed for
thirteen days.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from taxonomy.resolvers.entries import Match
from taxonomy.vocabulary import Kind, Thing, Vocabulary
from zol.text import fold

logger = logging.getLogger(__name__)

#: Synonyms of a thing, in the content language.
Synonyms: TypeAlias = Callable[[Thing], Sequence[str]]
#: Kinds routed to a department, whose name is added to find its pages.
ROUTED = (Kind.CONDITION, Kind.TREATMENT, Kind.EXAMINATION, Kind.SPECIALTY)
SYNONYMS, ROUTING, LATIN = "synonyms", "routing", "latin"
#: Maximum names added; more would drown the question.
MOST = 6
MOST_SYNONYMS = 3


def no_synonyms(thing: Thing) -> Sequence[str]:
    return ()


@dataclass(frozen=True, slots=True)
class Enrichment:
    """A question with appended names, by the layer they came from."""

    question: str
    layers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def added(self) -> tuple[str, ...]:
        return tuple(name for names in self.layers.values() for name in names)

    @property
    def query(self) -> str:
        """Return "hartkloppingen" as "hartkloppingen (Palpitaties, Cardiologie)"."""
        return f"{self.question} ({', '.join(self.added)})" if self.added else self.question

    @property
    def letters(self) -> int:
        """Return the number of appended letters."""
        return len(self.query) - len(self.question)

    def as_data(self) -> dict[str, object]:
        layers = {layer: list(names) for layer, names in self.layers.items()}
        return {"layers": layers, "names": len(self.added), "letters": self.letters}

    def log(self) -> None:
        """Log the number of appended letters, once for each searched question."""
        logger.debug(
            "Enriched by %d names, %d letters: %s",
            len(self.added),
            self.letters,
            ", ".join(f"{layer} {len(names)}" for layer, names in self.layers.items()),
        )


def enrich(
    question: str,
    matches: Iterable[Match],
    vocabulary: Vocabulary,
    synonyms: Synonyms = no_synonyms,
) -> Enrichment:
    """Append the hospital's names of a question's entities; the question stays unchanged."""
    known = {fold(question)}
    layers: dict[str, tuple[str, ...]] = {SYNONYMS: (), ROUTING: (), LATIN: ()}
    for layer, name in names_of(tuple(matches), vocabulary, synonyms):
        if sum(map(len, layers.values())) >= MOST:
            break
        if not any(fold(name) in said for said in known):
            known.add(fold(name))
            layers[layer] = (*layers[layer], name)
    return Enrichment(question, layers)


def names_of(
    matches: Sequence[Match], vocabulary: Vocabulary, synonyms: Synonyms
) -> Iterator[tuple[str, str]]:
    """Yield the names that link a visitor's words to the pages', with their layer."""
    care = [match.thing for match in matches if match.thing.kind in ROUTED]
    routed = [department for thing in care for department in vocabulary.departments_of(thing)[:1]]
    for match in matches:
        if match.thing not in routed:
            yield SYNONYMS, match.thing.name
    for department in routed:
        yield ROUTING, department.name
    for match in matches:
        if latin := match.thing.get("latin"):
            yield LATIN, latin
    for match in matches:
        for name in synonyms(match.thing)[:MOST_SYNONYMS]:
            yield SYNONYMS, name
