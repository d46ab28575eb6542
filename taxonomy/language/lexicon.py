"""Lexicon: concepts and their words in eight languages.

Built once per published version from the rows of `taxonomy.lexiconconcept`; looking a word up is
one dictionary access. A word may stand for several concepts, and a concept for several words.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from taxonomy.language.dictionary import says_nothing_in
from taxonomy.language.tokens import base, folded, join, root
from taxonomy.publishing.snapshot import SharedValue, Snapshot
from zol.languages import LANGUAGES

ROWS = "taxonomy.lexiconconcept"
FUNCTION = "function"
#: Words that are remembered with what they stand for.
REMEMBERED = 30_000
#: Questions, and phrases of them, of which a process remembers what they stand for.
RECENT = 1_000
#: Words of an expression at most.
LONGEST = 5
#: Shorter words are too easily another word's stem.
STEMMED_FROM = 4
#: Letters of an expression of several words from which each of them may be inflected.
INFLECTED_FROM = 8
#: Languages that write two words as one, which many write apart: "hoe lang", "bezoek uren"; and
#: the letters of each.
JOINING, HALF = frozenset({"nl", "de"}), 3


@dataclass(frozen=True, slots=True)
class Concept:
    """One thing that people speak of, and its words by language, the usual one first."""

    name: str
    kind: str
    words: Mapping[str, tuple[str, ...]] = field(compare=False, hash=False)

    def canonical(self, language: str) -> str:
        """Return the usual word in a language; empty when that has none."""
        known = self.words.get(language, ())
        return known[0] if known else ""


@dataclass(frozen=True, slots=True)
class Use:
    """Words of a text that stand for a concept: from one position up to another."""

    start: int
    end: int
    concepts: tuple[Concept, ...]


def _table() -> defaultdict[str, dict[Any, list[Any]]]:
    return defaultdict(dict)


class Lexicon:
    """All concepts, found by their words. Immutable once built."""

    def __init__(self, rows: Iterable[Mapping[str, Any]] = ()) -> None:
        self.concepts = {str(row["concept"]): _concept(row) for row in rows}
        #: By language, concepts by a word as it is written, by its stem, by one word for who writes
        #: it as two, by an expression, and by an inflected one: behind what those of its words
        #: stand for that only join others.
        self._exact, self._stems, self._whole = _table(), _table(), _table()
        self._expressions, self._rooted = _table(), _table()
        self._first: dict[str, set[str]] = defaultdict(set)
        self._first_roots: dict[str, set[str]] = defaultdict(set)
        #: By language, the words that only join others, each with what it stands for.
        self._joining: dict[str, dict[str, str]] = {code: {} for code in LANGUAGES}
        for concept in self.concepts.values():
            for language, spoken in concept.words.items() if concept.kind == FUNCTION else ():
                single = (parts[0] for parts in map(folded, spoken) if len(parts) == 1)
                self._joining[language] |= dict.fromkeys(single, concept.name)
        self._stop = {code: frozenset(self._joining[code]) for code in LANGUAGES}
        for concept in self.concepts.values():
            for language, spoken in concept.words.items():
                for word in spoken:
                    self._index(folded(word), language, concept)
        #: Most words come again: in examples, and in questions.
        self._met = lru_cache(maxsize=REMEMBERED)(self._meet)
        # A question is read by many hands in one turn.
        self._recent = lru_cache(maxsize=RECENT)(self._read)
        self._everywhere = frozenset().union(*self._exact.values())

    def __len__(self) -> int:
        return len(self.concepts)

    def find(self, word: str, language: str) -> tuple[Concept, ...]:
        """Return the concepts that a folded word (or words, joined) stands for in a language."""
        exact = self._exact.get(language, {}).get(word)
        if exact is None and len(word) >= STEMMED_FROM:
            exact = self._stems.get(language, {}).get(base(word, language))
        return tuple(exact or ())

    def written(self, word: str, language: str) -> tuple[Concept, ...]:
        """Return the concepts that a folded word stands for as it is written."""
        return tuple(self._exact.get(language, {}).get(word, ()))

    def knows(self, word: str, language: str = "") -> bool:
        """Tell whether a folded word is an ordinary word of a language, or of any."""
        if not language:
            return word in self._everywhere
        return word in self._exact.get(language, {})

    def stop_words(self, language: str) -> frozenset[str]:
        return self._stop.get(language, frozenset())

    def languages_of(self, word: str) -> tuple[str, ...]:
        """Return the languages in which a folded word exists."""
        return tuple(code for code in LANGUAGES if self.knows(word, code))

    def read(self, words: Sequence[str], language: str) -> tuple[Use, ...]:
        """Return what folded words stand for, the longest expressions first chosen, in order."""
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
        """Return the content words of a question in another language, in order, each once.

        What has no translation stays as it was written, as a name does, unless it is an ordinary
        word of its language: the pages cannot hold that.
        """
        said: dict[str, None] = {}
        start = 0
        stop = self.stop_words(language)
        while start < len(words):
            use = self._longest_at(words, start, language)
            if use is None:
                if words[start] not in stop and not says_nothing_in(
                    words[start], to, asked_in=language
                ):
                    said.setdefault(words[start])
                start += 1
                continue
            concept = use.concepts[0]
            if concept.kind != FUNCTION:
                said.setdefault(concept.canonical(to) or " ".join(words[use.start : use.end]))
            start = use.end
        return tuple(said)

    def _longest_at(self, words: Sequence[str], start: int, language: str) -> Use | None:
        """Return the longest expression that begins here, as written or else inflected."""
        begins, inflects, concepts = self._met(words[start], language)
        if begins or inflects:
            for end in range(min(len(words), start + LONGEST), start + 1, -1):
                parts = tuple(words[start:end])
                found = self._expressions.get(language, {}).get(parts)
                if not found and inflects:
                    found = self._inflected(parts, language)
                if found:
                    return Use(start, end, tuple(found))
        if written_apart := self._written_apart(words[start : start + 2], language):
            return Use(start, start + 2, written_apart)
        return Use(start, start + 1, concepts) if concepts else None

    def _written_apart(self, words: Sequence[str], language: str) -> tuple[Concept, ...]:
        """Return what two words stand for that are one in the languages that join words."""
        if language not in JOINING or len(words) < 2 or min(map(len, words)) < HALF:
            return ()
        return tuple(self._whole.get(language, {}).get(join(words), ()))

    def _inflected(self, parts: Sequence[str], language: str) -> list[Concept]:
        """Return what an inflected expression stands for; of two words that only join others, each
        must stand for the same: "niets eten" is to fast, "niet eten" is said of a single food."""
        rooted = tuple(root(part, language) for part in parts)
        known = self._rooted.get(language, {}).get(rooted, ())
        said = self._joined(parts, language) if known else ()
        return [
            concept
            for joining, concept in known
            if all(a == b for a, b in zip(joining, said, strict=True) if a and b)
        ]

    def _joined(self, parts: Sequence[str], language: str) -> tuple[str, ...]:
        return tuple(self._joining[language].get(part, "") for part in parts)

    def _meet(self, word: str, language: str) -> tuple[bool, bool, tuple[Concept, ...]]:
        """Return whether a word begins an expression, as written or inflected; and what it is."""
        begins = word in self._first.get(language, ())
        inflects = root(word, language) in self._first_roots.get(language, ())
        return begins, inflects, self.find(word, language)

    def _index(self, parts: tuple[str, ...], language: str, concept: Concept) -> None:
        key, is_content = join(parts), concept.kind != FUNCTION
        _add(self._exact[language], key, concept)
        if len(parts) > 1:
            self._first[language].add(parts[0])
            _add(self._expressions[language], parts, concept)
            if is_content and len(key) >= INFLECTED_FROM:
                rooted = tuple(root(part, language) for part in parts)
                self._first_roots[language].add(rooted[0])
                _add(self._rooted[language], rooted, (self._joined(parts, language), concept))
            return
        if language in JOINING:
            _add(self._whole[language], key, concept)
        if is_content and len(key) >= STEMMED_FROM:
            _add(self._stems[language], base(key, language), concept)


def lexicon_of(snapshot: Snapshot) -> Lexicon:
    """Return a version's lexicon; use it through `snapshot.derived(lexicon_of)`."""
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
