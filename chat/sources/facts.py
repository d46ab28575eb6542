"""Find the published fact that answers a question.

Its need must be likely, its subject the only entity that the question names, and no condition of it
may contradict the question. Facts of the whole hospital answer only if no entity is named.
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
from taxonomy.facts.hours import Hours
from taxonomy.facts.index import FactEntry, candidates
from taxonomy.facts.print import format_now, format_on, format_value, not_that_day
from taxonomy.facts.records import FactConditions
from taxonomy.language.lexicon import Lexicon, lexicon_of
from taxonomy.publishing.snapshot import Snapshot
from taxonomy.resolvers.entries import Match
from taxonomy.vocabulary import Kind, Thing
from zol.text import escaped, words

#: Concepts and words of example questions, written by `python -m lab.needs.words`.
NEED_WORDS = Path(__file__).parents[1] / "defaults" / "need_words.npz"
#: Minimum probability of a need.
LIKELY = 0.5
#: Concept kinds that may have facts of their own.
CARE = frozenset({"condition", "symptom", "treatment", "examination", "specialty", "body"})
#: Time concepts, which do not distinguish subjects.
TIMES = frozenset(
    {
        "now", "today", "tonight", "tomorrow", "day_after_tomorrow", "weekend", "this_week",
        "next_month", "holiday", "christmas_newyear", "easter_summer", "january_june",
        "july_december", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday",
        "sunday", "weekday", "morning", "afternoon", "evening",
    }
)  # fmt: skip
#: Number of needs from which a concept in their example questions distinguishes none of them.
USUAL = 3
#: Maximum letters of a word that may be a function word.
SHORT = 3
#: Kinds that count as the place of a fact rather than its subject.
PLACES = frozenset({Kind.CAMPUS, Kind.HOSPITAL})
#: Concepts of inpatients, and of day patients.
STAYS = frozenset({"admission", "length_of_stay", "admission_date"})
GOES_HOME = frozenset({"day_hospital", "day_surgery", "consultation"})


@dataclass(frozen=True, slots=True)
class FactAnswer:
    """A fact that answers, with the days and times asked about."""

    #: One entry, or one per campus if they differ and none was named.
    entries: tuple[FactEntry, ...]
    chance: float
    now: datetime
    #: Days and times asked about.
    moments: tuple[Moment, ...] = ()

    @property
    def entry(self) -> FactEntry:
        return self.entries[0]

    @property
    def is_of_the_moment(self) -> bool:
        """Return whether it holds only now and may change within the hour."""
        return any(moment.is_now for moment in self.moments)

    def text(self, language: str, name: Callable[[Thing], str], snapshot: Snapshot) -> str:
        """Write the fact in the asker's language, with the hours of the days asked about."""
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
            # A campus's fact always names its campus.
            about.append(campus(self.entry.conditions.campus))
        called = ", ".join(filter(None, about))
        values = []
        for entry in self.entries:
            value = format_value(entry.value, language, own=profile.default_language, name=campus)
            moments = " · ".join(self._moments(entry, language, calendar))
            values.append(f"{moments} ({value})" if moments else value)
        values = [escaped(value) for value in values]
        called = f"**{escaped(called[:1].upper() + called[1:])}**:"
        if not is_listed:
            return f"{called} {values[0]}"
        places = [campus(entry.conditions.campus) for entry in self.entries]
        lines = (
            f"- {escaped(place)}: {value}" for place, value in zip(places, values, strict=True)
        )
        return "\n".join((called, *lines))

    def _moments(self, entry: FactEntry, language: str, calendar: Calendar) -> Iterator[str]:
        value = entry.value
        if not isinstance(value, Hours):
            return
        if self.is_of_the_moment:
            yield format_now(value, self.now, language, calendar.country)
            return
        for moment in self.moments:
            if moment.wrong_weekday:
                yield not_that_day(moment.first, moment.wrong_weekday, language)
        days = {day for moment in self.moments for day in moment.days}
        for day in sorted(days):
            yield format_on(value, day, language, calendar)


