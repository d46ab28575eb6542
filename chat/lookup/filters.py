"""What list is asked for, as a question says it: of doctors who consult on a day or at a campus, or
who speak a language, or of departments; and what else limits an answer in so many words."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from chat.phrases import Phrases, calendar_of, phrases_of
from chat.safety.phrases import PhraseBook
from chat.safety.rows import rows_of_kind
from taxonomy.dates.reading import Moment, weekdays
from taxonomy.dates.words import Calendar
from taxonomy.facts.phrases import day_name
from taxonomy.facts.schedules import slots
from taxonomy.kinds import Kind
from taxonomy.resolvers.entries import Match
from taxonomy.snapshot import Snapshot
from taxonomy.vocabulary import Thing, Vocabulary
from zol.text import fold, words

#: Kinds of the texts that name languages, before the code; staff may add more of them.
LANGUAGE = "language_name_"
#: Kinds of the texts that name women and men, before the letter that doctors have.
GENDER = "gender_"
#: Kinds of the cues that take a day out, "niet op vrijdag"; their target tells on which side of
#: the day they stand. Those that stand before a person's name; those that ask for departments.
EXCEPT, TITLE, DEPARTMENTS = "except", "person_title", "list_departments"
#: Words that may stand within "which departments": "which of your departments".
WITHIN = 2
BEFORE, AFTER = "before", "after"
#: Words between a day and what takes it out, at most: "pas disponible le vendredi".
GAP = 2
#: Letters from which a word may begin with the name of a language: "nederlandstalig".
BEGINS = 6
_WORD = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)?")
Words = Mapping[str, frozenset[str]]
#: Concepts of somebody who stays overnight, and of somebody who goes home the same day.
STAYS = frozenset({"admission", "length_of_stay", "admission_date"})
GOES_HOME = frozenset({"day_hospital", "day_surgery", "consultation"})


@dataclass(frozen=True, slots=True)
class Filters:
    """What the doctors who are asked for have in common."""

    #: Counted from 1 for Monday; one of them is enough.
    days: frozenset[int] = frozenset()
    #: Codes; all of them are spoken.
    languages: frozenset[str] = frozenset()
    #: Days that do not suit; a consultation on any other is enough.
    without: frozenset[int] = frozenset()
    #: Letters of women and men; one of them is enough.
    genders: frozenset[str] = frozenset()
    #: Where; one of them is enough.
    campuses: tuple[Thing, ...] = ()

    def __bool__(self) -> bool:
        """Whether a list is shorter for it: a campus alone is where a list is of."""
        return bool(self.days or self.languages or self.without or self.genders)

    def keep(self, doctors: Iterable[Thing], vocabulary: Vocabulary) -> tuple[Thing, ...]:
        """Return the doctors of whom it is known that they fit."""
        return tuple(doctor for doctor in doctors if self._fits(doctor, vocabulary))

    def _fits(self, doctor: Thing, vocabulary: Vocabulary) -> bool:
        places = vocabulary.campuses_of(doctor)
        if self.campuses and set(self.campuses).isdisjoint(places):
            return False
        if not self.languages.issubset(doctor.data.get("languages") or ()):
            return False
        if self.genders and doctor.get("gender") not in self.genders:
            return False
        return not (self.days or self.without) or any(
            self._suits(slot.day) and self._is_there(vocabulary.get(Kind.CAMPUS, slot.campus))
            for slot in slots(doctor.get("schedule"))
        )

    def _suits(self, day: int) -> bool:
        return day not in self.without and (not self.days or day in self.days)

    def _is_there(self, campus: Thing | None) -> bool:
        """Whether a consultation is at a campus asked for, as far as the schedule tells."""
        return not self.campuses or campus is None or campus in self.campuses

    def named(self, phrases: Phrases, language: str) -> str:
        """Return them as people say them: "vrijdag, Nederlands en Campus Noord"."""
        days = [day_name(day, language) for day in sorted(self.days)]
        kinds = [f"{LANGUAGE}{code}" for code in sorted(self.languages)]
        kinds += [f"{GENDER}{letter}" for letter in sorted(self.genders)]
        said = days + [phrases.say(kind, language) for kind in kinds]
        said += [
            phrases.say("filter_without", language, day=day_name(day, language))
            for day in sorted(self.without)
        ]
        said += [phrases.name(campus, language) for campus in self.campuses]
        return phrases.listed(said, language)


@dataclass(frozen=True, slots=True)
class Reader:
    """What names days, languages and exceptions at one hospital."""

    phrases: Phrases
    calendar: Calendar = Calendar()
    #: By language, the words that take out the day behind or before them.
    before: Words = field(default_factory=dict)
    after: Words = field(default_factory=dict)
    #: By language, what stands before a name: "dokter Frans".
    titles: Words = field(default_factory=dict)
    departments: Mapping[str, PhraseBook[str]] = field(default_factory=dict)
    #: By the language that they are said in, the languages that doctors speak: name and code.
    spoken: Mapping[str, Sequence[tuple[str, str]]] = field(default_factory=dict)

    def lists_departments(self, question: str, language: str) -> bool:
        """Whether a question asks which departments there are."""
        book = self.departments.get(language)
        return book is not None and any(book.find(words(question)))

    def read(self, question: str, language: str) -> Filters:
        """Return the days and languages that a question in a language names."""
        places = {word.start(): at for at, word in enumerate(_WORD.finditer(question))}
        written = _WORD.findall(question)
        said = [fold(word).replace("\u2019", "'") for word in written]
        named = weekdays(question, language, self.calendar)
        days = {places[start]: day for start, day in named if start in places}
        out = frozenset(self._taken_out(said, days, language))
        return Filters(
            frozenset(day for at, day in days.items() if at not in out),
            frozenset(self._languages(written, said, language)),
            frozenset(days[at] for at in out),
        )

    def _taken_out(
        self, said: Sequence[str], days: Mapping[int, int], language: str
    ) -> Iterator[int]:
        """Yield the places of the days that do not suit; "sauf lundi et mardi" takes out both."""
        before, after = self.before.get(language, ()), self.after.get(language, ())
        joining = words(self.phrases.say("list_and", language))
        last = -1
        for at in days:
            begins = max((d + 1 for d in days if d < at), default=0)
            ends = min((d for d in days if d > at), default=len(said))
            leading = said[max(begins, at - GAP - 1) : at]
            following = said[at + 1 : min(ends, at + GAP + 2)]
            goes_on = last >= 0 and last == begins - 1 and (not leading or leading[0] in joining)
            if goes_on or any(w in before for w in leading) or any(w in after for w in following):
                last = at
                yield at

    def _languages(
        self, written: Sequence[str], said: Sequence[str], language: str
    ) -> Iterator[str]:
        """Yield the codes of languages named; what stands behind a title is somebody's name."""
        titles = self.titles.get(language, ())
        spoken = [
            word
            for at, word in enumerate(said)
            if not (at and said[at - 1] in titles and written[at][0].isupper())
        ]
        for name, code in self.spoken.get(language, ()):
            if any(_names(word, name) for word in spoken):
                yield code


