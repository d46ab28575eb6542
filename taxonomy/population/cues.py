"""Words by which pages say things, rows that staff edit; names of doctors found with them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from taxonomy.kinds import Kind, Predicate
from taxonomy.lexicon import Lexicon
from taxonomy.vocabulary import Vocabulary
from zol.text import fold, words


class Sort(StrEnum):
    """What words announce."""

    TITLE = "title"
    PARTICLE = "particle"
    NO_NAME = "no_name"
    UNIT = "unit"
    HANDLES = "handles"
    OFFERS = "offers"
    PERFORMS = "performs"
    WORKS_IN = "works_in"
    ALIAS = "alias"
    NOT = "not"


#: How a department is joined to what it is there for, and the words that say so.
PREDICATE_OF = {
    Kind.CONDITION: (Predicate.HANDLES, Sort.HANDLES),
    Kind.TREATMENT: (Predicate.OFFERS, Sort.OFFERS),
    Kind.EXAMINATION: (Predicate.PERFORMS, Sort.PERFORMS),
}
Phrase = tuple[str, ...]


class Cues:
    """All cues of a hospital, by what they announce. Immutable once built."""

    def __init__(self, rows: Iterable[Mapping[str, Any]] = ()) -> None:
        self._phrases: dict[tuple[Sort, str], set[Phrase]] = defaultdict(set)
        self._everywhere: dict[Sort, set[str]] = defaultdict(set)
        for row in rows:
            sort, phrase = Sort(row["sort"]), words(row["phrase"])
            if phrase:
                self._phrases[sort, row["language"]].add(phrase)
                self._everywhere[sort].update(phrase)

    def in_any_language(self, sort: Sort) -> frozenset[str]:
        """Return the single words of a sort: names and titles know no language."""
        return frozenset(self._everywhere[sort])

    def words_of(self, sort: Sort, language: str) -> frozenset[str]:
        """Return the words that the phrases of a sort consist of, in a language."""
        return frozenset(w for p in self._phrases.get((sort, language), ()) for w in p)

    def find(self, text: Sequence[str], sort: Sort, language: str) -> tuple[int, int] | None:
        """Return where the first cue of a sort stands among folded words."""
        phrases = self._phrases.get((sort, language), set())
        for start in range(len(text)):
            ends = [
                start + len(phrase)
                for phrase in phrases
                if tuple(text[start : start + len(phrase)]) == phrase
            ]
            if ends:
                return start, max(ends)
        return None


#: What ends a cell of a table or the name in a line.
_ENDS = re.compile(r"[|,;:()–—\n]| - ")
_WORD = re.compile(r"[^\s.]+\.?")
#: A first name and a surname at least; surnames of up to four words.
FEWEST, MOST = 2, 5
#: Concepts whose words may be a surname all the same: "Dr. Koen Winter", "Dr. Els De Groot".
MAY_BE_NAMES = frozenset({"function", "time", "place", "everyday", "practical", "money", "rights"})


@dataclass(frozen=True, slots=True)
class Person:
    title: str
    first: str
    last: str

    @property
    def name(self) -> str:
        return " ".join(filter(None, (self.title, self.first, self.last)))

    @property
    def identity(self) -> tuple[str, str]:
        return fold(self.first), fold(self.last)


class Persons:
    """Reads names; what the hospital or the language calls something else is none."""

    def __init__(self, cues: Cues, lexicon: Lexicon, vocabulary: Vocabulary) -> None:
        self._titles = cues.in_any_language(Sort.TITLE)
        self._particles = cues.in_any_language(Sort.PARTICLE)
        self._never = cues.in_any_language(Sort.NO_NAME) | cues.in_any_language(Sort.UNIT)
        self._lexicon = lexicon
        self._called = {
            fold(spelling)
            for thing in vocabulary.things
            if thing.kind not in (Kind.DOCTOR, Kind.CAMPUS, Kind.HOSPITAL)
            for spelling in (thing.name, *(alias.text for alias in thing.aliases))
        }

    def starts_with_title(self, line: str) -> bool:
        spoken = words(line[:40])
        return bool(spoken) and spoken[0] in self._titles

    def read(self, line: str, language: str) -> Person | None:
        """Return who is named at the start of a line, up to a comma or the end of its cell."""
        parts = _WORD.findall(_ENDS.split(line, maxsplit=1)[0].strip())
        at = 0
        while at < len(parts) and fold(parts[at]).rstrip(".") in self._titles:
            at += 1
        said, named = parts[:at], parts[at:]
        if not said or not FEWEST <= len(named) <= MOST or not self._is_name(named, language):
            return None
        return Person(" ".join(said), named[0], " ".join(named[1:]))

    def _is_name(self, named: list[str], language: str) -> bool:
        if not (_begins_a_name(named[0]) and _begins_a_name(named[-1])):
            return False
        if any(word[0].islower() and fold(word) not in self._particles for word in named):
            return False
        return not any(self._is_something_else(word, language) for word in named)

    def _is_something_else(self, word: str, language: str) -> bool:
        plain = fold(word).rstrip(".")
        if plain in self._never or plain in self._called or any(map(str.isdigit, plain)):
            return True
        concepts = self._lexicon.find(plain, language) if len(plain) > 1 else ()
        exact = self._lexicon.knows(plain, language)
        return exact and any(concept.kind not in MAY_BE_NAMES for concept in concepts)


def _begins_a_name(word: str) -> bool:
    """Tell a name or initial from an ordinary word and from a word in capitals."""
    return word[0].isupper() and (len(word.rstrip(".")) == 1 or not word.isupper())
