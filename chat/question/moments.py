"""The days and times that a message means, as ISO 8601 without zone."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta

from chat.question.classification import MeantMoment
from taxonomy.dates.reading import Moment
from zol.text import words


def moments_meant(said: MeantMoment | None, read: Sequence[Moment]) -> tuple[MeantMoment, ...]:
    """Return the days and times meant: code's where it has read every word of the expression, else
    also the model's where that is another."""
    own = tuple(map(meant_moment, read))
    if said is None or any((each.from_, each.to) == (said.from_, said.to) for each in own):
        return own
    if own and set(words(said.said)) <= {word for each in own for word in words(each.said)}:
        return own
    return (*own, said)


def meant_moment(moment: Moment) -> MeantMoment:
    """Return a moment as code reads it, its end exclusive; a point in time is a minute."""
    first = at(moment.first, moment.start or 0)
    if moment.start is None:
        last = at(moment.last, 0) + timedelta(days=1)
    else:
        last = max(at(moment.last, moment.end or moment.start), first + timedelta(minutes=1))
    return MeantMoment(written(first), written(last), moment.said)


def at(day: date, minutes: int) -> datetime:
    return datetime.combine(day, time()) + timedelta(minutes=minutes)


def written(moment: datetime) -> str:
    return moment.isoformat(timespec="minutes")
