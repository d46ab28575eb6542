"""What a page is compared with, and why it may not make a department responsible for something.

The draft, the lexicon and the cues are prepared once. Each guard is a reason: that a page names a
condition is never enough, and a department's own page cannot take a condition away from another
department: only the condition's own page can add one.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from taxonomy.kinds import Kind, Predicate
from taxonomy.lexicon import Lexicon, lexicon_of
from taxonomy.population.cues import Cues, Persons, Sort
from taxonomy.population.page import Page, ProposalRefusal
from taxonomy.snapshot import Snapshot
from taxonomy.vocabulary import Thing, Vocabulary
from zol.text import fold, words

#: Letters of the shortest spelling; shorter abbreviations are also ordinary words.
SHORTEST = 4


class Mention(NamedTuple):
    start: int
    end: int
    things: tuple[Thing, ...]


class Mentions:
    """Every spelling of a vocabulary, found in folded words; the longest wins."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._things: dict[tuple[str, ...], list[Thing]] = defaultdict(list)
        self._lengths: dict[str, set[int]] = defaultdict(set)
        for thing in vocabulary.things:
            for text in (thing.name, *(spelling.text for spelling in thing.aliases)):
                spelt = words(text)
                if sum(map(len, spelt)) >= SHORTEST and thing not in self._things[spelt]:
                    self._things[spelt].append(thing)
                    self._lengths[spelt[0]].add(len(spelt))

    def named(self, text: str, kind: Kind) -> tuple[Thing, ...]:
        """Return what a whole text is a spelling of."""
        return tuple(t for t in self._things.get(words(text), ()) if t.kind is kind)

    def find(self, text: Sequence[str]) -> Iterator[Mention]:
        """Yield what is named, in the order of the text."""
        start = 0
        while start < len(text):
            lengths = sorted(self._lengths.get(text[start], ()), reverse=True)
            for length in lengths:
                if found := self._things.get(tuple(text[start : start + length])):
                    yield Mention(start, start + length, tuple(found))
                    start += length - 1
                    break
            start += 1


_BRACKETS = re.compile(r"(.+?)\s*\((.+)\)")
CUES, ROUTES = "taxonomy.populationcue", "taxonomy.complaintroute"
#: Kinds of the lexicon's concepts that are complaints.
COMPLAINTS = frozenset({"symptom", "body"})


@dataclass(frozen=True, slots=True)
class PopulationContext:
    """A hospital's draft, and what to read pages with."""

    vocabulary: Vocabulary
    lexicon: Lexicon
    cues: Cues
    mentions: Mentions
    persons: Persons
    #: Specialties that a concept of the lexicon leads to.
    routes: dict[str, frozenset[str]]
    #: Folded names of what staff have hidden, by kind: not proposed again.
    hidden: frozenset[tuple[str, str]]
    #: The language that names of entities are in.
    language: str

    def subject_of(self, page: Page) -> Thing | None:
        """Return the entity that a page is about, by its address or else by its title."""
        if page.kind is None:
            return None
        of_kind = [t for t in self.vocabulary.of_kind(page.kind) if page.url and t.url == page.url]
        spelt = (t for title in titles(page.title) for t in self.mentions.named(title, page.kind))
        return next(iter((*of_kind, *spelt)), None)

    def concepts_in(self, thing: Thing) -> frozenset[str]:
        """Return what the lexicon calls a thing, by any of its words in the hospital's language."""
        spoken = [thing.name, *(s.text for s in thing.aliases if s.language == self.language)]
        return frozenset(
            concept.name
            for text in spoken
            for use in self.lexicon.read(words(text), self.language)
            for concept in use.concepts
        )

    def specialties_of(self, department: Thing) -> frozenset[str]:
        """Return the specialties that a department is called after."""
        concepts = self.lexicon.concepts
        return frozenset(c for c in self.concepts_in(department) if concepts[c].kind == "specialty")

    def specialties_for(self, thing: Thing) -> frozenset[str]:
        """Return the specialties that look at a complaint, as far as the rows know: an illness
        may be treated by more than those it leads to first."""
        concepts = self.lexicon.concepts
        complaints = (c for c in self.concepts_in(thing) if concepts[c].kind in COMPLAINTS)
        return frozenset().union(*(self.routes.get(c, ()) for c in complaints))

    def is_hidden(self, kind: Kind, name: str) -> bool:
        return (str(kind), fold(name)) in self.hidden


