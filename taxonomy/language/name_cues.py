"""Cues that an ambiguous word is a person's name.

A question says that a doctor's name follows, "een arts die Vos heet", "soyadı Kaya"; or says what
its bearer does, in any word for it: "Claes cardio", "hoste, infectioloog".
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from taxonomy.language.lexicon import Lexicon
from taxonomy.language.tokens import beginnings, folded, join, keys_of
from taxonomy.vocabulary import Kind, Thing, Vocabulary
from zol.languages import LANGUAGES

#: Words between a name and what announces it, at most.
REACH = 2
#: Words of an announcement, at most.
LONGEST_PHRASE = 5
#: Letters from which a title may have an ending: "doktorumun".
ENDED_FROM = 5


@dataclass(frozen=True, slots=True)
class DoctorMention:
    """Whether a question mentions a doctor, and the words marked as a name."""

    a_doctor: bool = False
    at: frozenset[int] = frozenset()


class DoctorPhrases:
    """The phrases beside which names stand. Immutable once built."""

    def __init__(self, phrases: Iterable[str], titles: Iterable[str]) -> None:
        self._phrases = frozenset(folded(phrase) for phrase in phrases)
        self._titles = frozenset(titles)
        self._inflected = tuple(t for t in sorted(self._titles) if len(t) >= ENDED_FROM)

    def read(self, words: Sequence[str]) -> DoctorMention:
        """Return where a doctor's name may be expected; nowhere without a word for doctor."""
        if not any(self._is_doctor(word) for word in words):
            return DoctorMention()
        at: set[int] = set()
        for start, end in self._spoken(words):
            at.update(range(end, min(len(words), end + REACH)))
            at.update(range(max(0, start - REACH), start))
        return DoctorMention(a_doctor=True, at=frozenset(at))

    def _spoken(self, words: Sequence[str]) -> Iterable[tuple[int, int]]:
        for start in range(len(words)):
            for end in range(start + 1, min(len(words), start + LONGEST_PHRASE) + 1):
                if tuple(words[start:end]) in self._phrases:
                    yield start, end

    def _is_doctor(self, word: str) -> bool:
        return word in self._titles or word.startswith(self._inflected)


#: Words of a trade at most: "orthopedisch chirurg".
LONGEST_TRADE = 3
#: Words between a name and a trade, at most: "Claes van de cardiologie".
TRADE_GAP = 2
#: Letters of a word for a trade; shorter ones are too easily something else.
SHORTEST_TRADE = 3
#: Concepts of these kinds hold the professions.
KINDS = ("specialty", "person")

Trade = frozenset[str]
#: Where a trade is said: from one word up to another.
Said = tuple[int, int, Trade]


class Trades:
    """Words for departments and professions, and who does what. Immutable once built."""

    def __init__(self, vocabulary: Vocabulary, lexicon: Lexicon) -> None:
        trades: dict[str, set[str]] = defaultdict(set)
        for thing in (*vocabulary.of_kind(Kind.DEPARTMENT), *vocabulary.of_kind(Kind.SPECIALTY)):
            called = {thing.name, *(alias.text for alias in thing.aliases)}
            for department in vocabulary.departments_of(thing):
                for text in called:
                    trades[join(folded(text))].add(department.key)
        professions = {d.get("specialty") for d in vocabulary.of_kind(Kind.DOCTOR)} - {""}
        for profession in professions:
            for word in _in_all_words(join(folded(profession)), lexicon):
                trades[word].add(profession)
        self._trades = {
            word: frozenset(trade) for word, trade in trades.items() if len(word) >= SHORTEST_TRADE
        }
        self._begin = beginnings(self._trades)
        self._vocabulary = vocabulary

    def read(self, words: Sequence[str]) -> tuple[Said, ...]:
        """Return where folded words name what somebody does."""
        return tuple(
            (start, end, trade)
            for start in range(len(words))
            for end, word in keys_of(words[start : start + LONGEST_TRADE], start, self._begin)
            if (trade := self._trades.get(word))
        )

    def is_one_of(self, doctor: Thing, trade: Trade) -> bool:
        """Tell whether a doctor does what was named."""
        return any(key in trade for key in self.keys_of(doctor))

    def keys_of(self, doctor: Thing) -> tuple[str, ...]:
        """Return what a trade may consist of: a doctor's profession and departments."""
        departments = self._vocabulary.departments_of(doctor)
        return (doctor.get("specialty"), *(department.key for department in departments))


def beside(start: int, end: int, said: Iterable[Said], *, gap: int = TRADE_GAP) -> Iterator[Trade]:
    """Yield the trades that stand next to some words, or nearly."""
    for first, last, trade in said:
        if 0 <= first - end <= gap or 0 <= start - last <= gap:
            yield trade


def _in_all_words(profession: str, lexicon: Lexicon) -> set[str]:
    concepts = {
        concept
        for language in LANGUAGES
        for concept in lexicon.find(profession, language)
        if concept.kind in KINDS
    }
    spoken = (text for concept in concepts for words in concept.words.values() for text in words)
    return {profession, *(join(folded(text)) for text in spoken)}
