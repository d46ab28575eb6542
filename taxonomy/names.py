"""Doctors by name, in all the ways in which people write one.

A name is looked up as its words joined, so that "Van Den Berg", "Vandenberg" and "van den berg" are
one. A surname alone is only a name when nothing else can be meant: many are ordinary words
("De Wit"), first names ("Martin") or short ("Vos"); those need a title, a first name or an initial
beside them, or words that announce a name: "een arts die Vos heet". Several doctors who fit equally
well are all returned.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rapidfuzz.distance import OSA
from rapidfuzz.process import extract

from taxonomy.announcing import Announced, Announcements
from taxonomy.kinds import Kind
from taxonomy.lexicon import Lexicon
from taxonomy.tokens import Token, folded, join, sound
from taxonomy.vocabulary import Thing, Vocabulary

#: A name of five words, such as "Jean-Luc Van de Put".
LONGEST = 5
#: Letters from which a surname alone, without anything beside it, is taken for one.
BARE_FROM = 6
FUZZY_FROM = 5
CUTOFF = 0.8
#: From this length on two letters may be wrong; below, one.
TWO_ERRORS_FROM = 9
HEARD_FROM = 8
#: Letters from which a surname may stand apart from the word for doctor: "mijn arts is Maes".
APART_FROM = 4
FULL, TITLED, BARE, HEARD, ALONE, STRANGER = 1.0, 0.95, 0.85, 0.8, 0.7, 0.6


@dataclass(frozen=True, slots=True)
class Found:
    """Doctors whom some words of a question name."""

    start: int
    end: int
    doctors: tuple[Thing, ...]
    confidence: float


@dataclass(frozen=True, slots=True)
class _Name:
    doctor: Thing
    first: str
    last: str
    heard: str


class NameIndex:
    """The names of all doctors of a version. Immutable once built."""

    def __init__(
        self, vocabulary: Vocabulary, lexicon: Lexicon, announcing: Iterable[str] = ()
    ) -> None:
        self._lexicon = lexicon
        names = [_name_of(doctor) for doctor in vocabulary.of_kind(Kind.DOCTOR)]
        self._full = _grouped((key, name) for name in names for key in _full_keys(name))
        self._last = _grouped((name.last, name) for name in names)
        self._last_sounds = _grouped((name.heard, name) for name in names)
        self._firsts = frozenset(name.first for name in names if name.first)
        self._buckets = _buckets(self._last)
        self._titles = _titles(vocabulary, lexicon)
        self._announcements = Announcements(announcing, self._titles)

    def is_title(self, word: str) -> bool:
        return word in self._titles

    def find(self, question: Sequence[Token]) -> tuple[Found, ...]:
        """Return whom a question names, in the order of its words."""
        words = [token.folded for token in question]
        announced = self._announcements.read(words)
        found: list[Found] = []
        start = 0
        while start < len(words):
            best = self._at(question, words, start, announced)
            if best is None:
                start += 1
                continue
            found.append(best)
            start = best.end
        return tuple(found)

    def _at(
        self, question: Sequence[Token], words: list[str], start: int, announced: Announced
    ) -> Found | None:
        after_title = start
        while after_title < len(words) and words[after_title] in self._titles:
            after_title += 1
        titled = after_title > start
        for size in range(min(LONGEST, len(words) - after_title), 0, -1):
            end = after_title + size
            key = join(words[after_title:end])
            if exact := self._full.get(key):
                return Found(start, end, _doctors(exact), FULL)
            if exact := self._last.get(key):
                beside = self._beside(question, words, start, after_title, end, exact)
                return beside or self._expected(question, start, end, exact, announced)
        if titled or start in announced.at:
            return self._misspelt(words, start, after_title)
        return self._misspelt_full(words, start) or self._heard(question, words, start)

    def _beside(
        self,
        question: Sequence[Token],
        words: list[str],
        start: int,
        at: int,
        end: int,
        named: tuple[_Name, ...],
    ) -> Found | None:
        """Narrow a surname down by what stands beside it, or leave it when nothing does."""
        before = words[at - 1] if at == start and at > 0 else ""
        after = words[end] if end < len(words) else ""
        for beside, grown in ((before, (at - 1, end)), (after, (start, end + 1))):
            if beside and (fitting := _by_first(named, beside)):
                return Found(*grown, _doctors(fitting), FULL if len(beside) > 1 else TITLED)
        if at > start:
            return Found(start, end, _doctors(named), TITLED)
        if before in self._firsts:
            return Found(at - 1, end, _doctors(named), STRANGER)
        key = join(words[at:end])
        if self._is_telling(question, at, end, key):
            return Found(start, end, _doctors(named), BARE)
        alone = end - at == len(words) and not self._lexicon.knows(key)
        return Found(start, end, _doctors(named), ALONE) if alone else None

    def _expected(
        self,
        question: Sequence[Token],
        start: int,
        end: int,
        named: tuple[_Name, ...],
        announced: Announced,
    ) -> Found | None:
        """Take words for a surname that nothing stands beside, where a doctor's is expected."""
        if not announced.a_doctor:
            return None
        if start in announced.at:
            return Found(start, end, _doctors(named), BARE)
        key = join(token.folded for token in question[start:end])
        is_capital = start > 0 and question[start].text[0].isupper()
        ordinary = len(key) < APART_FROM or key in self._firsts or self._lexicon.knows(key)
        return Found(start, end, _doctors(named), ALONE) if is_capital and not ordinary else None

    def _is_telling(self, question: Sequence[Token], at: int, end: int, key: str) -> bool:
        """Tell whether a surname can hardly be anything else."""
        if len(key) < BARE_FROM or key in self._firsts or self._lexicon.knows(key):
            return False
        if end - at == 1:
            return True
        last = question[end - 1]
        ordinary = self._lexicon.knows(last.folded) or len(last.folded) < BARE_FROM - 1
        return not ordinary or all(token.text[0].isupper() for token in question[at:end])

    def _misspelt(self, words: list[str], start: int, at: int) -> Found | None:
        """Find the surname that the words after a title come closest to."""
        best: tuple[float, int, tuple[_Name, ...]] = (0.0, 0, ())
        for size in range(min(LONGEST, len(words) - at), 0, -1):
            end = at + size
            for first, surname in _splits(words[at:end]):
                score, named = self._closest(surname)
                fitting = _by_first(named, first) if first else named
                if fitting and (score, size) > best[:2]:
                    best = (score, size, fitting)
        score, size, named = best
        return Found(start, at + size, _doctors(named), min(TITLED, score)) if named else None

    def _misspelt_full(self, words: list[str], start: int) -> Found | None:
        """Find a misspelt surname that stands after a first name that we know."""
        first = words[start]
        if first not in self._firsts:
            return None
        for size in range(min(LONGEST - 1, len(words) - start - 1), 0, -1):
            score, named = self._closest(words[start + 1 : start + 1 + size])
            if fitting := _by_first(named, first):
                return Found(start, start + 1 + size, _doctors(fitting), min(TITLED, score))
        return None

    def _heard(self, question: Sequence[Token], words: list[str], start: int) -> Found | None:
        """Find a long surname that is written as it sounds: "Van Den Bergh", "Παπαδόπουλος"."""
        for size in range(min(LONGEST - 1, len(words) - start), 0, -1):
            end = start + size
            alike = self._last_sounds.get(_heard(words[start:end]))
            key = join(words[start:end])
            if alike and len(key) >= HEARD_FROM and self._is_telling(question, start, end, key):
                return Found(start, end, _doctors(alike), HEARD)
        return None

    def _closest(self, words: Sequence[str]) -> tuple[float, tuple[_Name, ...]]:
        """Return the surnames that words sound like, else those they come closest to."""
        surname = join(words)
        if len(surname) < FUZZY_FROM or self._lexicon.knows(surname):
            return 0.0, ()
        if alike := self._last_sounds.get(_heard(words)):
            return TITLED, alike
        errors = 2 if len(surname) >= TWO_ERRORS_FROM else 1
        best = {
            known: OSA.normalized_similarity(surname, known)
            for length in range(len(surname) - errors, len(surname) + errors + 1)
            for known, _, _ in extract(
                surname, self._buckets.get((surname[0], length), ()), scorer=OSA.distance,
                score_cutoff=errors, processor=None, limit=None,
            )
        }  # fmt: skip
        top = max(best.values(), default=0.0)
        if top < CUTOFF:
            return 0.0, ()
        return top, tuple(
            n for known, score in best.items() if score == top for n in self._last[known]
        )


