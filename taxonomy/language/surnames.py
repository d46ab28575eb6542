"""Look-up forms of doctors' names, and the words for titles and professions next to them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from taxonomy.language.lexicon import Lexicon
from taxonomy.language.tokens import folded, join, sound
from taxonomy.vocabulary import Kind, Thing, Vocabulary
from zol.languages import LANGUAGES

#: Minimum letters of a word that may stand for a whole surname: "Khattabi" for "El Khattabi".
PART_FROM = 4
#: Minimum letters of a title's part that counts as a title: "dr" and "ssa" of "dr.ssa".
TITLE_FROM = 2
#: Minimum letters of a word for a profession; shorter ones are often another word.
SHORTEST_TRADE = 3
#: Concepts whose words are titles in every hospital.
TITLES = ("doctor", "professor")
#: Kinds of concepts for professions.
PROFESSIONS = ("specialty", "person")


@dataclass(frozen=True, slots=True)
class Name:
    """A doctor's name, folded and joined."""

    doctor: Thing
    first: str
    last: str
    sound: str
    #: Words that may stand for a multi-word surname.
    parts: tuple[str, ...] = ()
    #: The surname with abbreviated particles: "v.d. Berg".
    shortened: str = ""
    #: The doctor's profession, and the keys of their departments.
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
        doctor, join(folded(first)), join(words), sound_of(words),
        parts=tuple(word for word in words if len(word) >= PART_FROM) if particles else (),
        shortened=join([*(word[0] for word in particles), core]) if particles else "",
        work=(doctor.get("specialty"), *departments),
    )  # fmt: skip


def sound_of(words: Iterable[str]) -> str:
    return join(sound(word) for word in words)


def by_first(named: Sequence[Name], beside: str) -> tuple[Name, ...]:
    """Return the names whose first name, or its initial, stands next to the surname."""
    if len(beside) == 1:
        return tuple(name for name in named if name.first.startswith(beside))
    exact = tuple(name for name in named if name.first == beside)
    return exact or tuple(
        name for name in named if name.first and sound(name.first) == sound(beside)
    )


def titles_of(vocabulary: Vocabulary, lexicon: Lexicon) -> frozenset[str]:
    """Return titles in use and their synonyms, with the parts of abbreviations such as "dr.ssa"."""
    used = {word for d in vocabulary.of_kind(Kind.DOCTOR) for word in folded(d.get("title"))}
    titles = set(used)
    for concept in lexicon.concepts.values():
        if concept.kind == "person":
            texts = [text for each in concept.words.values() for text in each]
            words = {join(folded(text)) for text in texts}
            parts = (part for text in texts if "." in text for part in folded(text))
            words.update(part for part in parts if len(part) >= TITLE_FROM)
            if concept.name in TITLES or used & words:
                titles |= words
    return frozenset(titles)


def trades_of(vocabulary: Vocabulary, lexicon: Lexicon) -> Mapping[str, frozenset[str]]:
    """Return words for departments and professions with the matching values of `Name.work`."""
    trades: dict[str, set[str]] = defaultdict(set)
    for thing in (*vocabulary.of_kind(Kind.DEPARTMENT), *vocabulary.of_kind(Kind.SPECIALTY)):
        departments = {department.key for department in vocabulary.departments_of(thing)}
        for text in (thing.name, *(alias.text for alias in thing.aliases)):
            trades[join(folded(text))] |= departments
    for profession in {d.get("specialty") for d in vocabulary.of_kind(Kind.DOCTOR)} - {""}:
        word = join(folded(profession))
        concepts = {each for code in LANGUAGES for each in lexicon.find(word, code)}
        meant = (each.words.values() for each in concepts if each.kind in PROFESSIONS)
        texts = (text for words in meant for each in words for text in each)
        for synonym in {word, *(join(folded(text)) for text in texts)}:
            trades[synonym].add(profession)
    return {
        word: frozenset(trade)
        for word, trade in trades.items()
        if trade and len(word) >= SHORTEST_TRADE
    }
