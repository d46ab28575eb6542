"""Lexicon: concepts and their words in eight languages.

Built once per published version from the rows of `taxonomy.lexiconconcept`. A word may stand for
several concepts, and a concept has several words.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from taxonomy.language.dictionary import is_foreign
from taxonomy.language.tokens import base, folded, join, root
from taxonomy.snapshot import SharedValue, Snapshot
from zol.languages import LANGUAGES

ROWS = "taxonomy.lexiconconcept"
FUNCTION = "function"
#: Cached look-ups of questions and phrases.
RECENT = 1_000
#: Maximum words of an expression.
LONGEST = 5
#: Minimum letters of a word found by its stem.
STEMMED_FROM = 4
#: Minimum letters of an expression whose words may each be inflected.
INFLECTED_FROM = 8
#: Languages with compounds that people also write apart ("bezoek uren"), and the minimum letters of
#: each half.
JOINING, HALF = frozenset({"nl", "de"}), 3


@dataclass(frozen=True, slots=True)
class Concept:
    """One meaning, with its words by language, the most usual first."""

    name: str
    kind: str
    words: Mapping[str, tuple[str, ...]] = field(compare=False, hash=False)

    def canonical(self, language: str) -> str:
        """Return the usual word in a language; empty if there is none."""
        known = self.words.get(language, ())
        return known[0] if known else ""


@dataclass(frozen=True, slots=True)
class Use:
    """A range of words that stands for concepts: `end` is exclusive."""

    start: int
    end: int
    concepts: tuple[Concept, ...]


def _table() -> defaultdict[str, dict[Any, list[Any]]]:
    return defaultdict(dict)


class Lexicon:
    """Index of concepts by their words. Immutable once built."""

    def __init__(self, rows: Iterable[Mapping[str, Any]] = ()) -> None:
        self.concepts = {str(row["concept"]): _concept(row) for row in rows}
        #: By language: concepts by word or joined expression, and by stem.
        self._exact, self._stems = _table(), _table()
        #: By language: concepts by multi-word expression; and by the roots of its words, each with
        #: the concepts of its function words.
        self._expressions, self._rooted = _table(), _table()
        self._first: dict[str, set[str]] = defaultdict(set)
        self._first_roots: dict[str, set[str]] = defaultdict(set)
        #: By language: function words, each with its concept.
        self._function_words: dict[str, dict[str, str]] = {code: {} for code in LANGUAGES}
        for concept in self.concepts.values():
            for language, texts in concept.words.items() if concept.kind == FUNCTION else ():
                single = (parts[0] for parts in map(folded, texts) if len(parts) == 1)
                self._function_words[language] |= dict.fromkeys(single, concept.name)
        self._stop = {code: frozenset(self._function_words[code]) for code in LANGUAGES}
        for concept in self.concepts.values():
            for language, texts in concept.words.items():
                for word in texts:
                    self._index(folded(word), language, concept)
        self._recent = lru_cache(maxsize=RECENT)(self._read)
        self._everywhere = frozenset().union(*self._exact.values())

    def __len__(self) -> int:
        return len(self.concepts)

    def find(self, word: str, language: str) -> tuple[Concept, ...]:
        """Return the concepts of a folded word (or joined words), as written or by its stem."""
        exact = self._exact.get(language, {}).get(word)
        if exact is None and len(word) >= STEMMED_FROM:
            exact = self._stems.get(language, {}).get(base(word, language))
        return tuple(exact or ())

    def written(self, word: str, language: str) -> tuple[Concept, ...]:
        """Return the concepts of a folded word as written, not by its stem."""
        return tuple(self._exact.get(language, {}).get(word, ()))

    def knows(self, word: str, language: str = "") -> bool:
        """Return whether the lexicon has a folded word in a language, or in any."""
        if not language:
            return word in self._everywhere
        return word in self._exact.get(language, {})

    def stop_words(self, language: str) -> frozenset[str]:
        return self._stop.get(language, frozenset())

    def languages_of(self, word: str) -> tuple[str, ...]:
        """Return the languages in which the lexicon has a folded word."""
        return tuple(code for code in LANGUAGES if self.knows(word, code))

    def read(self, words: Sequence[str], language: str) -> tuple[Use, ...]:
        """Return the concepts of folded words, in order, with the longest expressions preferred."""
        return self._recent(tuple(words), language)

    def concepts_in(self, words: Sequence[str], language: str) -> Iterator[Concept]:
        """Yield all concepts that folded words may stand for."""
        return (concept for use in self.read(words, language) for concept in use.concepts)

    def subjects_in(self, words: Sequence[str], language: str) -> frozenset[str]:
        """Return the names of the likeliest concepts of folded words, without function words."""
        likeliest = (use.concepts[0] for use in self.read(words, language))
        return frozenset(each.name for each in likeliest if each.kind != FUNCTION)

    def _read(self, words: tuple[str, ...], language: str) -> tuple[Use, ...]:
        found: list[Use] = []
        start = 0
        while start < len(words):
            use = self._longest_at(words, start, language)
            if use is None:
                start += 1
                continue
            found.append(use)
            start = use.end
        return tuple(found)

    def content_words(self, words: Sequence[str], language: str) -> tuple[str, ...]:
        """Return folded words without the stop words of a language."""
        stop = self.stop_words(language)
        return tuple(word for word in words if word not in stop)

    def translate(self, words: Sequence[str], language: str, to: str) -> tuple[str, ...]:
        """Translate the distinct content words of a question, in order.

        A word without translation, such as a name, is kept unless it is an ordinary word of the
        question's language, which pages in the other language cannot contain.
        """
        found: dict[str, None] = {}
        start = 0
        stop = self.stop_words(language)
        while start < len(words):
            use = self._longest_at(words, start, language)
            if use is None:
                word = words[start]
                if word not in stop and not is_foreign(word, to, asked_in=language):
                    found.setdefault(word)
                start += 1
                continue
            concept = use.concepts[0]
            if concept.kind != FUNCTION:
                found.setdefault(concept.canonical(to) or " ".join(words[use.start : use.end]))
            start = use.end
        return tuple(found)

    def _longest_at(self, words: Sequence[str], start: int, language: str) -> Use | None:
        """Return the longest expression that begins at a word, as written or inflected."""
        first = words[start]
        inflects = root(first, language) in self._first_roots.get(language, ())
        if inflects or first in self._first.get(language, ()):
            for end in range(min(len(words), start + LONGEST), start + 1, -1):
                parts = tuple(words[start:end])
                found = self._expressions.get(language, {}).get(parts)
                if not found and inflects:
                    found = self._inflected(parts, language)
                if found:
                    return Use(start, end, tuple(found))
        if written_apart := self._written_apart(words[start : start + 2], language):
            return Use(start, start + 2, written_apart)
        concepts = self.find(first, language)
        return Use(start, start + 1, concepts) if concepts else None

    def _written_apart(self, words: Sequence[str], language: str) -> tuple[Concept, ...]:
        """Return the concepts of a compound that is written as two words."""
        if language not in JOINING or len(words) < 2 or min(map(len, words)) < HALF:
            return ()
        return tuple(self._exact.get(language, {}).get(join(words), ()))

    def _inflected(self, parts: Sequence[str], language: str) -> list[Concept]:
        """Return the concepts of an inflected expression.

        Its function words must have the same concepts: "niets eten" (to fast) is not "niet eten".
        """
        rooted = tuple(root(part, language) for part in parts)
        known = self._rooted.get(language, {}).get(rooted, ())
        own = self._functions(parts, language) if known else ()
        return [
            concept
            for functions, concept in known
            if all(a == b for a, b in zip(functions, own, strict=True) if a and b)
        ]

    def _functions(self, parts: Sequence[str], language: str) -> tuple[str, ...]:
        return tuple(self._function_words[language].get(part, "") for part in parts)

    def _index(self, parts: tuple[str, ...], language: str, concept: Concept) -> None:
        key, is_content = join(parts), concept.kind != FUNCTION
        _add(self._exact[language], key, concept)
        if len(parts) > 1:
            self._first[language].add(parts[0])
            _add(self._expressions[language], parts, concept)
            if is_content and len(key) >= INFLECTED_FROM:
                rooted = tuple(root(part, language) for part in parts)
                self._first_roots[language].add(rooted[0])
                _add(self._rooted[language], rooted, (self._functions(parts, language), concept))
            return
        if is_content and len(key) >= STEMMED_FROM:
            _add(self._stems[language], base(key, language), concept)


def lexicon_of(snapshot: Snapshot) -> Lexicon:
    """Build a version's lexicon; call it through `snapshot.derived(lexicon_of)`."""
    return _lexicons.of(snapshot.rows_of(ROWS))


_lexicons = SharedValue(Lexicon)


def _concept(row: Mapping[str, Any]) -> Concept:
    words = {
        code: tuple(word.strip() for word in str(row.get(code) or "").split("|") if word.strip())
        for code in LANGUAGES
    }
    return Concept(str(row["concept"]), str(row["kind"]), words)


def _add(index: dict[Any, list[Any]], key: object, found: object) -> None:
    known = index.setdefault(key, [])
    if found not in known:
        known.append(found)
