"""One chat turn as data: the question, what was learned of it, and the events others can see."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Any, TypeVar

from chat.behaviours import Behaviour, Certainty, Channel, Mode
from chat.question.classification import Classification, MeantMoment, Wants
from chat.question.query_expansion import Enrichment
from chat.safety.emergencies.alarm import Alarm
from chat.sources.facts import FactAnswer
from retrieval.context import Block
from retrieval.intents import Intent
from retrieval.passage import Passage
from retrieval.query import SearchResult
from taxonomy.lookup.finding import Finding
from taxonomy.resolvers.entries import Match
from taxonomy.vocabulary import Thing

if TYPE_CHECKING:
    from chat.checking.base import NumberedEvidence

T = TypeVar("T")


def places_of(**groups: Any) -> dict[str, str]:
    """Return the group of each field of some dataclasses."""
    return {each.name: place for place, group in groups.items() for each in fields(group)}


def placed(value: T, places: Mapping[str, str], changes: Mapping[str, Any]) -> T:
    """Return a dataclass with changes to its own fields and those of its groups."""
    own = {name: each for name, each in changes.items() if name not in places}
    inner: dict[str, dict[str, Any]] = {}
    for name in changes.keys() & places.keys():
        inner.setdefault(places[name], {})[name] = changes[name]
    for place, each in inner.items():
        own[place] = replace(own.get(place, getattr(value, place)), **each)
    return replace(value, **own)  # type: ignore[type-var]


#: The engine that quotes; it is what an unsupported answer of a model falls back on.
EMBEDDED = "embedded"
#: What is answered in beside the page's language when the question's is not spoken here.
COMMON = "en"


@dataclass(frozen=True, slots=True)
class Exchange:
    """An earlier question of the conversation, its answer, and the pages that the answer cited."""

    question: str
    answer: str
    citations: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Turn:
    """A question as received."""

    question: str
    #: The language of the page: a prior, not a decision.
    language: str = "nl"
    history: tuple[Exchange, ...] = ()
    mode: Mode = Mode.STANDARD
    channel: Channel = Channel.WEB
    #: Categories of pages that the request names; they win over the intent's.
    categories: tuple[str, ...] = ()
    #: The time at which it is asked, for who tries another one out; none is now.
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Understanding:
    """What the visitor meant, as far as known."""

    intent: Intent = Intent.UNKNOWN
    confidence: float = 0.0
    #: The language to answer in.
    language: str = "nl"
    #: The language that the question is written in; differs where it is not offered here.
    detected: str = ""
    is_offered: bool = True
    #: The question in the hospital's content language, in one fixed form per intent.
    query: str = ""
    #: The words of the question that say what it is about, in the hospital's content language.
    terms: tuple[str, ...] = ()
    #: billing, legal, parking, visiting, …; empty when none stands out.
    topic: str = ""
    #: What the words resolve to, most important first.
    matches: tuple[Match, ...] = ()
    is_followup: bool = False
    #: What an answer must give: one, all, yes_no, people, place, price, time, rule, steps, other.
    wants: Wants = "other"
    #: Whether all members are asked for: "welke artsen", "tous les médecins".
    wants_list: bool = False
    #: Parts of a question that asks several things at once; empty when it asks one.
    parts: tuple[str, ...] = ()
    #: Which greeting it is (greeting, thanks, goodbye), if any; or that a human is asked for
    #: (person), or who it is that answers (identity).
    greeting: str = ""
    #: What an engine classified the message as; None where nobody was asked.
    classification: Classification | None = None
    #: Whether that is more than code's own reading.
    by_model: bool = False
    #: The days and times meant: two where code and model differ.
    moments: tuple[MeantMoment, ...] = ()
    #: Why this was understood: nearest examples and cues, for staff.
    evidence: Mapping[str, Any] = field(default_factory=dict)

    @property
    def answered_in(self) -> tuple[str, ...]:
        """Return the languages of the answer; English is added for one that is not offered."""
        return tuple(dict.fromkeys((self.language, *(() if self.is_offered else (COMMON,)))))

    def matched(self, *kinds: str) -> tuple[Thing, ...]:
        """Return the question's entities of these kinds."""
        return tuple(match.thing for match in self.matches if match.thing.kind in kinds)


@dataclass(frozen=True, slots=True)
class Citation:
    """A source of the answer as patients see it: one number for each document."""

    n: int
    title: str
    url: str
    #: What was quoted or relied on, in the page's words; empty where we say something ourselves.
    passage: str = ""
    #: Page number in a PDF; 0 for a web page.
    page: int = 0
    document_id: int = 0
    #: The chunk whose viewer shows the passage; 0 for a taxonomy fact.
    chunk_id: int = 0
    language: str = ""
    #: Further chunks of the document that were quoted.
    also: tuple[int, ...] = ()
    #: When the page was last changed (ISO 8601); empty where nobody knows.
    updated_on: str = ""
    #: How much the answer shows of each table or list of which it shows a part: "6/18".
    parts: tuple[str, ...] = ()
    #: What the answer says instead of the passage, where somebody has translated it.
    translated: str = ""
    #: The name by which an address leads to the section of a web page.
    anchor: str = ""


