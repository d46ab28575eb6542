"""Recognition of doctors' names in questions.

Names are compared as joined words, so that "Van Den Berg", "Vandenberg" and "van den berg" are the
same. Many surnames are ordinary words ("De Wit"), first names ("Martin") or short ("Vos"). Such a
surname counts only next to a title, a first name, an initial or a profession ("vos dermatoloog"),
or near a phrase that introduces a name: "een arts die Vos heet". All doctors who fit equally well
are returned.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from taxonomy.language.dictionary import has
from taxonomy.language.lexicon import Lexicon
from taxonomy.language.surnames import Name, by_first, name_of, sound_of, titles_of, trades_of
from taxonomy.language.tokens import (
    FUZZY_FROM,
    Token,
    closest,
    folded,
    grouped,
    join,
    joined,
    sound,
)
from taxonomy.vocabulary import Kind, Thing, Vocabulary
from zol.languages import LANGUAGES

#: Maximum words of a name, as in "Jean-Luc Van de Put".
LONGEST = 5
#: Minimum letters of a surname that stands alone, as written and by sound.
BARE_FROM = 6
BY_SOUND_FROM = 8
#: Minimum letters of a first name alone after a title: "dokter Loubna".
FIRST_FROM = 3
#: Minimum letters of a surname at a distance from the word for doctor: "mijn arts is Maes".
APART_FROM = 4
#: Minimum letters of a title that may have an ending: "doktorumun".
ENDED_FROM = 5
#: Maximum words between a name and the phrase that introduces it, and of that phrase.
REACH, LONGEST_PHRASE = 2, 5
#: Maximum words of a profession ("orthopedisch chirurg"), and between it and a name ("Claes van de
#: cardiologie").
LONGEST_TRADE, TRADE_GAP = 3, 2
#: Confidence in a full name, a surname after a title, one that sounds alike, one alone, one that
#: only sounds alike, one with weak evidence, and one after the first name of another doctor.
FULL, TITLED, ALIKE, BARE, BY_SOUND, ALONE, STRANGER = 1.0, 0.95, 0.95, 0.85, 0.8, 0.7, 0.6

Names = tuple[Name, ...]


@dataclass(frozen=True, slots=True)
class NamedDoctors:
    """The doctors that a range of words names."""

    start: int
    end: int
    doctors: tuple[Thing, ...]
    confidence: float


def _found(start: int, end: int, names: Iterable[Name], confidence: float) -> NamedDoctors:
    doctors = tuple(dict.fromkeys(name.doctor for name in names))
    return NamedDoctors(start, end, doctors, confidence)


@dataclass(frozen=True, slots=True)
class _NameQuestion:
    """A question with its evidence for names."""

    tokens: Sequence[Token]
    words: list[str]
    #: Positions near a phrase that introduces a name; None without a word for doctor.
    announced: frozenset[int] | None
    #: Start, end and meaning of each profession or department.
    trades: tuple[tuple[int, int, frozenset[str]], ...]

    def word(self, at: int) -> str:
        return self.words[at] if 0 <= at < len(self.words) else ""

    def has_capital(self, at: int) -> bool:
        return self.tokens[at].text[0].isupper()

    def trades_beside(self, start: int, end: int, gap: int) -> frozenset[str]:
        """Return the meanings of professions within a gap of some words."""
        near = (
            trade
            for first, last, trade in self.trades
            if 0 <= first - end <= gap or 0 <= start - last <= gap
        )
        return frozenset().union(*near)


class NameIndex:
    """Index of all doctors' names of a version. Immutable once built."""

    def __init__(
        self, vocabulary: Vocabulary, lexicon: Lexicon, announcing: Iterable[str] = ()
    ) -> None:
        self._lexicon = lexicon
        names = [name_of(doctor, vocabulary) for doctor in vocabulary.of_kind(Kind.DOCTOR)]
        self._full = grouped(
            (key, n) for n in names if n.first for key in (n.first + n.last, n.last + n.first)
        )
        self._last = grouped((key, n) for n in names for key in filter(None, (n.last, n.shortened)))
        self._parts = grouped((part, name) for name in names for part in name.parts)
        self._sounds = grouped((name.sound, name) for name in names)
        self._firsts = grouped((name.first, name) for name in names if name.first)
        self._at_work = grouped((key, name) for name in names for key in name.work)
        self._by_letter = grouped((word[:1], word) for word in self._last)
        self._trades = trades_of(vocabulary, lexicon)
        self._titles = titles_of(vocabulary, lexicon)
        self._inflected = tuple(title for title in self._titles if len(title) >= ENDED_FROM)
        self._announcing = frozenset(folded(phrase) for phrase in announcing)

    def find(self, question: Sequence[Token]) -> tuple[NamedDoctors, ...]:
        """Return the doctors that a question names, in order."""
        words = [token.folded for token in question]
        asked = _NameQuestion(question, words, self._announced(words), (*self._trades_in(words),))
        found: list[NamedDoctors] = []
        start = 0
        while start < len(words):
            best = self._at(asked, start)
            if best is None:
                start += 1
                continue
            found.append(best)
            start = best.end
        return tuple(found)

    def _announced(self, words: list[str]) -> frozenset[int] | None:
        if not any(word in self._titles or word.startswith(self._inflected) for word in words):
            return None
        ranges = (
            (start, end)
            for start in range(len(words))
            for end in range(start + 1, min(len(words), start + LONGEST_PHRASE) + 1)
            if tuple(words[start:end]) in self._announcing
        )
        near = ((*range(start - REACH, start), *range(end, end + REACH)) for start, end in ranges)
        return frozenset(at for places in near for at in places)

    def _trades_in(self, words: list[str]) -> Iterator[tuple[int, int, frozenset[str]]]:
        for start in range(len(words)):
            for size, word in joined(words[start : start + LONGEST_TRADE]):
                if trade := self._trades.get(word):
                    yield start, start + size, trade

    def _at(self, asked: _NameQuestion, start: int) -> NamedDoctors | None:
        at = start
        while asked.word(at) in self._titles:
            at += 1
        for size, key in reversed([*joined(asked.words[at : at + LONGEST])]):
            if exact := self._full.get(key):
                return _found(start, at + size, exact, FULL)
            if exact := self._last.get(key):
                return self._surname(asked, start, at, at + size, exact)
        if at > start:
            return (
                self._part(asked, start, at)
                or self._misspelt(asked.words, start, at)
                or self._first_name(asked, start, at)
            )
        if start in (asked.announced or ()):
            return self._misspelt(asked.words, start, at)
        is_first = asked.words[start] in self._firsts
        return (
            (self._misspelt(asked.words, start, start, has_first=True) if is_first else None)
            or self._by_sound(asked, start)
            or self._misspelt_at_work(asked, start)
        )

    def _surname(
        self, asked: _NameQuestion, start: int, at: int, end: int, named: Names
    ) -> NamedDoctors | None:
        """Return the doctors with a surname, if the words next to it support that it is a name."""
        before = asked.word(at - 1) if at == start else ""
        for first, grown in ((before, (at - 1, end)), (asked.word(end), (start, end + 1))):
            if first and (fitting := by_first(named, first)):
                return _found(*grown, fitting, FULL if len(first) > 1 else TITLED)
        if at > start:
            return _found(start, end, named, TITLED)
        if asked.word(at - 1) in self._firsts:
            return _found(at - 1, end, named, STRANGER)
        if sure := self._alone(asked, start, end):
            return _found(start, end, named, sure)
        return self._beside_work(asked, start, end, named, TRADE_GAP)

    def _alone(self, asked: _NameQuestion, start: int, end: int) -> float:
        """Return the confidence that words without evidence next to them are a surname."""
        key, announced = join(asked.words[start:end]), asked.announced
        if self._is_distinctive(asked, start, end, key):
            return BARE
        if end - start == len(asked.words) and not self._lexicon.knows(key):
            return ALONE
        if announced is None or start in announced:
            return 0.0 if announced is None else BARE
        is_name = start > 0 and asked.has_capital(start) and not self._is_ordinary(key)
        return ALONE if is_name else 0.0

    def _is_ordinary(self, key: str) -> bool:
        return len(key) < APART_FROM or key in self._firsts or self._lexicon.knows(key)

    def _beside_work(
        self, asked: _NameQuestion, start: int, end: int, named: Iterable[Name], gap: int
    ) -> NamedDoctors | None:
        """Return the doctors whose profession stands next to their surname: "hoste, huidarts"."""
        if self._is_ordinary(join(asked.words[start:end])):
            return None
        trades = asked.trades_beside(start, end, gap)
        meant = [name for name in named if not trades.isdisjoint(name.work)]
        return _found(start, end, meant, BARE) if meant else None

    def _is_distinctive(self, asked: _NameQuestion, at: int, end: int, key: str) -> bool:
        """Return whether a surname is hardly anything but a name."""
        if len(key) < BARE_FROM or key in self._firsts or self._lexicon.knows(key):
            return False
        last = asked.words[end - 1]
        is_ordinary = self._lexicon.knows(last) or len(last) < BARE_FROM - 1
        is_written = all(asked.has_capital(place) for place in range(at, end))
        return end - at == 1 or not is_ordinary or is_written

    def _part(self, asked: _NameQuestion, start: int, at: int) -> NamedDoctors | None:
        """Find a multi-word surname by one of its words after a title: "prof Khattabi"."""
        for first, place in (("", at), (asked.word(at), at + 1)):
            part = asked.word(place)
            named = () if self._lexicon.knows(part) else self._parts.get(part, ())
            if fitting := by_first(named, first) if first else named:
                return _found(start, place + 1, fitting, BY_SOUND)
        return None

    def _first_name(self, asked: _NameQuestion, start: int, at: int) -> NamedDoctors | None:
        """Find doctors by a first name after a title: "dokter Loubna"."""
        for end in range(min(at + 2, len(asked.words)), at, -1):
            first = join(asked.words[at:end])
            if len(first) < FIRST_FROM or self._lexicon.knows(first):
                continue
            if (named := self._firsts.get(first)) and self._is_no_name(asked.word(end)):
                return _found(start, end, named, ALONE)
        return None

    def _is_no_name(self, word: str) -> bool:
        return not word or any(self._lexicon.find(word, language) for language in LANGUAGES)

    def _misspelt(
        self, words: list[str], start: int, at: int, *, has_first: bool = False
    ) -> NamedDoctors | None:
        """Find the closest surname from a word on, after a first name or initial if it has one."""
        best: tuple[float, int, Names] = (0.0, 0, ())
        for size in range(min(LONGEST, len(words) - at), 0, -1):
            name = words[at : at + size]
            splits = [] if has_first else [("", name)]
            for first, surname in (*splits, (name[0], name[1:])):
                score, named = self._closest(surname)
                fitting = by_first(named, first) if first else named
                if fitting and (score, size) > best[:2]:
                    best = (score, size, fitting)
        score, size, named = best
        return _found(start, at + size, named, min(TITLED, score)) if named else None

    def _misspelt_at_work(self, asked: _NameQuestion, start: int) -> NamedDoctors | None:
        """Find a partial or misspelt surname next to the doctor's profession: "Amrani cardio"."""
        word = asked.words[start]
        trades = asked.trades_beside(start, start + 1, 0)
        is_word = has(word) and not (start > 0 and asked.has_capital(start))
        if not trades or is_word or self._is_no_name(word):
            return None
        named, score = self._parts.get(word, ()), BY_SOUND
        if not named:
            colleagues = {name for key in trades for name in self._at_work.get(key, ())}
            score, named = self._closest([word], colleagues)
        found = self._beside_work(asked, start, start + 1, named, 0)
        return replace(found, confidence=min(BARE, score)) if found else None

    def _closest(
        self, words: Sequence[str], among: Collection[Name] | None = None
    ) -> tuple[float, Names]:
        """Return the names with the sound of these words, or else the closest names."""
        surname = join(words)
        if len(surname) < FUZZY_FROM or self._lexicon.knows(surname):
            return 0.0, ()
        if alike := self._sounds.get(sound_of(words)):
            return ALIKE, alike
        if among is None:
            choices = self._by_letter.get(surname[0], ())
        else:
            choices = (*sorted({n.last for n in among if n.last[:1] == surname[0]}),)
        top, nearest = closest(surname, choices)
        return top, tuple(name for known in nearest for name in self._last[known])

    def _by_sound(self, asked: _NameQuestion, start: int) -> NamedDoctors | None:
        """Find a long surname that is spelled by sound: "Van Den Bergh", "Παπαδόπουλος"."""
        words = asked.words[start : start + LONGEST - 1]
        for size, sounds in reversed([*joined(map(sound, words))]):
            names, key, end = self._sounds.get(sounds), join(words[:size]), start + size
            if names and len(key) >= BY_SOUND_FROM and self._is_distinctive(asked, start, end, key):
                return _found(start, end, names, BY_SOUND)
        return None
