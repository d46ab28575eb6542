"""What a passage is about, by the words that staff listed for each category.

Whole words and phrases count in full, folded; in Dutch and German a keyword also counts, for half,
as the first or last part of a compound. The title and the section say more than the body. Without
a signal, or with two equal ones, a passage is general.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import log
from typing import Any, NamedTuple

from retrieval.analysis import LINKS
from retrieval.passage import GENERAL
from zol.text import words

#: How much more a keyword says in the title and in the section than in the body.
TITLE, SECTION, BODY = 3.0, 2.0, 1.0
#: What a keyword counts as a part of a compound.
PART = 0.5
#: Letters of a keyword that is looked for inside compounds, and of what may be left of one.
SHORTEST_PART, SHORTEST_REST = 5, 4
#: Less than this is no signal.
SIGNAL = 1.0


class Keyword(NamedTuple):
    category: str
    language: str
    text: str
    weight: float


@dataclass(frozen=True, slots=True)
class Verdict:
    """A category, and why."""

    category: str = GENERAL
    scores: Mapping[str, float] = field(default_factory=dict)
    #: By category: the keywords found with what each added, most first.
    matched: Mapping[str, tuple[tuple[str, float], ...]] = field(default_factory=dict)

    def evidence(self) -> dict[str, Any]:
        """Return the reasons as JSON carries them."""
        return {
            "scores": {name: round(score, 3) for name, score in self.scores.items()},
            "matched": {
                name: [[text, round(weight, 3)] for text, weight in found]
                for name, found in self.matched.items()
            },
        }


class Classifier:
    """The keywords of a hospital, prepared once for many texts."""

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
        #: The keywords that begin or end a compound.
        self._inside = lru_cache(maxsize=100_000)(self._joined_in)

    def classify(
        self, text: str, *, title: str = "", section: str = "", language: str = ""
    ) -> Verdict:
        """Return the category of a text; only keywords of its language count, if it is given."""
        gained: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
        for words_there, factor in ((title, TITLE), (section, SECTION), (text, BODY)):
            for keyword, count, share in self._found(words(words_there), language):
                gain = keyword.weight * factor * share * (1 + log(count))
                gained[keyword.category][keyword.text] += gain
        scores = {name: sum(found.values()) for name, found in gained.items()}
        ranked = sorted(scores.items(), key=lambda each: (-each[1], each[0]))
        matched = {
            name: tuple(sorted(gained[name].items(), key=lambda each: (-each[1], each[0])))
            for name, _ in ranked
        }
        return Verdict(_winner(ranked), dict(ranked), matched)

    def _found(self, found: Sequence[str], language: str) -> Iterator[tuple[Keyword, int, float]]:
        """Give each keyword once per category with how often it stands there and as what share."""
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
            for keyword in _per_category(self._by_phrase[phrase], language):
                yield keyword, count, 1.0
        for word, count in parts.items():
            for keyword in _per_category(self._inside(word), language):
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


def _per_category(keywords: Iterable[Keyword], language: str) -> Iterator[Keyword]:
    """Give the weightiest keyword of each category, so that a word of two languages counts once."""
    best: dict[str, Keyword] = {}
    for keyword in keywords:
        if language and keyword.language != language:
            continue
        known = best.get(keyword.category)
        if known is None or keyword.weight > known.weight:
            best[keyword.category] = keyword
    yield from best.values()


def _winner(ranked: Sequence[tuple[str, float]]) -> str:
    if not ranked or ranked[0][1] < SIGNAL:
        return GENERAL
    if len(ranked) > 1 and abs(ranked[0][1] - ranked[1][1]) < 1e-9:
        return GENERAL
    return ranked[0][0]
