"""Classify chunks into content categories, by the keywords of one published version.

A passage gets the category with the most keywords in it. Folded words and phrases count in full; in
Dutch and German a keyword counts half as the first or last part of a compound. Title and section
weigh more than the body. A passage without keywords, or with a tie, is general.

Chunks store their category for each set of keywords, by its key, so that a rollback to an earlier
version restores the categories too. A chunk without one is classified when a search finds it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import log
from typing import NamedTuple

from retrieval.analysis import LINKS
from retrieval.passage import GENERAL
from taxonomy.snapshot import Rows, SharedValue, Snapshot, digest_of_rows
from zol.text import words

ROWS = "retrieval.categorykeyword"
#: Letters of a key, and texts whose categories a process caches.
LETTERS, REMEMBERED = 12, 10_000
#: SQL: whether staff set the category of chunk `c` themselves.
IS_FIXED = "(c.category_fixed OR c.category_evidence ? 'override')"
#: SQL: the category of chunk `c` by a key; null if it has none yet.
CATEGORY = f"CASE WHEN {IS_FIXED} THEN c.category ELSE c.categories ->> %s::text END"


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


class CategoryClassifier:
    """The category keywords of one version, compiled once for many texts."""

    def __init__(self, rows: Rows) -> None:
        self.key = digest_of_rows(ROWS, rows)[:LETTERS]
        #: Returns the category of a text with its title and section, cached.
        self.category_of = lru_cache(REMEMBERED)(
            lambda text, title, section: self.classify(text, title=title, section=section).category
        )
        self._by_phrase: dict[tuple[str, ...], list[Keyword]] = defaultdict(list)
        self._lengths: dict[str, set[int]] = defaultdict(set)
        self._joining: dict[str, list[Keyword]] = defaultdict(list)
        for row in rows:
            keyword = Keyword(
                row["category"], row["language"], row["keyword"], float(row["weight"])
            )
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
        """Yield the keywords in a text, one per category, with their counts and weights."""
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
    """Return the heaviest keyword of each category, so that a word of two languages counts once."""
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


#: Shared by all versions and hospitals with the same keywords.
_known: SharedValue[Rows, CategoryClassifier] = SharedValue(CategoryClassifier)


def classifier_of(snapshot: Snapshot) -> CategoryClassifier:
    """Return a version's classifier; use it through `snapshot.derived`."""
    return _known.of(snapshot.rows_of(ROWS))