class Lanes(StrEnum):
    """Where to look for evidence: pages, taxonomy, or both."""

    VECTOR = "vector"
    GRAPH = "graph"
    HYBRID = "hybrid"


@dataclass(frozen=True, slots=True)
class Strategy:
    """Where to look for evidence, and why."""

    lanes: Lanes = Lanes.HYBRID
    #: Kinds of pages that suit the question: others count for less.
    preferred: frozenset[str] = frozenset()
    why: str = ""

    @property
    def reads_pages(self) -> bool:
        return self.lanes is not Lanes.GRAPH

    @property
    def asks_taxonomy(self) -> bool:
        return self.lanes is not Lanes.VECTOR


@dataclass(frozen=True, slots=True)
class Dossier:
    """Everything that an answer may rely on besides the published taxonomy."""

    blocks: tuple[Block, ...] = ()
    #: Whether facts of the taxonomy join the passages.
    with_facts: bool = True
    #: Those of them that the passages state already: a prompt leaves these out.
    stated: tuple[Finding, ...] = ()
    #: What a model is told about the dominant subject.
    guard: str = ""
    #: The numbered lines that a model reads and is held to; None where none is asked.
    evidence: NumberedEvidence | None = None
    #: What was wrong with a reply that was thrown away: the next request names it.
    faults: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Ticket:
    """Where to cache the answer (answer_cache/policy)."""

    #: What was known when it was looked up: version, corpus, terminology, incidents.
    knowledge: str
    #: Hash of the question as written, with all that its answer depends on.
    exact: str = ""
    #: The same of the rewritten question; empty until it is understood.
    reworded: str = ""
    #: What a similar question must share entirely, and the words of which it must share enough.
    room: str = ""
    content: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Safety:
    """Risks to the asker, and how carefully the answer is checked."""

    #: Kinds of personal data that were taken out of the question.
    redacted: tuple[str, ...] = ()
    #: What the visitor's last two messages warn of.
    alarm: Alarm = Alarm()
    #: The words of an alarm that does not stop the turn, with which the answer begins.
    warning: str = ""
    #: Whether code takes for advice what is answered: every statement is then one that could harm.
    is_risky: bool = False


@dataclass(frozen=True, slots=True)
class Found:
    """What was searched for, and what was found."""

    #: The words that are searched for: the question with the hospital's names for it.
    enrichment: Enrichment | None = None
    #: What a search for the visitor's own words found while a model was asked.
    own: SearchResult | None = None
    passages: tuple[Passage, ...] = ()
    #: Cosine of the best dense hit, before any floor.
    best_similarity: float = 0.0
    dense_hits: int = 0
    steering_row: str = ""
    primary_category: str = ""


@dataclass(frozen=True, slots=True)
class Published:
    """What the hospital has published about the question's entities."""

    #: What the taxonomy says to the question.
    findings: tuple[Finding, ...] = ()
    #: The published fact that answers.
    fact: FactAnswer | None = None
    #: The departments that the answer must name (the routing hint), whatever the gate says.
    routed: tuple[Thing, ...] = ()
    #: How the things of the question relate to others, a relation a line.
    ontology: tuple[str, ...] = ()
    #: The department whose doctors were all asked for, and all of them.
    roster_of: Thing | None = None
    roster: tuple[Thing, ...] = ()

    @property
    def answers(self) -> bool:
        """Return whether anything in it answers; a department to turn to does not."""
        return bool(self.findings or self.fact or self.roster)


@dataclass(frozen=True, slots=True)
class Answer:
    """What the visitor reads, and how certain it is."""

    text: str = ""
    citations: tuple[Citation, ...] = ()
    follow_ups: tuple[str, ...] = ()
    behaviour: Behaviour = Behaviour.ANSWER
    #: How sure the answer is of itself, where whoever wrote it knows.
    certainty: Certainty = Certainty.NONE
    #: Whether the published taxonomy carried the answer, or staff approved it for this question.
    verified: bool = False
    is_curated: bool = False
    #: Words of the question that nothing in the answer speaks of, where it is not sure.
    missing: tuple[str, ...] = ()
    engine: str = EMBEDDED
    #: What staff announce, with which the answer begins.
    bulletin: str = ""
    #: The contact card that came with an answer given before, or with a curated one.
    contact: Mapping[str, Any] = field(default_factory=dict)
    #: Whether the answer holds longer than this moment, as it stands: else nobody else gets it.
    lasts: bool = True
    #: Whether it was given before, and where it may be kept.
    cached: bool = False
    ticket: Ticket | None = None


