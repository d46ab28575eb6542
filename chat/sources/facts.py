"""The published fact that answers a question: its need, its subject, and no condition against it.

A fact is exact, so it is told only where the need is likely enough and the subject is the one thing
that the question names; what holds for the whole hospital is told where it names none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from chat.question.conditions import Conditions as Asked
from taxonomy import needs
from taxonomy.facts.conditions import Conditions
from taxonomy.facts.hours import Hours
from taxonomy.facts.index import FactEntry, find
from taxonomy.facts.print import said, said_now, said_on
from taxonomy.kinds import Kind
from taxonomy.resolvers.base import Match
from taxonomy.snapshot import Snapshot
from taxonomy.vocabulary import Thing

#: How likely a need is, from which its fact is told.
LIKELY = 0.5
#: What is no subject of a fact by itself.
PLACES = frozenset({Kind.CAMPUS, Kind.HOSPITAL})
#: How many days after today each moment is.
AHEAD: Mapping[str, int] = {"today": 0, "tonight": 0, "tomorrow": 1, "day_after_tomorrow": 2}
NOW = "now"


@dataclass(frozen=True, slots=True)
class FactAnswer:
    """A fact that answers, and what is asked of it."""

    entry: FactEntry
    chance: float
    conditions: Asked
    now: datetime

    def text(self, language: str, name: Callable[[Thing], str], snapshot: Snapshot) -> str:
        """Return it as a line in the asker's language, with what holds at the moment asked for."""
        profile, subject = snapshot.profile, self.entry.subject
        title = needs.name(self.entry.need, language)
        called = title if subject is None else f"{title}, {name(subject)}"

        def campus(key: str) -> str:
            thing = snapshot.vocabulary.get(Kind.CAMPUS, key)
            return name(thing) if thing else key

        value = said(self.entry.value, language, own=profile.default_language, name=campus)
        moments = " · ".join(self._moments(language, profile.country))
        return f"**{called[:1].upper()}{called[1:]}**: {value}" + (f" ({moments})" * bool(moments))

    def _moments(self, language: str, country: str) -> Iterator[str]:
        value = self.entry.value
        if not isinstance(value, Hours):
            return
        if NOW in self.conditions.moments:
            yield said_now(value, self.now, language, country)
        today = self.now.date()
        days = {today + timedelta(days=AHEAD[m]) for m in self.conditions.moments if m in AHEAD}
        if NOW not in self.conditions.moments:
            for day in sorted(days):
                yield said_on(value, day, language, country)


def fact_for(
    chances: Mapping[str, float],
    matches: Sequence[Match],
    conditions: Asked,
    snapshot: Snapshot,
    now: datetime,
) -> FactAnswer | None:
    """Return the fact that answers a question of whose need each chance is known, or nothing."""
    if not chances or len(conditions.campuses) > 1:
        return None
    need = max(chances, key=chances.__getitem__)
    named = list(dict.fromkeys(m.thing for m in matches if m.thing.kind not in PLACES))
    if chances[need] < LIKELY or len(named) > 1:
        return None
    subject = named[0] if named else None
    asked = Conditions(
        campus=conditions.campuses[0] if conditions.campuses else "",
        age=_age(conditions),
        inpatient={True: "yes", False: "no", None: ""}[conditions.is_inpatient],
    )
    entry = find(snapshot, need, subject, asked, now.date())
    return FactAnswer(entry, chances[need], conditions, now) if entry else None


def _age(conditions: Asked) -> str:
    if conditions.age is not None:
        return str(conditions.age)
    return {True: "0-15", False: "16-", None: ""}[conditions.is_child]