def fact_for(
    question: AskedText,
    snapshot: Snapshot,
    now: datetime,
    texts: Sequence[tuple[str, str]],
    *,
    age: str = "",
    names_somebody: bool = False,
) -> FactAnswer | None:
    """Return the fact that answers a question, if any.

    None also if the question mentions a concept that is unrelated to need and fact: a price of
    parking does not answer for a consultation. `texts` are the question's texts with their
    languages, including the completed form of a follow-up.
    """
    # Derived at the first question of a version, normally by the warm-up.
    subjects_of = snapshot.derived(_Concepts.of)
    chances, matches = question.needs, question.matches
    named = dict.fromkeys(match.thing for match in matches)
    campuses = [thing.key for thing in named if thing.kind is Kind.CAMPUS]
    subjects = [thing for thing in named if thing.kind not in PLACES]
    need = max(chances, key=chances.__getitem__, default="")
    if chances.get(need, 0.0) < LIKELY or len(campuses) > 1 or len(subjects) > 1:
        return None
    subject, campus = next(iter(subjects), None), next(iter(campuses), "")
    concepts = [subjects_of.in_text(*each) for each in texts]
    asked = FactConditions(campus, age=age, inpatient=_inpatient(concepts[0]))
    entries = best_entries(snapshot, need, subject, asked, now.date())
    if not entries:
        return None
    # An unknown word, or one redacted as a name, may name a ward.
    is_fallback = subject is None and not campus
    is_named = names_somebody or any(subjects_of.unknown_in(*each, matches) for each in texts)
    known = subjects_of.known_to(need, entries, question)
    if (is_fallback and is_named) or not all(each <= known for each in concepts):
        return None
    return FactAnswer(entries, chances[need], now)


def best_entries(
    snapshot: Snapshot, need: str, subject: Thing | None, asked: FactConditions, on: date
) -> tuple[FactEntry, ...]:
    """Return the fact that matches best, or the equally good ones if each is of another campus.

    A fact of a ward requires that the ward is named, and a fact of the hospital never answers for a
    named ward, which may differ.
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
    places = {entry.conditions.campus for entry in best}
    return tuple(best) if "" not in places and len(places) == len(best) else ()


@cache
def _of_examples() -> tuple[Mapping[str, frozenset[str]], Mapping[str, frozenset[str]]]:
    """Return the concepts of example questions by need, and their words by language."""
    with np.load(NEED_WORDS) as kept:
        concepts, known_words = (
            {name: frozenset(kept[f"{part}.{name}"].tolist()) for name in kept[part].tolist()}
            for part in ("needs", "languages")
        )
    return concepts, known_words


class _Concepts:
    """Reader of the concepts of texts, with the concepts that example questions of a need use."""

    def __init__(self, lexicon: Lexicon, own: str) -> None:
        self._lexicon, self._own = lexicon, own
        #: Concepts of care, any of which may be the question's subject.
        self._care = {each.name for each in lexicon.concepts.values() if each.kind in CARE}
        self._of_need, self._words = _of_examples()
        times = Counter(concept for used in self._of_need.values() for concept in used)
        #: Concepts used with many needs distinguish none: a father, a week.
        usual = {concept for concept, count in times.items() if count >= USUAL}
        self._usual = usual - self._care

    @classmethod
    def of(cls, snapshot: Snapshot) -> _Concepts:
        return cls(snapshot.derived(lexicon_of), snapshot.profile.default_language)

    def unknown_in(self, text: str, language: str, matches: Sequence[Match]) -> set[str]:
        """Return unknown words, which may name the subject."""
        found = words(text)
        uses = self._lexicon.read(found, language)
        known = {word for use in uses for word in found[use.start : use.end]}
        known |= self._words.get(language, frozenset())
        known.update(word for match in matches for word in words(match.text))
        return {word for word in found if len(word) > SHORT and word not in known}

    def known_to(
        self, need: str, entries: Sequence[FactEntry], question: AskedText
    ) -> frozenset[str]:
        """Return the concepts related to a need, to facts, or to named entities."""
        known = frozenset(self._usual.union(self._of_need.get(need, ()), TIMES))
        if entries[0].subject is None or entries[0].subject.kind in PLACES:
            # Examples mention wards and operations, to which facts of the hospital do not apply.
            known -= self._care
        for entry in entries:
            known |= self.in_text(entry.sentence, self._own)
        for match in question.matches:
            known |= self.in_text(match.text, question.language) | {str(match.thing.kind)}
        return known

    def in_text(self, text: str, language: str) -> frozenset[str]:
        return self._lexicon.subjects_in(words(text), language)


def _inpatient(concepts: Collection[str]) -> str:
    """Return inpatient or day patient as a condition; empty if unknown."""
    stays, goes_home = (not each.isdisjoint(concepts) for each in (STAYS, GOES_HOME))
    return {(True, False): "yes", (False, True): "no"}.get((stays, goes_home), "")
