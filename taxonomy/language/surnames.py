"""Surnames: how one is written, sounds and is misspelt, and what its bearer is addressed as."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from rapidfuzz.distance import OSA
from rapidfuzz.process import extract

from taxonomy.language.lexicon import Lexicon
from taxonomy.language.tokens import folded, join, sound
from taxonomy.vocabulary import Kind, Thing, Vocabulary

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


FUZZY_FROM = 5
CUTOFF = 0.8
#: From this length on two letters may be wrong; below, one.
TWO_ERRORS_FROM = 9
MOST_ERRORS = 2
#: How sure we are of what sounds alike.
ALIKE = 0.95

#: Words by how they begin and the length of what may be one of them misspelt.
ByLength = dict[tuple[str, int], tuple[str, ...]]
Named = Mapping[str, tuple[Name, ...]]


class Misspellings:
    """Surnames by how they are written and how they sound. Immutable once built."""

    def __init__(self, last: Named, sounds: Named, lexicon: Lexicon) -> None:
        self._last = last
        self._sounds = sounds
        self._lexicon = lexicon
        self._alike = by_length((word[:1], word) for word in last)

    def closest(
        self, words: Sequence[str], among: Collection[Name] | None = None
    ) -> tuple[float, tuple[Name, ...]]:
        """Return the surnames that words sound like, else those they come closest to.

        Among some of all doctors, fewer are compared.
        """
        surname = join(words)
        if len(surname) < FUZZY_FROM or self._lexicon.knows(surname):
            return 0.0, ()
        if alike := self._sounds.get(heard_as(words)):
            return ALIKE, alike
        if among is None:
            choices = self._alike.get((surname[0], len(surname)), ())
        else:
            choices = (*sorted({n.last for n in among if n.last[:1] == surname[0]}),)
        top, nearest = closest(surname, choices)
        return top, tuple(name for known in nearest for name in self._last[known])


def by_length(words: Iterable[tuple[str, str]]) -> ByLength:
    """Group words, each behind how it begins, by the length of what may be one of them misspelt."""
    grouped: dict[tuple[str, int], list[str]] = defaultdict(list)
    for begin, word in words:
        for length in range(len(word) - MOST_ERRORS, len(word) + MOST_ERRORS + 1):
            if abs(length - len(word)) <= _errors(length):
                grouped[begin, length].append(word)
    return {place: tuple(found) for place, found in grouped.items()}


def closest(word: str, choices: Sequence[str]) -> tuple[float, tuple[str, ...]]:
    """Return the choices that a word comes closest to, and how close (0 to 1); none if none is."""
    found = extract(
        word, choices, scorer=OSA.distance, score_cutoff=_errors(len(word)),
        processor=None, limit=None,
    ) if choices else ()  # fmt: skip
    best = {known: OSA.normalized_similarity(word, known) for known, _, _ in found}
    top = max(best.values(), default=0.0)
    if top < CUTOFF:
        return 0.0, ()
    return top, tuple(known for known, score in best.items() if score == top)


def _errors(length: int) -> int:
    return MOST_ERRORS if length >= TWO_ERRORS_FROM else 1
