"""Naming the hospital's things in the asker's language."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from chat.phrases import NAMES, Phrases
from taxonomy.facts.phrases import day_name
from taxonomy.facts.schedules import slots
from taxonomy.kinds import Kind
from taxonomy.resolvers import Match
from taxonomy.vocabulary import Thing, Vocabulary
from zol.text import fold


@dataclass(frozen=True, slots=True)
class Teller:
    """Tells facts of one hospital in one language."""

    vocabulary: Vocabulary
    phrases: Phrases
    language: str
    #: What a question called a thing, where a spelling of it says so.
    own_words: Mapping[Thing, str] = field(default_factory=dict)

    def say(self, kind: str, **values: object) -> str:
        return self.phrases.say(kind, self.language, **values)

    def name(self, thing: Thing) -> str:
        return self.phrases.name(thing, self.language)

    def name_as_asked(self, thing: Thing) -> str:
        """Return a thing's name behind the asker's own word for it: "suikerziekte (Diabetes)"."""
        own = self.own_words.get(thing, "")
        return (
            f"{own} ({thing.name})"
            if own and fold(own) not in fold(thing.name)
            else self.name(thing)
        )

    def names(self, things: Sequence[Thing]) -> str:
        return self.phrases.listed([self.name(thing) for thing in things], self.language)

    def doctor_line(self, doctor: Thing) -> Iterator[str]:
        """Yield a doctor's name, specialty, departments and campuses, as far as known."""
        yield doctor_name(doctor)
        if specialty := doctor.get("specialty"):
            yield specialty
        if departments := self.vocabulary.departments_of(doctor):
            yield self.names(departments)
        if campuses := self.vocabulary.campuses_of(doctor):
            yield self.names(campuses)

    def doctor_line_short(self, doctor: Thing) -> Iterator[str]:
        yield doctor_name(doctor)
        if specialty := doctor.get("specialty"):
            yield specialty
        if campuses := self.vocabulary.campuses_of(doctor):
            yield self.names(campuses)

    def schedule(self, written: str) -> str:
        """Return a consultation schedule as people say it."""
        parts = []
        for slot in slots(written):
            campus = self.vocabulary.get(Kind.CAMPUS, slot.campus)
            where = f" ({self.name(campus)})" if campus else ""
            parts.append(f"{day_name(slot.day, self.language)} {slot.start}-{slot.end}{where}")
        return "; ".join(parts)

    def hours(self, written: str) -> str:
        """Return hours as staff wrote them, with the days named in the asker's language."""
        return self.phrases.hours(written, self.language)


def own_words(matches: Iterable[Match], language: str) -> dict[Thing, str]:
    """Return for things what a question in a language called them, as staff spell it."""
    return {
        match.thing: alias.text
        for match in matches
        for alias in match.thing.aliases
        if alias.kind in NAMES
        and alias.language == language
        and fold(alias.text) == fold(match.text)
    }


def doctor_name(doctor: Thing) -> str:
    """Return a doctor's name with title: "Dr. Jan Peeters"."""
    title, name = doctor.get("title"), doctor.name
    return name if not title or name.startswith(title) else f"{title} {name}"
