"""Build plain values for tests; a test names only the values that it is about."""

from collections.abc import Mapping, Sequence
from itertools import count
from typing import Any

from chat.engines.embedded import EMBEDDED_ENGINE
from chat.phrases import Phrases
from chat.pipeline import PIPELINE
from chat.question.understanding import message_reader_of, understood
from chat.tools import Tools
from chat.turn import Context, Record, Turn, Understanding, details_of
from retrieval.passage import Passage, Source
from retrieval.query import Query, SearchResult
from retrieval.tuning import Steering
from taxonomy.resolvers.entries import Match
from taxonomy.snapshot import Profile, Snapshot
from taxonomy.vocabulary import AliasKind, Kind, Predicate, Spelling, Thing, Triple, Vocabulary

_numbers = count(1)

PROFILE = Profile(
    slug="test",
    name="Ziekenhuis Test",
    short_name="ZT",
    default_language="nl",
    languages=("nl", "en"),
    phone="089 00 00 00",
    emergency_phone="112",
    country="be",
)


def source(title: str = "Een pagina", **fields: Any) -> Source:
    number = next(_numbers)
    values = {"document_id": number, "url": f"https://ziekenhuis.test/{number}"} | fields
    return Source(title=title, **values)


def passage(text: str = "", base: float | None = 0.5, **fields: Any) -> Passage:
    values: dict[str, Any] = {"chunk_id": next(_numbers), "source": source()} | fields
    return Passage(text=text, base=base, **values)


def thing(kind: Kind, name: str, *aliases: str, **data: Any) -> Thing:
    """Return an entity; an alias may carry a language, as in "en:cardiology"; a profession ends in *."""
    key = data.pop("key", "") or name.lower().replace(" ", "-")
    url = data.pop("url", f"https://ziekenhuis.test/{key}")
    spellings = []
    for alias in aliases:
        language, _, text = alias.rpartition(":")
        kind_of = AliasKind.PROFESSION if text.endswith("*") else AliasKind.SYNONYM
        spellings.append(Spelling(text.removesuffix("*"), language or "nl", kind_of))
    return Thing(kind, key, name, url, tuple(spellings), data)


def vocabulary(*parts: Thing | tuple[Thing, Predicate, Thing]) -> Vocabulary:
    """Return a vocabulary of facts (triples) and of things that stand alone."""
    facts = [Triple(*part) for part in parts if isinstance(part, tuple)]
    things = dict.fromkeys(part for part in parts if isinstance(part, Thing))
    for fact in facts:
        things |= dict.fromkeys((fact.subject, fact.object))
    return Vocabulary(things, facts)


def snapshot(words: Vocabulary | None = None, **rows: Sequence[Mapping[str, Any]]) -> Snapshot:
    """Return a published version; rows by their set, with __ for the dot."""
    named = {name.replace("__", "."): tuple(values) for name, values in rows.items()}
    return Snapshot(1, 1, PROFILE, words or Vocabulary(), named)


def phrases(**texts: str) -> Phrases:
    """Return fixed texts that say the same in every language."""
    return Phrases({(kind, "nl"): text for kind, text in texts.items()}, PROFILE)


def match(found: Thing, *alternatives: Thing, by: str = "exact") -> Match:
    return Match(found, found.name.lower(), by, 1.0, alternatives)


def meant(*things: Thing, **fields: Any) -> Understanding:
    return Understanding(matches=tuple(match(found) for found in things), **fields)


def context(question: str = "Waar is de ingang?", **learned: Any) -> Context:
    return Context(Turn(question), question=question).learn(**learned)


#: What tools are made with.
OWN = ("snapshot", "steering", "phrases", "engine")


def tools(
    *, finds: Sequence[Passage] = (), words: Vocabulary | None = None, **fields: Any
) -> Tools:
    """Tools of a hospital whose only search finds the given passages."""
    found = SearchResult(tuple(finds), best_similarity=0.9, dense_hits=len(finds))

    def search(query: Query) -> SearchResult:
        return found

    values: dict[str, Any] = {
        "snapshot": snapshot(words),
        "steering": Steering(),
        "phrases": phrases(),
        "engine": EMBEDDED_ENGINE,
    } | {name: fields.pop(name) for name in list(fields) if name in OWN}
    house = values["snapshot"]
    usual = {
        "search": search,
        "likeness": lambda question, texts: [0.5] * len(texts),
        "understand": lambda said, turn: understood(said, turn, house.derived(message_reader_of)),
    }
    return Tools(**values).changed(**usual | fields)


_NAMES = [stage.name for stage in PIPELINE]
#: Up to where the pages were searched, and up to where all is at hand for an answer.
SEARCHING = PIPELINE[: _NAMES.index("retrieval") + 1]
PREPARING = PIPELINE[: _NAMES.index("generation")]


def told(step: str, trace: Sequence[Record]) -> Mapping[str, Any]:
    """Return what a step of a stage tells in a trace; nothing where it was not taken."""
    return next(details_of(step, [record.plain for record in trace]), {})