def _name_of(doctor: Thing) -> _Name:
    first, last = doctor.get("first_name"), doctor.get("last_name")
    if not last:
        *firsts, last = doctor.name.split()
        first = " ".join(firsts)
    words = folded(last)
    return _Name(doctor, join(folded(first)), join(words), _heard(words))


def _full_keys(name: _Name) -> tuple[str, ...]:
    return (name.first + name.last, name.last + name.first) if name.first else ()


def _grouped(pairs: Iterable[tuple[str, _Name]]) -> dict[str, tuple[_Name, ...]]:
    grouped: dict[str, dict[_Name, None]] = defaultdict(dict)
    for key, name in pairs:
        grouped[key].setdefault(name)
    return {key: tuple(names) for key, names in grouped.items()}


def _buckets(surnames: Iterable[str]) -> dict[tuple[str, int], tuple[str, ...]]:
    buckets: dict[tuple[str, int], list[str]] = defaultdict(list)
    for surname in surnames:
        buckets[surname[0], len(surname)].append(surname)
    return {place: tuple(found) for place, found in buckets.items()}


def _titles(vocabulary: Vocabulary, lexicon: Lexicon) -> frozenset[str]:
    """Return the words that announce a doctor: titles in use, and other words for them."""
    used = {word for d in vocabulary.of_kind(Kind.DOCTOR) for word in folded(d.get("title"))}
    concepts = {
        concept
        for concept in lexicon.concepts.values()
        if concept.kind == "person"
        and used & {join(folded(word)) for spoken in concept.words.values() for word in spoken}
    }
    called = {
        join(folded(word)) for c in concepts for spoken in c.words.values() for word in spoken
    }
    return frozenset(used | called)


def _by_first(named: Sequence[_Name], beside: str) -> tuple[_Name, ...]:
    """Return those whose first name, or its initial, stands beside the surname."""
    if len(beside) == 1:
        return tuple(name for name in named if name.first.startswith(beside))
    exact = tuple(name for name in named if name.first == beside)
    return exact or tuple(
        name for name in named if name.first and sound(name.first) == sound(beside)
    )


def _splits(words: Sequence[str]) -> tuple[tuple[str, Sequence[str]], ...]:
    """Return how words may divide into a first name or initial, and a surname."""
    whole = ("", words)
    return (whole, (words[0], words[1:])) if len(words) > 1 else (whole,)


def _heard(words: Iterable[str]) -> str:
    return join(sound(word) for word in words)


def _doctors(names: Sequence[_Name]) -> tuple[Thing, ...]:
    return tuple(dict.fromkeys(name.doctor for name in names))
