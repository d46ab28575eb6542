"""A model's classification of a message, and the days and times in it.

Times are ISO 8601 without a time zone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from retrieval.intents import Intent
from taxonomy.dates.reading import Moment
from zol.text import words

Urgency: TypeAlias = Literal["none", "soon", "emergency", "crisis", "poison"]
MessageKind: TypeAlias = Literal[
    "question", "greeting", "thanks", "goodbye", "person_wanted", "complaint", "grief", "identity",
    "unclear",
]  # fmt: skip
Advice: TypeAlias = Literal["none", "rule", "personal"]
Wants: TypeAlias = Literal[
    "one", "all", "yes_no", "people", "place", "price", "time", "rule", "steps", "other"
]  # fmt: skip

#: Further answers of a model to "intent", and the intent and topic that each stands for.
Beside: TypeAlias = Literal["billing_or_insurance", "records", "feedback", "jobs"]
COUNTS_AS: Mapping[str, tuple[Intent, str]] = {
    "billing_or_insurance": (Intent.NAVIGATION_OR_PRACTICAL_INFO, "billing"),
    "records": (Intent.NAVIGATION_OR_PRACTICAL_INFO, "legal"),
    "feedback": (Intent.NAVIGATION_OR_PRACTICAL_INFO, ""),
    "jobs": (Intent.NAVIGATION_OR_PRACTICAL_INFO, ""),
}
#: Maximum letters of a rewritten question, a part, and a mention; maximum parts and mentions.
#: Values are truncated by code, because strict schemas have no length limits.
REWRITTEN, PART, SAID = 300, 200, 80
MOST_PARTS, MOST_ENTITIES = 3, 8
#: Confidence threshold for refusing a request for personal advice (spec 03).
SURELY = 0.70


@dataclass(frozen=True, slots=True)
class Part:
    """A self-contained part of a question, in the pages' language."""

    text: str
    wants: Wants


@dataclass(frozen=True, slots=True)
class Mention:
    """An entity in the visitor's words, not resolved yet."""

    kind: str
    said: str


@dataclass(frozen=True, slots=True)
class MeantMoment:
    """A day or time as ISO 8601 without zone; `to` is exclusive."""

    from_: Annotated[str, Field(alias="from")]
    to: str
    said: str


@dataclass(frozen=True, slots=True)
class Classification:
    """The classification of a message; a model fills in the fields in this order."""

    urgency: Urgency
    kind: MessageKind
    intent: Intent | Beside
    #: Confidence in intent and advice.
    confidence: float
    advice: Advice
    #: The language to answer in.
    language: str
    #: Whether it depends on earlier messages.
    follows: bool
    #: The self-contained question, in the pages' language.
    rewritten: str
    parts: tuple[Part, ...]
    entities: tuple[Mention, ...]
    moment: MeantMoment | None

    @property
    def is_personal(self) -> bool:
        """Return whether a request for personal advice is certain enough to be refused."""
        return self.advice == "personal" and self.confidence >= SURELY


def moments_meant(
    by_model: MeantMoment | None, by_code: Sequence[Moment]
) -> tuple[MeantMoment, ...]:
    """Return the moments that code read, and the model's if code did not read all its words."""
    own = tuple(map(meant_moment, by_code))
    if by_model is None or any(
        (each.from_, each.to) == (by_model.from_, by_model.to) for each in own
    ):
        return own
    if own and set(words(by_model.said)) <= {word for each in own for word in words(each.said)}:
        return own
    return (*own, by_model)


def meant_moment(moment: Moment) -> MeantMoment:
    """Return a moment with an exclusive end; a point in time lasts a minute."""
    first = at(moment.first, moment.start or 0)
    if moment.start is None:
        last = at(moment.last, 0) + timedelta(days=1)
    else:
        last = max(at(moment.last, moment.end or moment.start), first + timedelta(minutes=1))
    return MeantMoment(written(first), written(last), moment.text)


def at(day: date, minutes: int) -> datetime:
    return datetime.combine(day, time()) + timedelta(minutes=minutes)


def written(moment: datetime) -> str:
    return moment.isoformat(timespec="minutes")