def _names(word: str, name: str) -> bool:
    return word == name or (len(name) >= BEGINS and word.startswith(name))


def reader_of(snapshot: Snapshot) -> Reader:
    """Return what a published version says of days, languages and exceptions."""
    kinds = (EXCEPT, TITLE, DEPARTMENTS)
    rows = (rows_of_kind(snapshot, "chat.cue", "cues", kind=kind) for kind in kinds)
    cues = (row for found in rows for row in found)
    return reader(phrases_of(snapshot), cues, snapshot.derived(calendar_of))


def reader(phrases: Phrases, cues: Iterable[Mapping[str, Any]], calendar: Calendar) -> Reader:
    """Return the reader of cues; it takes those that it knows."""
    sorts: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for row in cues:
        sorts.setdefault((str(row["kind"]), str(row["target"])), []).append(row)
    lists = _by_language(sorts.get((DEPARTMENTS, ""), ()))
    return Reader(
        phrases,
        calendar,
        _by_language(sorts.get((EXCEPT, BEFORE), ())),
        _by_language(sorts.get((EXCEPT, AFTER), ())),
        _by_language(sorts.get((TITLE, ""), ())),
        {
            language: PhraseBook([(text, text) for text in texts], gap=WITHIN)
            for language, texts in lists.items()
        },
        _spoken(phrases),
    )


def _spoken(phrases: Phrases) -> Mapping[str, Sequence[tuple[str, str]]]:
    found: dict[str, list[tuple[str, str]]] = {}
    for (kind, told_in), text in phrases.texts.items():
        if kind.startswith(LANGUAGE) and text:
            found.setdefault(told_in, []).append((fold(text), kind.removeprefix(LANGUAGE)))
    return found


def _by_language(rows: Iterable[Mapping[str, Any]]) -> Words:
    found: dict[str, set[str]] = {}
    for row in rows:
        found.setdefault(str(row["language"]), set()).add(fold(str(row["text"])))
    return {language: frozenset(texts) for language, texts in found.items()}


@dataclass(frozen=True, slots=True)
class Conditions:
    """What limits an answer, as far as it is said; each is empty where nothing was said of it."""

    #: Keys of the campuses named.
    campuses: tuple[str, ...] = ()
    #: Days of the week from 1 for Monday: those asked for, and those that do not suit.
    days: frozenset[int] = frozenset()
    without: frozenset[int] = frozenset()
    #: Days and times.
    moments: tuple[Moment, ...] = ()
    #: Codes of the languages asked for.
    languages: frozenset[str] = frozenset()
    #: In years.
    age: int | None = None
    #: None also where it is asked from which age something holds.
    is_child: bool | None = None
    is_inpatient: bool | None = None


def conditions_of(
    matches: Iterable[Match],
    concepts: Collection[str],
    filters: Filters,
    *,
    moments: tuple[Moment, ...] = (),
    age: int | None,
    is_child: bool | None,
) -> Conditions:
    """Return what the readers of names, days, languages and ages found, as one value."""
    places = (match.thing.key for match in matches if match.thing.kind is Kind.CAMPUS)
    stays, goes_home = (not each.isdisjoint(concepts) for each in (STAYS, GOES_HOME))
    return Conditions(
        campuses=tuple(dict.fromkeys(places)),
        days=filters.days,
        without=filters.without,
        moments=moments,
        languages=filters.languages,
        age=age,
        is_child=is_child,
        is_inpatient=stays if stays != goes_home else None,
    )
