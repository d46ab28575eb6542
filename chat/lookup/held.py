"""What passages hold of what the taxonomy answers: who bears it out comes sooner."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass

from chat.engines.embedded.kinds import Sort
from chat.lookup.finding import Finding, Says
from retrieval.passage import Passage
from retrieval.weighing import Held
from taxonomy.kinds import Kind
from zol.text import word_set

#: Findings whose value is an answer, by the sort of answer that it is.
DETAILS: Mapping[Sort, frozenset[Says]] = {
    Sort.PHONE: frozenset({Says.PHONE}),
    Sort.EMAIL: frozenset({Says.EMAIL}),
    Sort.TIME: frozenset({Says.HOURS, Says.VISITING_HOURS}),
}


@dataclass(frozen=True, slots=True)
class Answers:
    """The words of each doctor and department that the taxonomy answers with, and the numbers or
    hours that are asked for, as staff wrote them."""

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
            # One is enough: others are of other departments.
            float(any(each in passage.text for each in self.details)),
        )


def answers_of(findings: Iterable[Finding], wanted: Iterable[Sort] = ()) -> Answers:
    """Return what findings name, and what they say of the sorts that are asked for."""
    known = tuple(findings)
    things = {thing for each in known for thing in (each.about, *each.things)}
    named = {
        kind: frozenset(word_set(thing.name) for thing in things if thing.kind is kind)
        for kind in (Kind.DOCTOR, Kind.DEPARTMENT)
    }
    telling = frozenset[Says]().union(*(DETAILS.get(sort, ()) for sort in wanted))
    details = frozenset(each.value for each in known if each.says in telling and each.value)
    return Answers(named[Kind.DOCTOR], named[Kind.DEPARTMENT], details)


def held(
    findings: Iterable[Finding], wanted: Iterable[Sort], passages: Iterable[Passage]
) -> dict[int, Held]:
    """Return what each passage holds of what findings answer, by its chunk; nothing where they
    answer nothing."""
    answers = answers_of(findings, wanted)
    return {each.chunk_id: answers.held_by(each) for each in passages} if answers else {}


def _share(names: Set[frozenset[str]], said: Set[str]) -> float:
    return sum(name <= said for name in names) / len(names) if names else 0.0
