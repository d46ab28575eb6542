"""Rewrite a question in the hospital's language by templates, and expand it with the hospital's
terms for dense and keyword search.

Equal meanings get equal words, whatever the language, for look-ups, retrieval and the cache.
Templates are rows, one per intent; each names the values it needs.

Terms are those of resolved entities: other names of the entity itself (approved name, SNOMED CT
synonyms), the department it is routed to, and Latin. The number of added letters is always traced,
and logged (LOG_LEVEL=DEBUG), because a missing expansion once went unnoticed for thirteen days.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from retrieval.intents import Intent
from taxonomy.publishing.snapshot import Snapshot
from taxonomy.resolvers.entries import Match
from taxonomy.vocabulary import Kind, Thing, Vocabulary
from zol.text import fold, squash

logger = logging.getLogger(__name__)

ROWS = "chat.rewritetemplate"
TEXT, SYMPTOM, CONTACT, APPOINTMENT = "text", "symptom", "contact", "appointment"
#: Language of the templates.
DUTCH = "nl"
#: Weights of slot values: an entity, the topic, plain words.
ENTITY, TOPIC, WORDS = 2.0, 2.0, 0.25
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


@dataclass(frozen=True, slots=True)
class _Template:
    parts: tuple[str, ...]
    text: str


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
        self._by_intent: dict[str, list[_Template]] = {}
        for row in rows:
            text = row["template"] if language == DUTCH else row.get(language) or row["template"]
            parts = tuple(part for part in str(row["slot"]).split("+") if part)
            self._by_intent.setdefault(str(row["intent"]), []).append(_Template(parts, str(text)))

    def rewrite(self, known: RewriteInput, otherwise: str) -> str:
        """Return the question in its template, or as asked if none fits."""
        values = self._values(known)
        for intent in (known.intent, Intent.UNKNOWN):
            fitting = [
                (worth, template)
                for template in self._by_intent.get(str(intent), ())
                if (worth := self._worth(template, known, values)) > 0
            ]
            if fitting:
                best = max(fitting, key=lambda item: item[0])[1]
                return squash(best.text.format_map(_TemplateValues(values)))
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
            values[TEXT] = " ".join(known.words)
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

    def _worth(self, template: _Template, known: RewriteInput, values: Mapping[str, str]) -> float:
        """Return how many known values a template uses; 0 if it needs others."""
        worths = [_part_worth(part, known, values) for part in template.parts]
        return sum(worths) if worths and all(worths) else 0.0


class _TemplateValues(dict[str, str]):
    def __missing__(self, name: str) -> str:
        return ""


def rewriter_of(snapshot: Snapshot) -> Rewriter:
    """Return a version's rewriter; use it through `snapshot.derived(rewriter_of)`."""
    profile = snapshot.profile
    return Rewriter(
        snapshot.rows_of(ROWS), profile.default_language, profile.short_name, snapshot.vocabulary
    )


def _part_worth(part: str, known: RewriteInput, values: Mapping[str, str]) -> float:
    if part in ENTITIES:
        return ENTITY * (part in values)
    if part in (TEXT, SYMPTOM):
        return WORDS * (1 + (part == SYMPTOM)) * (part in values)
    if part == CONTACT:
        return TOPIC * (known.topic != APPOINTMENT)
    return TOPIC * (part == known.topic)


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
