"""Rewrite a question in the hospital's language by templates, and expand it with the hospital's
terms for dense and keyword search.

Questions with the same meaning get the same words in every language, for look-ups, retrieval and
the cache. Templates are rows, by intent; each names the slots that it fills.

The added terms are names of resolved entities: approved name, SNOMED CT synonyms, the department
that treats it, and Latin. The number of added letters is always traced, and logged
(LOG_LEVEL=DEBUG), because a missing expansion once went unnoticed for thirteen days.
"""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any, TypeAlias

from retrieval.intents import Intent
from taxonomy.resolvers.entries import Match
from taxonomy.snapshot import Snapshot
from taxonomy.vocabulary import Kind, Thing, Vocabulary
from zol.text import fold, squash

logger = logging.getLogger(__name__)

ROWS = "chat.rewritetemplate"
WORDS, SYMPTOM, CONTACT, APPOINTMENT = "text", "symptom", "contact", "appointment"
#: Language of the templates.
DUTCH = "nl"
ENTITIES = ("doctor", "department", "condition", "treatment", "examination", "campus")


@dataclass(frozen=True, slots=True)
class RewriteInput:
    """The values of a question that templates can use."""

    intent: Intent
    matches: Sequence[Match] = ()
    topic: str = ""
    #: Content words in the hospital's language.
    words: Sequence[str] = ()
    symptom: str = ""


class Rewriter:
    """The query templates of one hospital. Immutable."""

    def __init__(
        self,
        rows: Iterable[Mapping[str, Any]],
        language: str,
        short_name: str,
        vocabulary: Vocabulary,
    ) -> None:
        self._short_name = short_name
        self._vocabulary = vocabulary
        #: The slots and the text of each template.
        self._by_intent = defaultdict[str, list[tuple[list[str], str]]](list)
        for row in rows:
            text = row["template"] if language == DUTCH else row.get(language) or row["template"]
            slots = list(filter(None, str(row["slot"]).split("+")))
            self._by_intent[str(row["intent"])].append((slots, str(text)))

    def rewrite(self, known: RewriteInput, otherwise: str) -> str:
        """Return the question in the template that uses most of its values, or as asked."""
        values = self._values(known)
        weights = _weights(known, values)
        for intent in (known.intent, Intent.UNKNOWN):
            fitting = [
                (sum(map(weights.__getitem__, slots)), text)
                for slots, text in self._by_intent.get(str(intent), ())
                if slots and weights.keys() >= set(slots)
            ]
            if fitting:
                best = max(fitting, key=itemgetter(0))[1]
                return squash(best.format_map(defaultdict(str, values)))
        return squash(otherwise)

    def _values(self, known: RewriteInput) -> dict[str, str]:
        values = {"short_name": self._short_name}
        has_condition = any(match.thing.kind is Kind.CONDITION for match in known.matches)
        for match in known.matches:
            if match.by == "department_from_condition" and has_condition:
                continue
            slot, name = self._slot(match)
            if name:
                values.setdefault(slot, name)
        if known.words:
            values[WORDS] = " ".join(known.words)
        if known.symptom:
            values[SYMPTOM] = known.symptom
        return values

    def _slot(self, match: Match) -> tuple[str, str]:
        thing = match.thing
        if thing.kind is Kind.SPECIALTY:
            departments = self._vocabulary.departments_of(thing)
            return "department", departments[0].name if departments else ""
        if thing.kind is Kind.DOCTOR and match.is_ambiguous:
            title = thing.get("title").split()[-1:] or [""]
            return "doctor", squash(f"{title[0]} {thing.get('last_name') or thing.name}")
        return str(thing.kind), thing.name


def rewriter_of(snapshot: Snapshot) -> Rewriter:
    """Return a version's rewriter; use it through `snapshot.derived(rewriter_of)`."""
    profile = snapshot.profile
    return Rewriter(
        snapshot.rows_of(ROWS), profile.default_language, profile.short_name, snapshot.vocabulary
    )


def _weights(known: RewriteInput, values: Mapping[str, str]) -> Mapping[str, float]:
    """Return the weight of each slot that can be filled."""
    weights = {WORDS: 0.25, SYMPTOM: 0.5} | dict.fromkeys(ENTITIES, 2.0)
    weights = {slot: weight for slot, weight in weights.items() if slot in values}
    if known.topic != APPOINTMENT:
        weights[CONTACT] = 2.0
    return {known.topic: 2.0} | weights


#: Synonyms of a thing, in the content language.
Synonyms: TypeAlias = Callable[[Thing], Sequence[str]]
#: Kinds routed to a department, whose name is added to find its pages.
ROUTED = (Kind.CONDITION, Kind.TREATMENT, Kind.EXAMINATION, Kind.SPECIALTY)
SYNONYMS, ROUTING, LATIN = "synonyms", "routing", "latin"
#: Maximum names added; more would drown the question.
MOST = 6
MOST_SYNONYMS = 3


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
    synonyms: Synonyms = lambda thing: (),
) -> Enrichment:
    """Append the hospital's names of a question's entities; the question stays unchanged."""
    known = {fold(question)}
    layers: dict[str, tuple[str, ...]] = {SYNONYMS: (), ROUTING: (), LATIN: ()}
    for layer, name in names_of(tuple(matches), vocabulary, synonyms):
        if sum(map(len, layers.values())) >= MOST:
            break
        if not any(fold(name) in each for each in known):
            known.add(fold(name))
            layers[layer] = (*layers[layer], name)
    return Enrichment(question, layers)


def names_of(
    matches: Sequence[Match], vocabulary: Vocabulary, synonyms: Synonyms
) -> Iterator[tuple[str, str]]:
    """Yield the names by which pages may call the entities of a question, with their layer."""
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
