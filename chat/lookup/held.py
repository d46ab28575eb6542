"""What passages hold of what the taxonomy answers: who bears it out comes sooner."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass

from chat.lookup.finding import Finding, Says
from retrieval.passage import Passage
from retrieval.weighing import Held
from taxonomy.kinds import Kind
from zol.text import word_set

#: Findings of which the value itself is the answer.
DETAILS = frozenset(
    {Says.PHONE, Says.EMAIL, Says.PLACE, Says.HOURS, Says.VISITING_HOURS, Says.ADDRESS}
)


@dataclass(frozen=True, slots=True)
class Answers:
    """The words of each doctor and department that the taxonomy answers with, and what it says of
    them as staff wrote it."""

    people: frozenset[frozenset[str]]
    places: frozenset[frozenset[str]]
    details: frozenset[str]

    def __bool__(self) -> bool:
        return bool(self.people or self.places or self.details)

    def held_by(self, passage: Passage) -> Held:
        text = word_set(passage.text)
        headed = text | word_set(passage.source.title) | word_set(passage.section)
        return Held(
            _share(self.people, text),
            _share(self.places, headed),
            sum(each in passage.text for each in self.details) / (len(self.details) or 1),
        )


def answers_of(findings: Iterable[Finding]) -> Answers:
    """Return what findings name and say."""
    known = tuple(findings)
    things = {thing for each in known for thing in (each.about, *each.things)}
    named = {
        kind: frozenset(word_set(thing.name) for thing in things if thing.kind is kind)
        for kind in (Kind.DOCTOR, Kind.DEPARTMENT)
    }
    details = frozenset(each.value for each in known if each.says in DETAILS and each.value)
    return Answers(named[Kind.DOCTOR], named[Kind.DEPARTMENT], details)


def held(findings: Sequence[Finding], passages: Iterable[Passage]) -> dict[int, Held]:
    """Return what each passage holds of them, by its chunk; nothing where they answer nothing."""
    answers = answers_of(findings)
    return {each.chunk_id: answers.held_by(each) for each in passages} if answers else {}


def _share(names: Set[frozenset[str]], said: Set[str]) -> float:
    return sum(name <= said for name in names) / len(names) if names else 0.0
