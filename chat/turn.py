"""One turn of the chat as data: the question, all that is known about it, and its events."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import datetime
from enum import StrEnum
from typing import Any, TypeVar

from chat.behaviours import Behaviour, Certainty, Channel, Mode
from chat.checking.base import Citation, NumberedEvidence
from chat.question.classification import Classification, MeantMoment, Wants
from chat.question.rewrite import Enrichment
from chat.safety.emergencies.alarm import Alarm
from chat.sources.facts import FactAnswer
from retrieval.intents import Intent
from retrieval.passage import Passage
from retrieval.query import SearchResult
from taxonomy.lookup.finding import Finding
from taxonomy.resolvers.entries import Match
from taxonomy.vocabulary import Thing

T = TypeVar("T")


def places_of(**groups: Any) -> dict[str, str]:
    """Map each field of some dataclasses to the name of its dataclass."""
    return {each.name: place for place, group in groups.items() for each in fields(group)}


def placed(value: T, places: Mapping[str, str], changes: Mapping[str, Any]) -> T:
    """Return a dataclass with new values for its own fields and for fields of its groups."""
    own = {name: each for name, each in changes.items() if name not in places}
    inner: dict[str, dict[str, Any]] = {}
    for name in changes.keys() & places.keys():
        inner.setdefault(places[name], {})[name] = changes[name]
    for place, each in inner.items():
        own[place] = replace(own.get(place, getattr(value, place)), **each)
    return replace(value, **own)  # type: ignore[type-var]


#: The quoting engine, the fallback for unsupported answers of a model.
EMBEDDED = "embedded"
#: Second answer language for a question in a language that is not offered.
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
    #: The page's language: a prior, not a decision.
    language: str = "nl"
    history: tuple[Exchange, ...] = ()
    mode: Mode = Mode.STANDARD
    channel: Channel = Channel.WEB
    #: Page categories of the request; they override the intent's.
    categories: tuple[str, ...] = ()
    #: Simulated time of a trial; None means now.
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Understanding:
    """The understanding of a question: intent, language, entities, expected answer."""

    intent: Intent = Intent.UNKNOWN
    confidence: float = 0.0
    #: The language to answer in.
    language: str = "nl"
    #: Detected language of the question, even if the hospital does not offer it.
    detected: str = ""
    is_offered: bool = True
    #: The question in the hospital's content language, in the template of its intent.
    query: str = ""
    #: Content words, in the hospital's content language.
    terms: tuple[str, ...] = ()
    #: billing, legal, parking, visiting, …; empty if none is likely.
    topic: str = ""
    #: Resolved entities, most important first.
    matches: tuple[Match, ...] = ()
    is_followup: bool = False
    #: Expected answer: one, all, yes_no, people, place, price, time, rule, steps, other.
    wants: Wants = "other"
    #: Whether all members of a group are wanted: "welke artsen", "tous les médecins".
    wants_list: bool = False
    #: Parts of a question that asks several things at once; empty when it asks one.
    parts: tuple[str, ...] = ()
    #: Kind of greeting (greeting, thanks, goodbye), a request for a human (person), or for the
    #: assistant's identity (identity); empty for questions.
    greeting: str = ""
    #: A model's classification; None if code classified the message.
    classification: Classification | None = None
    #: Whether a model classified it.
    by_model: bool = False
    #: Days and times asked about; both readings if code and model disagree.
    moments: tuple[MeantMoment, ...] = ()
    #: Probability of each need, by code.
    needs: Mapping[str, float] = field(default_factory=dict)
    #: Reasons for staff: the nearest examples, and cues.
    evidence: Mapping[str, Any] = field(default_factory=dict)

    @property
    def written_in(self) -> str:
        return self.detected or self.language

    @property
    def answered_in(self) -> tuple[str, ...]:
        """Return the languages of the answer; English is added if the asker's is not offered."""
        return tuple(dict.fromkeys((self.language, *(() if self.is_offered else (COMMON,)))))

    def matched(self, *kinds: str) -> tuple[Thing, ...]:
        """Return the question's entities of these kinds."""
        return tuple(match.thing for match in self.matches if match.thing.kind in kinds)


