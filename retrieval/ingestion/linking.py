"""Classify pieces of documents, link the names in them, and flag pages that address an assistant.

A passage gets the category whose keywords it contains. Whole words and phrases count in full,
folded; in Dutch and German a keyword also counts half as the first or last part of a compound. The
title and the section weigh more than the body. Without a match, or with a tie, a passage is
general. The reader process imports this module: no framework and no models.
"""

from __future__ import annotations

import json
import logging
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import log
from typing import Any, NamedTuple

import regex
from lxml import etree, html

from retrieval.analysis import LINKS
from retrieval.passage import GENERAL
from zol.text import fold, words

logger = logging.getLogger(__name__)

#: Weights of keywords in the title and the section; the body counts 1.
TITLE, SECTION, BODY = 3.0, 2.0, 1.0
#: Weight of a keyword that is part of a compound.
PART = 0.5
#: Shortest keyword matched inside compounds, and shortest rest of one.
SHORTEST_PART, SHORTEST_REST = 5, 4
#: Least total score for a category.
SIGNAL = 1.0


class Keyword(NamedTuple):
    category: str
    language: str
    text: str
    weight: float


@dataclass(frozen=True, slots=True)
class CategoryVerdict:
    """A category with its evidence."""

    category: str = GENERAL
    scores: Mapping[str, float] = field(default_factory=dict)
    #: By category: matched keywords with their scores, highest first.
    matched: Mapping[str, tuple[tuple[str, float], ...]] = field(default_factory=dict)

    def evidence(self) -> dict[str, Any]:
        """Return the reasons as plain values for JSON."""
        return {
            "scores": {name: round(score, 3) for name, score in self.scores.items()},
            "matched": {
                name: [[text, round(weight, 3)] for text, weight in found]
                for name, found in self.matched.items()
            },
        }


class CategoryClassifier:
    """The category keywords of a hospital, compiled once for many texts."""

    def __init__(self, keywords: Iterable[Keyword]) -> None:
        self._by_phrase: dict[tuple[str, ...], list[Keyword]] = defaultdict(list)
        self._lengths: dict[str, set[int]] = defaultdict(set)
        self._joining: dict[str, list[Keyword]] = defaultdict(list)
        for keyword in keywords:
            phrase = words(keyword.text)
            if not phrase:
                continue
            self._by_phrase[phrase].append(keyword)
            self._lengths[phrase[0]].add(len(phrase))
            if len(phrase) == 1 and len(phrase[0]) >= SHORTEST_PART and keyword.language in LINKS:
                self._joining[phrase[0]].append(keyword)
        #: Keywords matched at the ends of compounds.
        self._inside = lru_cache(maxsize=100_000)(self._joined_in)

    def classify(self, text: str, *, title: str = "", section: str = "") -> CategoryVerdict:
        """Return the category of a text."""
        gained: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
        for words_there, factor in ((title, TITLE), (section, SECTION), (text, BODY)):
            for keyword, count, share in self._found(words(words_there)):
                gain = keyword.weight * factor * share * (1 + log(count))
                gained[keyword.category][keyword.text] += gain
        scores = {name: sum(found.values()) for name, found in gained.items()}
        ranked = sorted(scores.items(), key=lambda each: (-each[1], each[0]))
        matched = {
            name: tuple(sorted(gained[name].items(), key=lambda each: (-each[1], each[0])))
            for name, _ in ranked
        }
        return CategoryVerdict(_winner(ranked), dict(ranked), matched)

    def _found(self, found: Sequence[str]) -> Iterator[tuple[Keyword, int, float]]:
        """Yield each keyword once for each category, with its count and weight."""
        whole: Counter[tuple[str, ...]] = Counter()
        parts: Counter[str] = Counter()
        for start, word in enumerate(found):
            phrases = [
                tuple(found[start : start + length]) for length in self._lengths.get(word, ())
            ]
            known = [phrase for phrase in phrases if phrase in self._by_phrase]
            whole.update(known)
            if (word,) not in known:
                parts[word] += 1
        for phrase, count in whole.items():
            for keyword in _per_category(self._by_phrase[phrase]):
                yield keyword, count, 1.0
        for word, count in parts.items():
            for keyword in _per_category(self._inside(word)):
                yield keyword, count, PART

    def _joined_in(self, word: str) -> tuple[Keyword, ...]:
        is_long = len(word) >= SHORTEST_PART + SHORTEST_REST
        return tuple(self._parts_of(word)) if is_long else ()

    def _parts_of(self, word: str) -> Iterator[Keyword]:
        for cut in range(SHORTEST_REST, len(word) - SHORTEST_REST + 1):
            yield from self._joining.get(word[cut:], ())
            head = word[:cut]
            yield from self._joining.get(head, ())
            for keyword_language, links in LINKS.items():
                for link in filter(None, links):
                    for keyword in self._joining.get(head.removesuffix(link), ()):
                        if head.endswith(link) and keyword.language == keyword_language:
                            yield keyword


