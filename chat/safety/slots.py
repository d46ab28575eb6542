"""Words that fill a slot, and rules that say which slots together mean something.

"{chest} {pain}" is one rule for every way to say that a chest hurts, in every language: rows tell
which words fill the slot `chest`. A word of a row that ends with * stands for every word that
begins so, and a first word that begins with * for every word that ends so: "*statin*" is any word
with "statin" in it, as all medicines of one family have. Words of a language combine only among
themselves.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from operator import itemgetter

from taxonomy.tokens import Token, folded, normalise, tokens

#: Words that may stand between two words of one phrase.
GAP = 2
#: Words from the first to the last of what a rule needs.
SPAN = 25
#: Words whose phrases a book remembers.
REMEMBERED = 8_192
#: Shortest beginning that may stand for a word.
SHORTEST = 2
#: Shortest part that may stand for all words that hold it.
SHORTEST_PART = 3
#: The language of words that all languages have.
EVERY = "any"
#: Any number.
NUMBER = "number"
#: "18kg" is read as "18 kg".
_GLUED = re.compile(r"\b(\d+)([^\W\d_]+)")
_SLOT = re.compile(r"\{(\w+)\}")
_BREAK = re.compile(r"[,.;:!?\n]")

Pattern = tuple[tuple[str, bool], ...]
#: A phrase, its slot and its language.
Row = tuple[Pattern, str, str]


@dataclass(frozen=True, slots=True)
class SlotMatch:
    """Words that fill a slot: from which word up to which."""

    slot: str
    language: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Text:
    """A text as words, with where one stretch of it ends and another begins."""

    words: tuple[str, ...]
    #: For every word: how many commas, stops and other breaks stand before it.
    stretch: tuple[int, ...]

    def __add__(self, other: Text) -> Text:
        offset = self.stretch[-1] + 1 if self.stretch else 0
        return Text(self.words + other.words, (*self.stretch, *(n + offset for n in other.stretch)))


def read(text: str) -> Text:
    """Return a text as folded words, with its breaks."""
    text = _GLUED.sub(r"\1 \2", normalise(text))
    found = tokens(text)
    return Text(tuple(word.folded for word in found), tuple(_stretches(text, found)))


def _stretches(text: str, words: Sequence[Token]) -> Iterator[int]:
    number, end = 0, 0
    for word in words:
        number += bool(_BREAK.search(text, end, word.start))
        end = word.end
        yield number


def pattern(phrase: str) -> Pattern:
    """Return the words of a row, each with whether others may begin with it."""
    return tuple(
        (word, piece.endswith("*") and at == len(parts) - 1)
        for piece in phrase.split()
        for parts in (folded(piece),)
        for at, word in enumerate(parts)
    )


class Rows:
    """The phrases that begin with one word, by the word that has to follow within `GAP`."""

    __slots__ = ("_anyway", "_by_next", "_rows")

    def __init__(self, rows: Sequence[Row]) -> None:
        self._rows = rows
        #: Places of phrases of one word, or whose second one is only the beginning of a word.
        self._anyway: list[int] = []
        self._by_next: dict[str, list[int]] = {}
        for place, (phrase, _slot, _language) in enumerate(rows):
            follows, is_open = phrase[1] if len(phrase) > 1 else ("", True)
            known = self._anyway if is_open else self._by_next.setdefault(follows, [])
            known.append(place)

    def going_on_with(self, words: Sequence[str], at: int) -> Iterator[Row]:
        """Yield, in their order, the phrases that may go on with the words from a place on."""
        near = self._by_next.keys() & words[at : at + GAP + 1] if self._by_next else ()
        if not near:
            yield from (self._rows[place] for place in self._anyway)
            return
        places = sorted([*self._anyway, *chain.from_iterable(self._by_next[each] for each in near)])
        yield from (self._rows[place] for place in places)


#: Of the many words that begin no phrase.
NO_ROWS = Rows(())


class SlotBook:
    """All phrases of all slots. Immutable once built."""

    def __init__(
        self,
        rows: Iterable[tuple[str, str, str]],
        unskipped: Mapping[str, frozenset[str]] | None = None,
    ) -> None:
        """Take slot, language and phrase, and the words that change a phrase they stand in."""
        self._unskipped = unskipped or {}
        self._exact: dict[str, list[Row]] = defaultdict(list)
        self._begins: dict[str, list[Row]] = defaultdict(list)
        self._contained: dict[str, list[Row]] = defaultdict(list)
        for slot, language, phrase in rows:
            if words := pattern(phrase):
                first, is_open = words[0]
                known = self._begins if is_open else self._exact
                if phrase.lstrip().startswith("*"):
                    if len(first) < SHORTEST_PART:
                        continue
                    known = self._contained
                known[first].append((words, slot, language))
        self._containing = _any_of(self._contained)
        # Most words of a question are words of other questions.
        self._rows_for = lru_cache(maxsize=REMEMBERED)(self._rows_of)

    def find(self, words: Sequence[str]) -> list[SlotMatch]:
        """Return every slot that is filled, in the order of the words."""
        found = (
            SlotMatch(slot, language, start, end)
            for start, word in enumerate(words)
            for phrase, slot, language in self._rows_for(word).going_on_with(words, start + 1)
            if (end := _end(words, start, phrase, self._unskipped.get(language, frozenset())))
        )
        return list(dict.fromkeys(found))

    def _rows_of(self, word: str) -> Rows:
        found = self._beginning(word)
        return Rows(found) if found else NO_ROWS

    def _beginning(self, word: str) -> tuple[Row, ...]:
        """Return the phrases whose first word this is, or may be."""
        found = list(self._exact.get(word, ()))
        for length in range(SHORTEST, len(word) + 1):
            found += self._begins.get(word[:length], ())
        if self._containing and self._containing.search(word):
            for part, phrases in self._contained.items():
                if part in word:
                    is_end = word.endswith(part)
                    found += (row for row in phrases if is_end or row[0][0][1])
        return tuple(found)


def _any_of(parts: Iterable[str]) -> re.Pattern[str] | None:
    """Return what finds any of some parts of words, which is faster than looking for each."""
    said = "|".join(map(re.escape, parts))
    return re.compile(said) if said else None


def numbers(words: Sequence[str]) -> Iterator[SlotMatch]:
    """Yield the numbers, in any language."""
    for at, word in enumerate(words):
        if is_number(word):
            yield SlotMatch(NUMBER, EVERY, at, at + 1)


def is_number(word: str) -> bool:
    return word.isascii() and word.isdigit()


def _end(words: Sequence[str], start: int, phrase: Pattern, unskipped: frozenset[str]) -> int:
    """Return where a phrase that begins here ends; 0 when it is not all there."""
    at = start + 1
    for wanted, is_open in phrase[1:]:
        for reach in range(at, min(len(words), at + GAP + 1)):
            if words[reach] == wanted or (is_open and words[reach].startswith(wanted)):
                at = reach + 1
                break
            if words[reach] in unskipped:
                return 0
        else:
            return 0
    return at


@dataclass(frozen=True, slots=True)
class Rule:
    """Slots that together mean something."""

    kind: str
    slots: tuple[str, ...]


def rule(kind: str, text: str) -> Rule:
    return Rule(kind, tuple(_SLOT.findall(text)))


class Rules:
    """Rules in their order, found by what fills them. Immutable once built."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        self._by_slot: dict[str, list[tuple[int, Rule]]] = defaultdict(list)
        for place, one in enumerate(rules):
            self._by_slot[one.slots[0] if one.slots else ""].append((place, one))

    def filled_by(self, said: Collection[str]) -> list[Rule]:
        """Return the rules all of whose slots are filled."""
        found = [
            (place, one)
            for slot in ("", *said)
            for place, one in self._by_slot.get(slot, ())
            if all(each in said for each in one.slots)
        ]
        return [one for _place, one in sorted(found, key=itemgetter(0))]