class SearchTarget(StrEnum):
    """The sources to search: pages (VECTOR), taxonomy (GRAPH), or both."""

    VECTOR = "vector"
    GRAPH = "graph"
    HYBRID = "hybrid"


@dataclass(frozen=True, slots=True)
class Strategy:
    """The sources to search, with the reason, and the kinds of pages to prefer."""

    target: SearchTarget = SearchTarget.HYBRID
    #: Page kinds that suit the question; others are weighted down.
    preferred: frozenset[str] = frozenset()
    why: str = ""

    @property
    def reads_pages(self) -> bool:
        return self.target is not SearchTarget.GRAPH

    @property
    def asks_taxonomy(self) -> bool:
        return self.target is not SearchTarget.VECTOR


@dataclass(frozen=True, slots=True)
class Dossier:
    """The evidence of an answer besides the published taxonomy."""

    #: The best passages with their neighbours.
    selected: tuple[Passage, ...] = ()
    #: Whether facts of the taxonomy join the passages.
    with_facts: bool = True
    #: Numbered lines that an engine must cite; None before generation.
    evidence: NumberedEvidence | None = None
    #: Faults of a rejected reply, named in the next request.
    faults: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Ticket:
    """Keys under which an answer is cached (answer_cache/reuse)."""

    #: Fingerprint at look-up of everything an answer depends on: version, corpus, terminology.
    knowledge: str
    #: Hash of the question as written, with everything that its answer depends on.
    exact: str = ""
    #: The same hash of the rewritten question; empty until understood.
    reworded: str = ""
    #: Digest that a similar question must share, and content words of which it must share enough.
    room: str = ""
    content: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Safety:
    """Risks to the visitor, and the strictness of the checks."""

    #: Kinds of redacted personal data.
    redacted: tuple[str, ...] = ()
    #: The alarm of the visitor's last two messages.
    alarm: Alarm = Alarm()
    #: Warning above the answer, from an alarm that does not stop the turn.
    warning: str = ""
    #: Whether code detects a request for advice, so that every statement counts as risky.
    is_risky: bool = False


@dataclass(frozen=True, slots=True)
class Found:
    """Results of the searches of the pages."""

    #: The question with the hospital's names appended.
    enrichment: Enrichment | None = None
    #: Results of the parallel search for the visitor's own words.
    own: SearchResult | None = None
    passages: tuple[Passage, ...] = ()
    #: Cosine of the best dense hit, before any threshold.
    best_similarity: float = 0.0
    dense_hits: int = 0
    steering_row: str = ""
    primary_category: str = ""


