"""The ways in which one doctor's surname is written, and what its bearer is addressed as."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from taxonomy.kinds import Kind
from taxonomy.lexicon import Lexicon
from taxonomy.tokens import folded, join, sound
from taxonomy.vocabulary import Thing, Vocabulary

#: Letters of a part of a surname that stands for all of it: "Khattabi" for "El Khattabi".
PART_FROM = 4
#: Letters of a title's part that is a word: the "dr" and "ssa" of "dr.ssa".
TITLE_FROM = 2
#: Concepts of the lexicon that announce a doctor, whatever titles a hospital writes.
TITLES = ("doctor", "professor")


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


def name_of(doctor: Thing) -> Name:
    first, last = doctor.get("first_name"), doctor.get("last_name")
    if not last:
        *firsts, last = doctor.name.split()
        first = " ".join(firsts)
    words = folded(last)
    *particles, core = words or ("",)
    return Name(
        doctor, join(folded(first)), join(words), heard_as(words),
        parts=tuple(word for word in words if len(word) >= PART_FROM) if particles else (),
        shortened=join([*(word[0] for word in particles), core]) if particles else "",
    )  # fmt: skip


def full_keys(name: Name) -> tuple[str, ...]:
    return (name.first + name.last, name.last + name.first) if name.first else ()


def last_keys(name: Name) -> tuple[str, ...]:
    return (name.last, name.shortened) if name.shortened else (name.last,)


def grouped(pairs: Iterable[tuple[str, Name]]) -> dict[str, tuple[Name, ...]]:
    groups: dict[str, dict[Name, None]] = defaultdict(dict)
    for key, name in pairs:
        groups[key].setdefault(name)
    return {key: tuple(names) for key, names in groups.items()}


def by_first(named: Sequence[Name], beside: str) -> tuple[Name, ...]:
    """Return those whose first name, or its initial, stands beside the surname."""
    if len(beside) == 1:
        return tuple(name for name in named if name.first.startswith(beside))
    exact = tuple(name for name in named if name.first == beside)
    return exact or tuple(
        name for name in named if name.first and sound(name.first) == sound(beside)
    )


def splits(words: Sequence[str]) -> tuple[tuple[str, Sequence[str]], ...]:
    """Return how words may divide into a first name or initial, and a surname."""
    whole = ("", words)
    return (whole, (words[0], words[1:])) if len(words) > 1 else (whole,)


def heard_as(words: Iterable[str]) -> str:
    return join(sound(word) for word in words)


def doctors_of(names: Iterable[Name]) -> tuple[Thing, ...]:
    return tuple(dict.fromkeys(name.doctor for name in names))


def titles_of(vocabulary: Vocabulary, lexicon: Lexicon) -> frozenset[str]:
    """Return the words that announce a doctor: titles in use, and other words for them."""
    used = {word for d in vocabulary.of_kind(Kind.DOCTOR) for word in folded(d.get("title"))}
    called = {
        concept.name: {word for spoken in concept.words.values() for word in _written(spoken)}
        for concept in lexicon.concepts.values()
        if concept.kind == "person"
    }
    meant = (words for name, words in called.items() if name in TITLES or used & words)
    return frozenset(used.union(*meant))


def _written(spoken: Iterable[str]) -> Iterable[str]:
    """Yield words as one, and the parts of one that is abbreviated."""
    for text in spoken:
        words = folded(text)
        yield join(words)
        if "." in text:
            yield from (word for word in words if len(word) >= TITLE_FROM)
