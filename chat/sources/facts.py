"""The published fact that answers a question: its need, its subject, and no condition against it.

A fact is exact, so it is told only where the need is likely enough and the subject is the one thing
that the question names; what holds for the whole hospital is told where it names none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import cache
from pathlib import Path

import numpy as np

from chat.phrases import calendar_of
from chat.sources.curated import CuratedQuestion as AskedText
from taxonomy.dates.reading import Moment
from taxonomy.dates.words import Calendar
from taxonomy.facts import needs
from taxonomy.facts.conditions import FactConditions
from taxonomy.facts.hours import Hours
from taxonomy.facts.index import FactEntry, candidates
from taxonomy.facts.print import not_that_day, said, said_now, said_on
from taxonomy.language.lexicon import FUNCTION, Lexicon, lexicon_of
from taxonomy.publishing.snapshot import Snapshot
from taxonomy.resolvers.entries import Match
from taxonomy.vocabulary import Kind, Thing
from zol.text import escaped, words

#: The concepts and words of example questions; `python -m lab.needs.words` writes it.
NEED_WORDS = Path(__file__).parents[1] / "defaults" / "need_words.npz"
#: How likely a need is, from which its fact is told.
LIKELY = 0.5
#: Kinds of concepts that say nothing of the matter.
JOINING = frozenset({FUNCTION})
#: … and those of what may have facts of its own.
CARE = frozenset({"condition", "symptom", "treatment", "examination", "specialty", "body"})
#: Concepts of days and times, which tell no matter from another.
TIMES = frozenset(
    {
        "now", "today", "tonight", "tomorrow", "day_after_tomorrow", "weekend", "this_week",
        "next_month", "holiday", "christmas_newyear", "easter_summer", "january_june",
        "july_december", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday",
        "sunday", "weekday", "morning", "afternoon", "evening",
    }
)  # fmt: skip
#: Needs with which a concept is spoken of that tells none from another.
USUAL = 3
#: Letters of a word that may only join others.
SHORT = 3
#: What is no subject of a fact by itself.
PLACES = frozenset({Kind.CAMPUS, Kind.HOSPITAL})
#: Concepts of somebody who stays overnight, and of somebody who goes home the same day.
STAYS = frozenset({"admission", "length_of_stay", "admission_date"})
GOES_HOME = frozenset({"day_hospital", "day_surgery", "consultation"})


@dataclass(frozen=True, slots=True)
class FactAnswer:
    """A fact that answers, and what is asked of it."""

    #: One; or one for each campus, where it is another there and none was named.
    entries: tuple[FactEntry, ...]
    chance: float
    now: datetime
    #: The days and times that are asked for.
    moments: tuple[Moment, ...] = ()

    @property
    def entry(self) -> FactEntry:
        return self.entries[0]

    @property
    def is_of_the_moment(self) -> bool:
        """Return whether it says what holds now, which may be otherwise within the hour."""
        return any(moment.is_now for moment in self.moments)

    def text(self, language: str, name: Callable[[Thing], str], snapshot: Snapshot) -> str:
        """Return it as a line or a list in the asker's language, with what holds at the moment
        asked for."""
        profile, subject = snapshot.profile, self.entry.subject
        calendar = snapshot.derived(calendar_of)
        title = needs.name(self.entry.need, language)
        is_listed = len(self.entries) > 1

        def campus(key: str) -> str:
            thing = snapshot.vocabulary.get(Kind.CAMPUS, key)
            return name(thing) if thing else key

        about = [title]
        if subject and not is_listed:
            about.append(name(subject))
        if not is_listed and (subject is None or subject.kind is not Kind.CAMPUS):
            # What holds on one campus is never said as if it held on all.
            about.append(campus(_campus_of(self.entry)))
        called = ", ".join(filter(None, about))
        values = []
        for entry in self.entries:
            value = said(entry.value, language, own=profile.default_language, name=campus)
            moments = " · ".join(self._moments(entry, language, calendar))
            values.append(f"{moments} ({value})" if moments else value)
        values = [escaped(value) for value in values]
        called = f"**{escaped(called[:1].upper() + called[1:])}**:"
        if not is_listed:
            return f"{called} {values[0]}"
        places = [campus(_campus_of(entry)) for entry in self.entries]
        lines = (
            f"- {escaped(place)}: {value}" for place, value in zip(places, values, strict=True)
        )
        return "\n".join((called, *lines))

    def _moments(self, entry: FactEntry, language: str, calendar: Calendar) -> Iterator[str]:
        value = entry.value
        if not isinstance(value, Hours):
            return
        if self.is_of_the_moment:
            yield said_now(value, self.now, language, calendar.country)
            return
        for moment in self.moments:
            if moment.wrong_weekday:
                yield not_that_day(moment.first, moment.wrong_weekday, language)
        days = {day for moment in self.moments for day in moment.days}
        for day in sorted(days):
            yield said_on(value, day, language, calendar)


def fact_for(
    question: AskedText,
    snapshot: Snapshot,
    now: datetime,
    said: Sequence[tuple[str, str]],
    *,
    age: str = "",
    names_somebody: bool = False,
) -> FactAnswer | None:
    """Return the fact that answers a question, or nothing: also where it speaks of what neither
    its need nor the fact has anything to do with ("what does parking cost", of a consultation).

    `said` has its texts, each with its language: of a question that follows another, too, what it
    was completed to.
    """
    # Made at the first question of a version, whatever it is: the rehearsal's, as a rule.
    speaks = snapshot.derived(_Concepts.of)
    chances, matches = question.needs, question.matches
    named = dict.fromkeys(match.thing for match in matches)
    campuses = [thing.key for thing in named if thing.kind is Kind.CAMPUS]
    subjects = [thing for thing in named if thing.kind not in PLACES]
    need = max(chances, key=chances.__getitem__, default="")
    if chances.get(need, 0.0) < LIKELY or len(campuses) > 1 or len(subjects) > 1:
        return None
    subject, campus = next(iter(subjects), None), next(iter(campuses), "")
    concepts = [speaks.in_text(*each) for each in said]
    asked = FactConditions(campus, age=age, inpatient=_inpatient(concepts[0]))
    entries = best_entries(snapshot, need, subject, asked, now.date())
    if not entries:
        return None
    # A word that nobody knows, or that was taken for somebody's name, may be that of a ward.
    is_fallback = subject is None and not campus
    is_named = names_somebody or any(speaks.unknown_in(*each, matches) for each in said)
    known = speaks.known_to(need, entries, question)
    if (is_fallback and is_named) or not all(each <= known for each in concepts):
        return None
    return FactAnswer(entries, chances[need], now)


def best_entries(
    snapshot: Snapshot, need: str, subject: Thing | None, asked: FactConditions, on: date
) -> tuple[FactEntry, ...]:
    """Return the fact that agrees best; of several that do, all where each is of another campus.

    One that hangs on something else than a campus is told only to who named that; one of the whole
    hospital never to who named a ward, which may be otherwise there.
    """
    found = [
        each
        for each in candidates(snapshot, need, subject, asked, on)
        if (subject is None or each.subject == subject)
        and all(name == "campus" or getattr(asked, name) for name in each.conditions.data())
    ]
    best = [
        e for e in found if e.conditions.agreement(asked) == found[0].conditions.agreement(asked)
    ]
    if len({entry.value for entry in best}) <= 1:
        return tuple(best[:1])
    places = {_campus_of(entry) for entry in best}
    return tuple(best) if "" not in places and len(places) == len(best) else ()


def _campus_of(entry: FactEntry) -> str:
    return entry.conditions.campus


@cache
def _of_examples() -> tuple[Mapping[str, frozenset[str]], Mapping[str, frozenset[str]]]:
    """Return what example questions speak of: concepts by need, and words by language."""
    with np.load(NEED_WORDS) as kept:
        concepts, spoken = (
            {name: frozenset(kept[f"{part}.{name}"].tolist()) for name in kept[part].tolist()}
            for part in ("needs", "languages")
        )
    return concepts, spoken


class _Concepts:
    """What texts speak of, without words that join; and what is spoken of with each need."""

    def __init__(self, lexicon: Lexicon, own: str) -> None:
        #: The language of the hospital's pages.
        self._lexicon, self._own = lexicon, own
        #: Concepts of care, each of which may be what a question is about.
        self._care = {each.name for each in lexicon.concepts.values() if each.kind in CARE}
        self._of_need, self._words = _of_examples()
        times = Counter(concept for spoken in self._of_need.values() for concept in spoken)
        #: What is spoken of with whatever need tells none from another: a father, a week.
        usual = {concept for concept, needs_of in times.items() if needs_of >= USUAL}
        self._usual = usual - self._care

    @classmethod
    def of(cls, snapshot: Snapshot) -> _Concepts:
        return cls(snapshot.derived(lexicon_of), snapshot.profile.default_language)

    def of_need(self, need: str) -> frozenset[str]:
        return frozenset(self._usual.union(self._of_need.get(need, ())))

    def unknown_in(self, text: str, language: str, matches: Sequence[Match]) -> set[str]:
        """Return words that nobody knows: one may be the name of what is asked about."""
        said = words(text)
        uses = self._lexicon.read(said, language)
        known = {word for use in uses for word in said[use.start : use.end]}
        known |= self._words.get(language, frozenset())
        known.update(word for match in matches for word in words(match.text))
        return {word for word in said if len(word) > SHORT and word not in known}

    def known_to(
        self, need: str, entries: Sequence[FactEntry], question: AskedText
    ) -> frozenset[str]:
        """Return all that has to do with a need, with facts, or with what a question names."""
        known = self.of_need(need) | TIMES
        if entries[0].subject is None or entries[0].subject.kind in PLACES:
            # Examples speak of wards and operations; what holds for the house is not theirs.
            known -= self._care
        for entry in entries:
            known |= self.in_text(entry.sentence, self._own)
        for match in question.matches:
            known |= self.in_text(match.text, question.language) | {str(match.thing.kind)}
        return known

    def in_text(self, text: str, language: str) -> frozenset[str]:
        firsts = (use.concepts[0] for use in self._lexicon.read(words(text), language))
        return frozenset(each.name for each in firsts if each.kind not in JOINING)


def _inpatient(concepts: Collection[str]) -> str:
    """Return whether somebody stays overnight, as a condition; nothing where nobody says it."""
    stays, goes_home = (not each.isdisjoint(concepts) for each in (STAYS, GOES_HOME))
    return {(True, False): "yes", (False, True): "no"}.get((stays, goes_home), "")


def age_of(years: int | None, *, is_child: bool | None) -> str:
    """Return an age as a condition: "7", or only that it is a child's or an adult's."""
    return str(years) if years is not None else {True: "0-15", False: "16-", None: ""}[is_child]