@dataclass(frozen=True, slots=True)
class Context:
    """Everything known of a turn. Stages return a new one and change none."""

    turn: Turn
    #: The question without personal data and control characters; nothing else is kept of it.
    question: str = ""
    safety: Safety = Safety()
    understanding: Understanding = Understanding()
    #: The parts of a question that was taken apart, each as a question of its own.
    parts: tuple[Context, ...] = ()
    strategy: Strategy = Strategy()
    found: Found = Found()
    published: Published = Published()
    dossier: Dossier = Dossier()
    reply: Answer = Answer()
    #: Whether a stage failed and the answer is less than it could be.
    degraded: bool = False
    #: Whether a stage ended the turn: only what staff announce may still be said.
    is_settled: bool = False

    @property
    def passages(self) -> tuple[Passage, ...]:
        return self.found.passages

    @property
    def alarm(self) -> Alarm:
        return self.safety.alarm

    @property
    def warning(self) -> str:
        return self.safety.warning

    @property
    def answer(self) -> str:
        return self.reply.text

    @property
    def citations(self) -> tuple[Citation, ...]:
        return self.reply.citations

    @property
    def behaviour(self) -> Behaviour:
        return self.reply.behaviour

    @property
    def was_written(self) -> bool:
        """Return whether a model wrote this answer in this turn."""
        is_written = self.reply.engine != EMBEDDED and not self.reply.cached
        return is_written and self.behaviour is Behaviour.ANSWER

    def learn(self, **changes: Any) -> Context:
        """Return the turn with new values; `text` is the answer's."""
        return placed(self, PLACES, changes)


#: Where in a turn a value of one of its parts stands.
PLACES = places_of(safety=Safety, found=Found, published=Published, dossier=Dossier, reply=Answer)


@dataclass(frozen=True, slots=True)
class StageResult:
    """The result of a stage, with its details for the trace."""

    context: Context
    detail: Mapping[str, Any] = field(default_factory=dict)
    #: The turn is answered; skip the stages that remain.
    stop: bool = False
    #: What went wrong where a fallback answered instead.
    failure: str = ""

    def after(self, earlier: StageResult) -> StageResult:
        """Return this result with an earlier step's details before its own."""
        failure = "; ".join(filter(None, (earlier.failure, self.failure)))
        return replace(self, detail={**earlier.detail, **self.detail}, failure=failure)


class Phase(StrEnum):
    """The five phases that patients see."""

    UNDERSTANDING = "UNDERSTANDING"
    SEARCHING = "SEARCHING"
    ANALYZING = "ANALYZING"
    GENERATING = "GENERATING"
    EVALUATING = "EVALUATING"

    @property
    def percent(self) -> int:
        return {"UNDERSTANDING": 5, "SEARCHING": 25, "ANALYZING": 50, "GENERATING": 70}.get(
            self, 95
        )


@dataclass(frozen=True, slots=True)
class StageStarted:
    """A stage has begun."""

    stage: str
    phase: Phase


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of the answer, in order."""

    text: str


@dataclass(frozen=True, slots=True)
class Record:
    """What a stage did; stored with the message, so that every answer can be explained."""

    stage: str
    seconds: float
    detail: Mapping[str, Any] = field(default_factory=dict)
    #: What went wrong, when a fallback answered instead.
    failure: str = ""

    @property
    def plain(self) -> dict[str, Any]:
        """Return the fields of the record. Its detail is plain already; copying it would take
        longer than some stages."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}


@dataclass(frozen=True, slots=True)
class Suggested:
    """Suggested questions, found after the answer was sent."""

    message: str
    follow_ups: tuple[str, ...]


def told_by(step: str, records: Sequence[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """Yield the details of a step in a stored trace, for each part of the question.

    Until version 1.1 every step was a stage of its own.
    """
    for record in records:
        detail = record.get("detail", {})
        is_own = record.get("stage") == step
        for each in detail.get("parts", (detail,)):
            told = each if is_own or not isinstance(each, dict) else each.get(step)
            if told and isinstance(told, dict):
                yield told


class Witness:
    """Forwards events and records the stages, so that a failed turn can be explained."""

    def __init__(self, emit: Callable[[Any], None]) -> None:
        self._emit = emit
        self._begun = ""
        self._records: list[Record] = []

    def __call__(self, event: Any) -> None:
        if isinstance(event, StageStarted):
            self._begun = event.stage
        elif isinstance(event, Record):
            self._begun = ""
            self._records.append(event)
        self._emit(event)

    def until(self, reason: BaseException) -> tuple[Record, ...]:
        """Return the stages up to a failure, without its words, which may be the visitor's."""
        failed = Record(self._begun or "before any stage", 0.0, failure=type(reason).__name__)
        return (*self._records, failed)