def titles(title: str) -> tuple[str, ...]:
    """Return a title, and what stands before and within its brackets: "Influenza (griep)"."""
    match = _BRACKETS.fullmatch(title.strip())
    return (title, *match.groups()) if match else (title,)


def known_of(draft: Snapshot, hidden: Iterable[tuple[str, str]] = ()) -> PopulationContext:
    """Prepare a draft for reading pages."""
    vocabulary, lexicon = draft.vocabulary, draft.derived(lexicon_of)
    cues = Cues(draft.rows_of(CUES))
    routes: dict[str, set[str]] = defaultdict(set)
    for row in draft.rows_of(ROUTES):
        routes[row["complaint"]].add(row["specialty"])
    return PopulationContext(
        vocabulary=vocabulary,
        lexicon=lexicon,
        cues=cues,
        mentions=Mentions(vocabulary),
        persons=Persons(cues, lexicon, vocabulary),
        routes={complaint: frozenset(found) for complaint, found in routes.items()},
        hidden=frozenset((kind, fold(name)) for kind, name in hidden),
        language=draft.profile.default_language,
    )


WARD = "ward"


@dataclass(frozen=True, slots=True)
class Responsibility:
    """That a department is there for something, as one sentence of a page says."""

    department: Thing
    predicate: Predicate
    thing: Thing
    sentence: str
    language: str
    #: The other departments that the sentence names.
    others: tuple[Thing, ...] = ()
    #: Whether the page is the department's own.
    is_own_page: bool = True


def another_department(claim: Responsibility, known: PopulationContext) -> ProposalRefusal | None:
    """A sentence that names two departments does not say which of them it means."""
    parts = known.vocabulary.objects(claim.department, Predicate.PART_OF)
    others = [each for each in claim.others if each != claim.department and each not in parts]
    return ProposalRefusal.OTHER_DEPARTMENT if others else None


def taken_back(claim: Responsibility, known: PopulationContext) -> ProposalRefusal | None:
    said = known.cues.find(words(claim.sentence), Sort.NOT, claim.language)
    return ProposalRefusal.DENIED if said or claim.sentence.rstrip().endswith(("?", ";?")) else None


def responsible_elsewhere(
    claim: Responsibility, known: PopulationContext
) -> ProposalRefusal | None:
    holders = known.vocabulary.subjects(claim.thing, claim.predicate)
    held = any(h.kind is Kind.DEPARTMENT and h.get("sort") != WARD for h in holders)
    return ProposalRefusal.ELSEWHERE if held and claim.is_own_page else None


def other_specialty(claim: Responsibility, known: PopulationContext) -> ProposalRefusal | None:
    """What the hospital's rows lead to another specialty does not belong to this department."""
    if claim.thing.kind is not Kind.CONDITION:
        return None
    wanted, has = known.specialties_for(claim.thing), known.specialties_of(claim.department)
    return ProposalRefusal.OTHER_SPECIALTY if wanted and has and wanted.isdisjoint(has) else None


def only_a_ward(claim: Responsibility, known: PopulationContext) -> ProposalRefusal | None:
    return ProposalRefusal.WARD if claim.department.get("sort") == WARD else None


GUARDS: tuple[Callable[[Responsibility, PopulationContext], ProposalRefusal | None], ...] = (
    only_a_ward,
    another_department,
    taken_back,
    responsible_elsewhere,
    other_specialty,
)


def refused(claim: Responsibility, known: PopulationContext) -> ProposalRefusal | None:
    """Return the first reason against a claim; None when there is none."""
    return next(filter(None, (guard(claim, known) for guard in GUARDS)), None)
