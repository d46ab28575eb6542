"""Doctors' names as they are looked up, the titles before them, and what their bearers do."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from taxonomy.language.lexicon import Lexicon
from taxonomy.language.tokens import folded, join, sound
from taxonomy.vocabulary import Kind, Thing, Vocabulary
from zol.languages import LANGUAGES

#: Letters of a part of a surname that stands for all of it: "Khattabi" for "El Khattabi".
PART_FROM = 4
#: Letters of a title's part that is a word: the "dr" and "ssa" of "dr.ssa".
TITLE_FROM = 2
#: Letters of a word for a trade; shorter ones are too easily something else.
SHORTEST_TRADE = 3
#: Concepts of the lexicon that announce a doctor, whatever titles a hospital writes.
TITLES = ("doctor", "professor")
#: Concepts of these kinds hold the professions.
PROFESSIONS = ("specialty", "person")


@dataclass(frozen=True, slots=True)
class Name:
    """A doctor's name, folded and joined."""

    doctor: Thing
    first: str
    last: str
    heard: str
    #: Words of a surname of several that may stand for it.
    parts: tuple[str, ...] = ()
    #: The surname with its particles cut short: "v.d. Berg".
    shortened: str = ""
    #: The doctor's profession, and the keys of the departments.
    work: tuple[str, ...] = ()


def name_of(doctor: Thing, vocabulary: Vocabulary) -> Name:
    first, last = doctor.get("first_name"), doctor.get("last_name")
    if not last:
        *firsts, last = doctor.name.split()
        first = " ".join(firsts)
    words = folded(last)
    *particles, core = words or ("",)
    departments = (department.key for department in vocabulary.departments_of(doctor))
    return Name(
        doctor, join(folded(first)), join(words), heard_as(words),
        parts=tuple(word for word in words if len(word) >= PART_FROM) if particles else (),
        shortened=join([*(word[0] for word in particles), core]) if particles else "",
        work=(doctor.get("specialty"), *departments),
    )  # fmt: skip


def heard_as(words: Iterable[str]) -> str:
    return join(sound(word) for word in words)


def by_first(named: Sequence[Name], beside: str) -> tuple[Name, ...]:
    """Return those whose first name, or its initial, stands beside the surname."""
    if len(beside) == 1:
        return tuple(name for name in named if name.first.startswith(beside))
    exact = tuple(name for name in named if name.first == beside)
    return exact or tuple(
        name for name in named if name.first and sound(name.first) == sound(beside)
    )


def titles_of(vocabulary: Vocabulary, lexicon: Lexicon) -> frozenset[str]:
    """Return the words that announce a doctor: titles in use, and other words for them.

    Of an abbreviated one, "dr.ssa", the parts announce one too.
    """
    used = {word for d in vocabulary.of_kind(Kind.DOCTOR) for word in folded(d.get("title"))}
    titles = set(used)
    for concept in lexicon.concepts.values():
        if concept.kind == "person":
            texts = [text for spoken in concept.words.values() for text in spoken]
            words = {join(folded(text)) for text in texts}
            parts = (part for text in texts if "." in text for part in folded(text))
            words.update(part for part in parts if len(part) >= TITLE_FROM)
            if concept.name in TITLES or used & words:
                titles |= words
    return frozenset(titles)


def trades_of(vocabulary: Vocabulary, lexicon: Lexicon) -> Mapping[str, frozenset[str]]:
    """Return words for departments and professions, each with what `Name.work` may then hold."""
    trades: dict[str, set[str]] = defaultdict(set)
    for thing in (*vocabulary.of_kind(Kind.DEPARTMENT), *vocabulary.of_kind(Kind.SPECIALTY)):
        departments = {department.key for department in vocabulary.departments_of(thing)}
        for text in (thing.name, *(alias.text for alias in thing.aliases)):
            trades[join(folded(text))] |= departments
    for profession in {d.get("specialty") for d in vocabulary.of_kind(Kind.DOCTOR)} - {""}:
        word = join(folded(profession))
        concepts = {each for code in LANGUAGES for each in lexicon.find(word, code)}
        meant = (each.words.values() for each in concepts if each.kind in PROFESSIONS)
        texts = (text for words in meant for spoken in words for text in spoken)
        for called in {word, *(join(folded(text)) for text in texts)}:
            trades[called].add(profession)
    return {
        word: frozenset(trade)
        for word, trade in trades.items()
        if trade and len(word) >= SHORTEST_TRADE
    }