def holding(
    rules: Rules, found: Iterable[SlotMatch], *, span: int = SPAN
) -> Iterator[tuple[Rule, tuple[SlotMatch, ...]]]:
    """Yield every rule whose slots are filled by different words near each other."""
    by_language: dict[str, dict[str, list[SlotMatch]]] = defaultdict(lambda: defaultdict(list))
    for filled in found:
        by_language[filled.language][filled.slot].append(filled)
    everywhere = by_language.pop(EVERY, {})
    for own in by_language.values() or ({},):
        said = {
            slot: [*own.get(slot, ()), *everywhere.get(slot, ())] for slot in {**own, **everywhere}
        }
        for one in rules.filled_by(said):
            for together in _together(one.slots, said, (), span):
                yield one, together


def _together(
    slots: Sequence[str],
    said: Mapping[str, Sequence[SlotMatch]],
    so_far: tuple[SlotMatch, ...],
    span: int,
) -> Iterator[tuple[SlotMatch, ...]]:
    if not slots:
        yield so_far
        return
    for filled in said[slots[0]]:
        if all(_is_beside(filled, other, span) for other in so_far):
            yield from _together(slots[1:], said, (*so_far, filled), span)


def _is_beside(one: SlotMatch, other: SlotMatch, span: int) -> bool:
    apart = one.end <= other.start or other.end <= one.start
    return apart and max(one.end, other.end) - min(one.start, other.start) <= span
