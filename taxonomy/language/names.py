"""Doctors by name, in all the ways in which people write one.

A name is looked up as its words joined, so that "Van Den Berg", "Vandenberg" and "van den berg" are
one. A surname alone is only a name when nothing else can be meant: many are ordinary words
("De Wit"), first names ("Martin") or short ("Vos"); those need a title, a first name or an initial
beside them, what the person does ("vos dermatoloog"), or words that announce a name: "een arts die
Vos heet". Several doctors who fit equally well are all returned.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from taxonomy.language.dictionary import has
from taxonomy.language.lexicon import Lexicon
from taxonomy.language.name_cues import (
    TRADE_GAP,
    DoctorMention,
    DoctorPhrases,
    Said,
    Trades,
    beside,
)
from taxonomy.language.surnames import (
    Misspellings,
    Name,
    by_first,
    doctors_of,
    full_keys,
    grouped,
    last_keys,
    name_of,
    splits,
    titles_of,
)
from taxonomy.language.tokens import Token, beginnings, join, keys_of, sound
from taxonomy.vocabulary import Kind, Thing, Vocabulary
from zol.languages import LANGUAGES

#: A name of five words, such as "Jean-Luc Van de Put".
LONGEST = 5
#: Letters from which a surname alone, without anything beside it, is taken for one.
BARE_FROM = 6
HEARD_FROM = 8
#: Letters of a first name that may stand alone behind a title: "dokter Loubna".
FIRST_FROM = 3
#: Letters from which a surname may stand apart from the word for doctor: "mijn arts is Maes".
APART_FROM = 4
FULL, TITLED, BARE, HEARD, ALONE, STRANGER = 1.0, 0.95, 0.85, 0.8, 0.7, 0.6


@dataclass(frozen=True, slots=True)
class NamedDoctors:
    """Doctors whom some words of a question name."""

    start: int
    end: int
    doctors: tuple[Thing, ...]
    confidence: float


@dataclass(frozen=True, slots=True)
class _NameQuestion:
    """A question, and what it says of people besides their names."""

    tokens: Sequence[Token]
    words: list[str]
    announced: DoctorMention
    trades: tuple[Said, ...]

    def word(self, at: int) -> str:
        return self.words[at] if 0 <= at < len(self.words) else ""

    def has_capital(self, at: int) -> bool:
        return self.tokens[at].text[0].isupper()


class NameIndex:
    """The names of all doctors of a version. Immutable once built."""

    def __init__(
        self, vocabulary: Vocabulary, lexicon: Lexicon, announcing: Iterable[str] = ()
    ) -> None:
        self._lexicon = lexicon
        names = [name_of(doctor) for doctor in vocabulary.of_kind(Kind.DOCTOR)]
        self._full = grouped((key, name) for name in names for key in full_keys(name))
        self._last = grouped((key, name) for name in names for key in last_keys(name))
        self._parts = grouped((part, name) for name in names for part in name.parts)
        self._sounds = grouped((name.heard, name) for name in names)
        self._firsts = grouped((name.first, name) for name in names if name.first)
        self._misspellings = Misspellings(self._last, self._sounds, lexicon)
        self._titles = titles_of(vocabulary, lexicon)
        self._begin = beginnings([*self._full, *self._last])
        self._begin_heard = beginnings(self._sounds)
        self._trades = Trades(vocabulary, lexicon)
        self._at_key = grouped(
            (key, name) for name in names for key in self._trades.keys_of(name.doctor)
        )
        self._announcements = DoctorPhrases(announcing, self._titles)

    def find(self, question: Sequence[Token]) -> tuple[NamedDoctors, ...]:
        """Return whom a question names, in the order of its words."""
        words = [token.folded for token in question]
        announced, trades = self._announcements.read(words), self._trades.read(words)
        asked = _NameQuestion(question, words, announced, trades)
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

    def _at(self, asked: _NameQuestion, start: int) -> NamedDoctors | None:
        at = start
        while asked.word(at) in self._titles:
            at += 1
        for end, key in reversed([*keys_of(asked.words[at : at + LONGEST], at, self._begin)]):
            if exact := self._full.get(key):
                return NamedDoctors(start, end, doctors_of(exact), FULL)
            if exact := self._last.get(key):
                return self._surname(asked, start, at, end, exact)
        if at > start:
            return (
                self._part(asked.words, start, at)
                or self._misspelt(asked.words, start, at)
                or self._first_name(asked, start, at)
            )
        if start in asked.announced.at:
            return self._misspelt(asked.words, start, at)
        return (
            self._misspelt_full(asked.words, start)
            or self._heard(asked, start)
            or self._misspelt_at_work(asked, start)
        )

    def _surname(
        self, asked: _NameQuestion, start: int, at: int, end: int, named: tuple[Name, ...]
    ) -> NamedDoctors | None:
        """Take a surname for a doctor's when something says so; all of its bearers, else."""
        found = self._beside(asked, start, at, end, named)
        if found or at > start:
            return found or NamedDoctors(start, end, doctors_of(named), TITLED)
        if asked.word(at - 1) in self._firsts:
            return NamedDoctors(at - 1, end, doctors_of(named), STRANGER)
        key = join(asked.words[at:end])
        if self._is_telling(asked, at, end, key):
            return NamedDoctors(start, end, doctors_of(named), BARE)
        if end - at == len(asked.words) and not self._lexicon.knows(key):
            return NamedDoctors(start, end, doctors_of(named), ALONE)
        return self._expected(asked, start, end, named) or self._at_work(asked, start, end, named)

    def _beside(
        self, asked: _NameQuestion, start: int, at: int, end: int, named: tuple[Name, ...]
    ) -> NamedDoctors | None:
        """Narrow a surname down by the first name or initial that stands beside it."""
        before = asked.word(at - 1) if at == start else ""
        after = asked.word(end)
        for first, grown in ((before, (at - 1, end)), (after, (start, end + 1))):
            if first and (fitting := by_first(named, first)):
                return NamedDoctors(*grown, doctors_of(fitting), FULL if len(first) > 1 else TITLED)
        return None

    def _expected(
        self, asked: _NameQuestion, start: int, end: int, named: tuple[Name, ...]
    ) -> NamedDoctors | None:
        """Take words for a surname that nothing stands beside, where a doctor's is expected."""
        if not asked.announced.a_doctor:
            return None
        if start in asked.announced.at:
            return NamedDoctors(start, end, doctors_of(named), BARE)
        is_capital = start > 0 and asked.has_capital(start)
        ordinary = self._is_ordinary(join(asked.words[start:end]))
        return (
            NamedDoctors(start, end, doctors_of(named), ALONE)
            if is_capital and not ordinary
            else None
        )

    def _is_ordinary(self, key: str) -> bool:
        return len(key) < APART_FROM or key in self._firsts or self._lexicon.knows(key)

    def _at_work(
        self,
        asked: _NameQuestion,
        start: int,
        end: int,
        named: Iterable[Name],
        *,
        gap: int = TRADE_GAP,
    ) -> NamedDoctors | None:
        """Take words for the surname of those who do what stands beside it: "hoste, huidarts"."""
        if self._is_ordinary(join(asked.words[start:end])):
            return None
        said = [*beside(start, end, asked.trades, gap=gap)]
        meant = [n for n in named if any(self._trades.is_one_of(n.doctor, t) for t in said)]
        return NamedDoctors(start, end, doctors_of(meant), BARE) if meant else None

    def _is_telling(self, asked: _NameQuestion, at: int, end: int, key: str) -> bool:
        """Tell whether a surname can hardly be anything else."""
        if len(key) < BARE_FROM or key in self._firsts or self._lexicon.knows(key):
            return False
        if end - at == 1:
            return True
        last = asked.words[end - 1]
        ordinary = self._lexicon.knows(last) or len(last) < BARE_FROM - 1
        return not ordinary or all(asked.has_capital(place) for place in range(at, end))

    def _part(self, words: list[str], start: int, at: int) -> NamedDoctors | None:
        """Find a surname of several words by one of them, behind a title: "prof Khattabi"."""
        for first, place in (("", at), (words[at] if at < len(words) else "", at + 1)):
            part = words[place] if place < len(words) else ""
            named = () if self._lexicon.knows(part) else self._parts.get(part, ())
            if fitting := by_first(named, first) if first else named:
                return NamedDoctors(start, place + 1, doctors_of(fitting), HEARD)
        return None

    def _first_name(self, asked: _NameQuestion, start: int, at: int) -> NamedDoctors | None:
        """Find those whose first name follows a title, and no surname: "dokter Loubna"."""
        for end in range(min(at + 2, len(asked.words)), at, -1):
            first = join(asked.words[at:end])
            if len(first) < FIRST_FROM or self._lexicon.knows(first):
                continue
            if (named := self._firsts.get(first)) and self._is_no_name(asked.word(end)):
                return NamedDoctors(start, end, doctors_of(named), ALONE)
        return None

    def _is_no_name(self, word: str) -> bool:
        return not word or any(self._lexicon.find(word, language) for language in LANGUAGES)

    def _misspelt(self, words: list[str], start: int, at: int) -> NamedDoctors | None:
        """Find the surname that the words after a title come closest to."""
        best: tuple[float, int, tuple[Name, ...]] = (0.0, 0, ())
        for size in range(min(LONGEST, len(words) - at), 0, -1):
            end = at + size
            for first, surname in splits(words[at:end]):
                score, named = self._misspellings.closest(surname)
                fitting = by_first(named, first) if first else named
                if fitting and (score, size) > best[:2]:
                    best = (score, size, fitting)
        score, size, named = best
        if not named:
            return None
        return NamedDoctors(start, at + size, doctors_of(named), min(TITLED, score))

    def _misspelt_full(self, words: list[str], start: int) -> NamedDoctors | None:
        """Find a misspelt surname that stands after a first name that we know."""
        first = words[start]
        if first not in self._firsts:
            return None
        for size in range(min(LONGEST - 1, len(words) - start - 1), 0, -1):
            score, named = self._misspellings.closest(words[start + 1 : start + 1 + size])
            if fitting := by_first(named, first):
                end = start + 1 + size
                return NamedDoctors(start, end, doctors_of(fitting), min(TITLED, score))
        return None

    def _misspelt_at_work(self, asked: _NameQuestion, start: int) -> NamedDoctors | None:
        """Find half a surname, or a misspelt one, beside what its bearer does: "Amrani cardio"."""
        word = asked.words[start]
        said = [*beside(start, start + 1, asked.trades, gap=0)]
        if not said:
            return None
        if has(word) and not (start > 0 and asked.has_capital(start)):
            return None
        if self._is_no_name(word):
            return None
        named, score = self._parts.get(word, ()), HEARD
        if not named:
            colleagues = {n for trade in said for key in trade for n in self._at_key.get(key, ())}
            score, named = self._misspellings.closest([word], colleagues)
        found = self._at_work(asked, start, start + 1, named, gap=0)
        return replace(found, confidence=min(BARE, score)) if found else None

    def _heard(self, asked: _NameQuestion, start: int) -> NamedDoctors | None:
        """Find a long surname that is written as it sounds: "Van Den Bergh", "Παπαδόπουλος"."""
        heard = (sound(word) for word in asked.words[start : start + LONGEST - 1])
        for end, said in reversed([*keys_of(heard, start, self._begin_heard)]):
            alike = self._sounds.get(said)
            key = join(asked.words[start:end]) if alike else ""
            if alike and len(key) >= HEARD_FROM and self._is_telling(asked, start, end, key):
                return NamedDoctors(start, end, doctors_of(alike), HEARD)
        return None