def _per_category(keywords: Iterable[Keyword]) -> Iterable[Keyword]:
    """Return the heaviest keyword of each category: a word of two languages counts once."""
    best: dict[str, Keyword] = {}
    for keyword in keywords:
        if keyword.weight > best.get(keyword.category, Keyword("", "", "", 0.0)).weight:
            best[keyword.category] = keyword
    return best.values()


def _winner(ranked: Sequence[tuple[str, float]]) -> str:
    if not ranked or ranked[0][1] < SIGNAL:
        return GENERAL
    if len(ranked) > 1 and abs(ranked[0][1] - ranked[1][1]) < 1e-9:
        return GENERAL
    return ranked[0][0]


#: Time limit in seconds per pattern and page: staff may write one that backtracks endlessly.
LONGEST_SEARCH = 1.0


def compiled(patterns: Iterable[str]) -> tuple[Any, ...]:
    """Compile the patterns; log invalid ones."""
    found = []
    for pattern in patterns:
        try:
            found.append(regex.compile(pattern))
        except regex.error as error:
            logger.warning("The attack pattern %r cannot be used: %s", pattern, error)
    return tuple(found)


def addresses_assistant(text: str, patterns: Iterable[Any]) -> bool:
    """Return whether a text contains instructions to an assistant."""
    folded = fold(text)
    return any(_is_in(folded, pattern) for pattern in patterns)


def _is_in(folded: str, pattern: Any) -> bool:
    try:
        return pattern.search(folded, timeout=LONGEST_SEARCH) is not None
    except TimeoutError:
        logger.warning("The attack pattern %r takes too long and is left out", pattern.pattern)
        return False


def everything_in(data: bytes, media_type: str) -> str:
    """Return all text of a web page, with hidden parts, comments and attributes."""
    if media_type != "text/html" or not data.strip():
        return ""
    try:
        tree = html.fromstring(data)
    except (etree.LxmlError, ValueError):
        return ""
    pieces = []
    for element in tree.iter():
        pieces += [element.text or "", element.tail or ""]
        if isinstance(element.tag, str):
            pieces += [element.get(name, "") for name in ("alt", "title", "content", "aria-label")]
    return " ".join(" ".join(pieces).split())


#: Longest name in words.
LONGEST = 5
#: Shortest name in letters; shorter abbreviations are also ordinary words.
SHORTEST = 3


class EntitySpellings:
    """The spellings of a hospital's entities, compiled once for many texts."""

    def __init__(self, spellings: Iterable[tuple[str, str]]) -> None:
        """Take pairs of a spelling and its kind."""
        self._kinds: dict[tuple[str, ...], set[str]] = defaultdict(set)
        self._lengths: dict[str, set[int]] = defaultdict(set)
        for text, kind in spellings:
            found = words(text)
            if 0 < len(found) <= LONGEST and sum(map(len, found)) >= SHORTEST:
                self._kinds[found].add(kind)
                self._lengths[found[0]].add(len(found))

    def kinds_in(self, text: str) -> tuple[str, ...]:
        """Return the kinds of the entities named in a text, sorted."""
        found = words(text)
        kinds: set[str] = set()
        for start, word in enumerate(found):
            for length in self._lengths.get(word, ()):
                kinds |= self._kinds.get(found[start : start + length], set())
        return tuple(sorted(kinds))


@dataclass(frozen=True, slots=True)
class IngestionKnowledge:
    names: EntitySpellings
    patterns: tuple[Any, ...]


@lru_cache(maxsize=1)
def understood(written: str) -> IngestionKnowledge:
    """Return what `knowledge` serialised, compiled once for many texts."""
    spellings, patterns = json.loads(written)
    return IngestionKnowledge(EntitySpellings(spellings), compiled(patterns))
