"""Hyphens at line ends: distinguish a broken word from one that is spelt with a hyphen.

The document's spelling in other places decides, else the word frequencies of its language.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Literal

import taxonomy
from zol.languages import LANGUAGES
from zol.text import fold

SOFT = "\u00ad"
HYPHENS = f"\u2010\u2011{SOFT}-"
#: A word with hyphens in it, or with a suspended one at its end: "in- en uitgang".
_WRITTEN = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*-?")
_LAST = re.compile(rf"[\w{HYPHENS}]*\w$")
_BEGINS = re.compile(r"\w+")
_SUSPENDED = re.compile(r"([^\W\d_]+) \w+-\w")
_DASH = re.compile(r"\d[–—]$")
_WITHIN = re.compile(rf"(?<=\w){SOFT}(?=\w)")
#: Number of most frequent words of a language that count as function words.
FUNCTION = 100
#: Least frequency of a known word, and size from which a word list can rule out a spelling.
RARE, COMPLETE = 1e-7, 200_000
#: Least frequency of a joined spelling ("rendezvous"): as a share of the rarer part's, or absolute.
JOINED, COMMON = 0.02, 1e-6
#: Most letters of a line that are searched for its last word.
LONGEST = 80
#: Fewest letters of the second part by which a longer word is looked up.
FEWEST = 3
#: Languages that write compounds as one word.
ONE_WORD = ("nl", "de", "tr", "el")
LEXICON = Path(taxonomy.__file__).parent / "defaults" / "lexicon.csv"
VOWELS = frozenset("aeiouyαεηιουω")
#: The text between two parts of a word.
_Between = Literal["", "-", "- "]


class DocumentSpelling:
    """The spelling of one document, by its words and its language."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._lines = tuple(lines)
        self._counts: Counter[str] = Counter()
        self._language = ""

    def within(self, text: str) -> str:
        """Return a line with plain hyphens, without soft ones."""
        if SOFT in text:
            text = _WITHIN.sub(lambda found: self._soft(text, found.start()), text)
        return text.replace("\u2010", "-").replace("\u2011", "-")

    def is_one_word(self, one: str, other: str) -> bool:
        """Return whether two parts are one word of the document or its language."""
        word = (one + other).casefold()
        parts = min(self._frequency(one.casefold()), self._frequency(other.casefold()))
        return word in self._written() or self._frequency(word) >= max(RARE, JOINED * parts)

    def _soft(self, text: str, at: int) -> str:
        before = re.findall(r"\w+$", text[:at])[0]
        after = re.findall(r"^\w+", text[at + 1 :])[0]
        return "-" if self._between(before, after, is_soft=True) else ""

    def join(self, before: str, after: str) -> str:
        """Join two lines of a paragraph."""
        if _DASH.search(before) and after[:1].isdigit():
            return before + after
        ends, begins = _LAST.search(before[-LONGEST:-1]), _BEGINS.match(after)
        if not before.endswith(tuple(HYPHENS)) or not ends or not begins:
            return f"{before} {after}"
        if _is_suspended(before, after, self._detected_language()):
            return f"{before[:-1]}- {after}"
        first = re.sub(f"[{HYPHENS}]", "-", ends[0])
        is_soft = before.endswith(SOFT)
        return before[:-1] + self._between(first, begins[0], is_soft=is_soft) + after

    def _between(self, before: str, after: str, *, is_soft: bool) -> _Between:
        """Return the joint between two parts of a word, or two words."""
        last = before.rsplit("-", 1)[-1]
        if before[-1].isdigit() or after[0].isdigit():
            return "-"
        one, other = last.casefold(), after.casefold()
        is_known = self._frequency(one + other) >= RARE
        if other in _conjunctions(self._detected_language()) and (
            not is_known or not _can_break(one, other)
        ):
            return "- "
        is_written = before + after in self._written()
        if after[0].isupper() and not last.isupper() and not is_written:
            return "-"
        if (joint := self._as_written(before, after)) is not None:
            return joint
        if len(last) == 1 or (last.isupper() and not (after.isupper() and is_known)):
            return "-"
        return "" if is_soft or not self._is_compound(last, other) else "-"

    def _is_compound(self, one: str, other: str) -> bool:
        """Return whether two parts are hyphenated words rather than one broken word."""
        is_name = one[0].isupper()
        one = one.casefold()
        together = self._frequency(one + other)
        apart = min(self._frequency(one), self._frequency(other))
        if apart < RARE:
            return False
        language = self._detected_language()
        is_particle = language not in ONE_WORD and other in _function_words(language)
        if is_particle and together < RARE:
            return True
        if language not in ONE_WORD and len(_frequencies(language)) >= COMPLETE:
            return not is_name and together < min(COMMON, JOINED * apart)
        if is_particle:
            return False
        # "op-nameduur" is a broken word, because "opname" is known; "niet-invasief" is not.
        begun = (one + other[:length] for length in range(FEWEST, len(other) + 1))
        return one in _function_words(language) and not any(
            self._frequency(word) >= RARE for word in begun
        )

    def _frequency(self, word: str) -> float:
        return _frequencies(self._detected_language()).get(word, 0.0)

    def _as_written(self, before: str, after: str) -> _Between | None:
        written = self._written()
        one, other = before.casefold(), after.casefold()
        counts: dict[_Between, int] = {"": written[one + other], "-": written[f"{one}-{other}"]}
        # If the document has both spellings, the hyphen stays.
        joint: _Between = "-" if counts["-"] >= counts[""] else ""
        return joint if counts[joint] else None

    def _written(self) -> Counter[str]:
        """Return the counts of the document's words, as written and in lower case."""
        if not self._counts:
            found = Counter(word for line in self._lines for word in _WRITTEN.findall(line[:-1]))
            self._counts = found.copy()
            for word, count in found.items():
                if word != word.casefold():
                    self._counts[word.casefold()] += count
        return self._counts

    def _detected_language(self) -> str:
        if not self._language:
            words = Counter(
                word.casefold() for line in self._lines for word in _BEGINS.findall(line)
            )
            self._language = max(
                LANGUAGES, key=lambda code: sum(words[word] for word in _function_words(code))
            )
        return self._language


