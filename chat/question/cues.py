"""Words and phrases that give something away about a question: rows that staff edit."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from chat.safety.phrases import PhraseBook, PhraseMatch
from taxonomy.snapshot import SharedValue, Snapshot
from taxonomy.tokens import folded, root

ROWS = "chat.cue"
TOPIC, LIST, FOLLOWUP, CONNECTIVE = "topic", "list", "followup", "connective"
GREETINGS = ("greeting", "thanks", "goodbye")
#: Targets of follow-up phrases that are about doctors who were just told: some of them, "van hen",
#: or the one, "zijn nummer".
SOME, ONE = "some", "one"
#: What asks for a human, and who or what it is that answers.
PERSONAL = ("person", "identity")
OTHER_HOSPITAL, OFFTOPIC = "other_hospital_marker", "offtopic"
#: What an everyday cue is: an order that opens or ends a question, "speel"; or one to look
#: something up, "vind", which a visitor may give a hospital as well. All others name a matter.
ORDER, LOOK_UP = "order", "look_up"
#: Names of hospitals are the same in every language.
EVERYWHERE = frozenset({OTHER_HOSPITAL})
#: Words between those of an everyday request, at most: "boek een goed restaurant".
GAP = 2
#: Shorter words are compared as they are written, longer ones whatever their ending.
ROOTS_FROM = 5
#: Kinds that this reader looks for; other kinds belong to the safety checks.
READ = frozenset({TOPIC, LIST, FOLLOWUP, CONNECTIVE, OTHER_HOSPITAL, *GREETINGS, *PERSONAL})
#: Kind, target, weight and text.
Meaning = tuple[str, str, float, str]


@dataclass(frozen=True, slots=True)
class Cue:
    """A phrase that occurs in a question, from which word up to which."""

    kind: str
    target: str
    text: str
    weight: float
    start: int
    end: int

    def holds(self, other: Cue) -> bool:
        """Tell whether this is longer than another and has its words."""
        is_longer = self.end - self.start > other.end - other.start
        return is_longer and self.start <= other.start and other.end <= self.end


@dataclass(frozen=True, slots=True)
class CueMatches:
    """All cues of a question."""

    cues: tuple[Cue, ...] = ()

    def of(self, *kinds: str) -> tuple[Cue, ...]:
        return tuple(cue for cue in self.cues if cue.kind in kinds)

    def weights(self, kind: str) -> dict[str, float]:
        """Return for each target what its cues weigh together, each phrase once."""
        phrases = {(cue.target, cue.text): cue.weight for cue in self.of(kind)}
        weights: dict[str, float] = defaultdict(float)
        for (target, _), weight in phrases.items():
            weights[target] += weight
        return dict(weights)

    def covers(self, start: int, end: int, kind: str) -> bool:
        """Tell whether words are a part of a cue of some kind."""
        return any(cue.start <= start and end <= cue.end for cue in self.of(kind))

    def without(self, kind: str) -> CueMatches:
        """Return the cues that are no part of a cue of some kind."""
        return CueMatches(tuple(c for c in self.cues if not self.covers(c.start, c.end, kind)))

    def weight(self, *kinds: str) -> float:
        """Return the weight of the strongest cue of some kinds."""
        return max((cue.weight for cue in self.of(*kinds)), default=0.0)


class CueBook:
    """The cues of all languages. Immutable once built."""

    def __init__(self, rows: Iterable[Mapping[str, Any]] = ()) -> None:
        phrases: dict[str, list[tuple[str, Meaning]]] = defaultdict(list)
        everyday: dict[str, list[tuple[str, Meaning]]] = defaultdict(list)
        orders: dict[str, list[tuple[str, Meaning]]] = defaultdict(list)
        for row in rows:
            kind, language, text = str(row["kind"]), str(row["language"]), str(row["text"])
            meaning = (kind, str(row["target"]), float(row["weight"]), text)
            if kind == OFFTOPIC and meaning[1] in (ORDER, LOOK_UP):
                orders[language].append((text, meaning))
            elif kind == OFFTOPIC:
                everyday[language].append((" ".join(_rooted(folded(text), language)), meaning))
            elif kind in READ:
                phrases["" if kind in EVERYWHERE else language].append((text, meaning))
        self._books = {language: PhraseBook(found) for language, found in phrases.items()}
        self._orders = {language: PhraseBook(found) for language, found in orders.items()}
        self._everyday = {code: PhraseBook(found, gap=GAP) for code, found in everyday.items()}

    def read(self, words: Sequence[str], *languages: str, page: str = "") -> CueMatches:
        """Return the cues in folded words; a phrase within a longer one does not count again.

        Everyday requests are listened for in the language of the `page` as well: a title in English
        hides the language that the rest is in.
        """
        spoken = list(dict.fromkeys(languages))
        heard = [code for code in dict.fromkeys((*spoken, page)) if code]
        found = [
            _cue(phrase)
            for language in ("", *spoken)
            if language in self._books
            for phrase in self._books[language].find(words)
        ]
        found += [
            _cue(phrase)
            for language in heard
            if language in self._everyday
            for phrase in self._everyday[language].find(_rooted(words, language))
        ]
        found += [
            _cue(phrase)
            for language in heard
            if language in self._orders
            for phrase in self._orders[language].find(words)
            if _orders(phrase, len(words))
        ]
        return CueMatches(
            tuple(cue for cue in found if not any(_holds(other, cue) for other in found))
        )


def cue_book_of(snapshot: Snapshot) -> CueBook:
    """Return a version's cues; use it through `snapshot.derived(cue_book_of)`."""
    return _cue_books.of(snapshot.rows_of(ROWS))


_cue_books = SharedValue(CueBook)


def _cue(spoken: PhraseMatch[Meaning]) -> Cue:
    kind, target, weight, text = spoken.meaning
    return Cue(kind, target, text, weight, spoken.start, spoken.end)


def _orders(spoken: PhraseMatch[Meaning], size: int) -> bool:
    """Tell whether words order something: "find me a bar" does, "where do I find the lift" asks."""
    return spoken.meaning[1] != LOOK_UP or spoken.start == 0 or spoken.end == size


def _rooted(words: Sequence[str], language: str) -> tuple[str, ...]:
    return tuple(root(word, language) if len(word) >= ROOTS_FROM else word for word in words)


def _holds(other: Cue, cue: Cue) -> bool:
    return (other.kind, other.target) == (cue.kind, cue.target) and other.holds(cue)