@dataclass(frozen=True, slots=True)
class Published:
    """Published data about the question's entities."""

    #: Findings of the taxonomy.
    findings: tuple[Finding, ...] = ()
    #: The published fact that answers.
    fact: FactAnswer | None = None
    #: Departments that the answer must name (the routing hint), whatever the gate decides.
    routed: tuple[Thing, ...] = ()
    #: The doctors of the department whose full roster was asked for.
    roster: tuple[Thing, ...] = ()

    @property
    def answers(self) -> bool:
        """Return whether published data answer the question; a department alone does not."""
        return bool(self.findings or self.fact or self.roster)


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer as shown to the visitor, with its certainty and origin."""

    text: str = ""
    citations: tuple[Citation, ...] = ()
    follow_ups: tuple[str, ...] = ()
    behaviour: Behaviour = Behaviour.ANSWER
    #: Certainty that the engine set, if any.
    certainty: Certainty = Certainty.NONE
    #: Whether its source is the published taxonomy or a curated answer.
    verified: bool = False
    is_curated: bool = False
    #: Words of the question that an unsure answer does not mention.
    missing: tuple[str, ...] = ()
    engine: str = EMBEDDED
    #: Bulletin above the answer.
    bulletin: str = ""
    #: Contact card of a cached or curated answer.
    contact: Mapping[str, Any] = field(default_factory=dict)
    #: Whether it stays true beyond this moment; if not, it is not cached.
    lasts: bool = True
    #: Whether it came from the cache, and where it may be stored.
    cached: bool = False
    ticket: Ticket | None = None


@dataclass(frozen=True, slots=True)
class Context:
    """Everything known about a turn. Stages return a new context and change none."""

    turn: Turn
    #: The redacted question without control characters; the original is not kept.
    question: str = ""
    safety: Safety = Safety()
    understanding: Understanding = Understanding()
    #: Contexts of the parts of a split question.
    parts: tuple[Context, ...] = ()
    strategy: Strategy = Strategy()
    found: Found = Found()
    published: Published = Published()
    dossier: Dossier = Dossier()
    reply: Answer = Answer()
    #: Whether a stage failed, so that the answer may be weaker.
    degraded: bool = False
    #: Whether a stage ended the turn; only bulletins may follow.
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
    def certainty(self) -> Certainty:
        """Return the certainty of the answer; only sure ones are cached."""
        if self.behaviour is not Behaviour.ANSWER or self.reply.certainty:
            return self.reply.certainty
        if self.reply.is_curated:
            return Certainty.CURATED
        return Certainty.FACT if self.reply.verified else Certainty.SURE

    @property
    def was_written(self) -> bool:
        """Return whether a model wrote this answer in this turn."""
        is_written = self.reply.engine != EMBEDDED and not self.reply.cached
        return is_written and self.behaviour is Behaviour.ANSWER

    def learn(self, **changes: Any) -> Context:
        """Return the turn with new values; `text` is the answer's."""
        return placed(self, PLACES, changes)


#: The group of each value.
PLACES = places_of(safety=Safety, found=Found, published=Published, dossier=Dossier, reply=Answer)


@dataclass(frozen=True, slots=True)
class StageResult:
    """The result of a stage, with its details for the trace."""

    context: Context
    detail: Mapping[str, Any] = field(default_factory=dict)
    #: Whether to skip the remaining stages.
    stop: bool = False
    #: Reason for falling back.
    failure: str = ""

    def after(self, earlier: StageResult) -> StageResult:
        """Return this result with an earlier step's details before its own."""
        failure = "; ".join(filter(None, (earlier.failure, self.failure)))
        return replace(self, detail={**earlier.detail, **self.detail}, failure=failure)


class Phase(StrEnum):
    """The five phases of a turn that patients see."""

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
    """The record of a stage, stored with the message to explain every answer."""

    stage: str
    seconds: float
    detail: Mapping[str, Any] = field(default_factory=dict)
    #: Reason for falling back.
    failure: str = ""

    @property
    def plain(self) -> dict[str, Any]:
        """Return the fields as a dictionary; the detail is not copied."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}


@dataclass(frozen=True, slots=True)
class Suggested:
    """Suggested questions, found after the answer was sent."""

    message: str
    follow_ups: tuple[str, ...]


def details_of(step: str, records: Sequence[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """Yield the details of a step in a stored trace, for each part of the question.

    In traces of version 1.1 every step is a stage.
    """
    for record in records:
        detail = record.get("detail", {})
        is_own = record.get("stage") == step
        for each in detail.get("parts", (detail,)):
            found = each if is_own or not isinstance(each, dict) else each.get(step)
            if found and isinstance(found, dict):
                yield found


class TraceRecorder:
    """Forward events and record the stages, so that a failed turn can be explained."""

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

    def failed(self, reason: BaseException) -> tuple[Record, ...]:
        """Return the trace up to a failure, without its message, which may quote the visitor."""
        failed = Record(self._begun or "before any stage", 0.0, failure=type(reason).__name__)
        return (*self._records, failed)