def _is_suspended(before: str, after: str, language: str) -> bool:
    """Return whether a hyphen is suspended: "two- to three-hour"."""
    found = _SUSPENDED.match(after)
    is_soft = before.endswith(SOFT)
    return found is not None and not is_soft and found[1].casefold() in _function_words(language)


def _can_break(one: str, other: str) -> bool:
    """Return whether a word may be hyphenated here: no consonant stays before a vowel
    ("har-ten")."""
    return fold(other[0]) not in VOWELS or fold(one[-1]) in VOWELS


@lru_cache(maxsize=2)
def _frequencies(language: str) -> dict[str, float]:
    # Importing it takes longer than reading most documents.
    import wordfreq  # noqa: PLC0415

    try:
        return dict(wordfreq.get_frequency_dict(language, "best"))
    finally:
        # Its own caches would keep every list.
        wordfreq.get_frequency_dict.cache_clear()
        wordfreq.get_frequency_list.cache_clear()


@lru_cache(maxsize=len(LANGUAGES))
def _function_words(language: str) -> frozenset[str]:
    import wordfreq  # noqa: PLC0415

    try:
        return frozenset(wordfreq.top_n_list(language, FUNCTION, "small"))
    finally:
        wordfreq.get_frequency_list.cache_clear()


@lru_cache(maxsize=len(LANGUAGES))
def _conjunctions(language: str) -> frozenset[str]:
    """Return the words for "and" and "or" from the default lexicon."""
    with LEXICON.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["concept"] in {"and", "or"}]
    return frozenset(word.casefold() for row in rows for word in row[language].split("|"))
