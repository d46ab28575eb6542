"""Scope of a page's line: campus, ward, medicine and age that it applies to.

Scope is read from headings, captions, column names and cells, never from prose, which mentions
other campuses too. For each kind the nearest level counts: cell, table caption, headings from the
lowest up, page title. Scope affects ranking and is shown beside a quotation; it filters nothing.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache

from retrieval.fields import Place, Scope
from taxonomy.language.lexicon import Lexicon, lexicon_of
from taxonomy.publishing.snapshot import Snapshot
from taxonomy.vocabulary import AliasKind, Kind
from zol.text import fold, words

#: Label of the medicines' model, in an app above this one.
PHRASES = "chat.advicephrase"
CAMPUS, WARD, MEDICINE, AGE = "campus", "ward", "medicine", "age"
PLACES = {Kind.CAMPUS: CAMPUS, Kind.DEPARTMENT: WARD}
#: Longest cell that is not prose, and longest name in letters.
LONGEST_CELL, SHORTEST = 80, 2
#: Shortest medicine prefix of another word, and longest ending: an insulin pump is not insulin.
SHORTEST_BEGUN, LONGEST_ENDING = 4, 3
#: Audience of a heading, by concept of the lexicon.
AGES = {"child": "child", "toddler": "child", "teenager": "child", "baby": "baby", "adult": "adult"}
GROWN = 18
#: Concept kinds that do not name a ward though one is called so: "scan", "jobs".
UNITS = frozenset({"emergency_department", "day_hospital", "maternity_hospital", "delivery_room",
                   "ward", "department"})  # fmt: skip
_RANGE = re.compile(r"\b(\d{1,2})\s*(?:[-\u2013]|[^\W\d]{1,3})\s*(\d{1,2})\s*([^\W\d]+)")


class ScopeReader:
    """The names of a hospital's campuses, wards and medicines, compiled once for many pages."""

    def __init__(
        self, names: Iterable[tuple[str, str, str, str]], medicines: Iterable[str], lexicon: Lexicon
    ) -> None:
        """Take names as (entity kind, key, text, alias kind); the alias kind of a main name is
        empty."""
        self._lexicon = lexicon
        self._phrases: dict[tuple[str, ...], tuple[str, str]] = {}
        self._lengths: defaultdict[str, set[int]] = defaultdict(set)
        self._begun: dict[str, tuple[str, str]] = {}
        for text in medicines:
            said = words(text.rstrip("*"))
            if said and not text.startswith("*"):
                self._learn(said, (MEDICINE, self._medicine(said)))
                if text.endswith("*") and len(said) == 1:
                    self._begun[said[0]] = MEDICINE, self._medicine(said)
        for kind, key, text, alias in names:
            said = words(text)
            if kind == Kind.CAMPUS or not alias or self._is_unit(text, alias):
                self._learn(said, (PLACES[Kind(kind)], key))
        self.named = lru_cache(maxsize=16_384)(self.read)

    def of(self, title: str, language: str) -> Callable[[Place, Sequence[str]], Scope]:
        """Return a function that finds a line's scope by its place and cells."""
        titled = self.named(title, language)

        @lru_cache(maxsize=1_024)
        def over(place: Place) -> Scope:
            heads = [found for head in place.heads for found in self.named(head, language)]
            levels = [self.named(text, language) for text in (place.caption, *place.path[::-1])]
            return _nearest([levels[0], tuple(heads), *levels[1:], titled])

        def find(place: Place, cells: Sequence[str]) -> Scope:
            short = (cell for cell in (place.row, *cells) if len(cell) <= LONGEST_CELL)
            found = [each for cell in short if cell for each in self.named(cell, language)]
            return _nearest([tuple(found), over(place)])

        return find

    def _learn(self, said: tuple[str, ...], means: tuple[str, str]) -> None:
        if sum(map(len, said)) >= SHORTEST:
            self._phrases.setdefault(said, means)
            self._lengths[said[0]].add(len(said))

    def _medicine(self, said: Sequence[str]) -> str:
        found = (each for code in ("nl", "en") for each in self._lexicon.find(" ".join(said), code))
        return next((each.name for each in found if each.kind == "treatment"), " ".join(said))

    def _is_unit(self, text: str, alias: str) -> bool:
        """Return whether a ward's alias names a place, not a person or subject."""
        if alias == AliasKind.ABBREVIATION:
            return True
        uses = self._lexicon.read(words(text), "nl")
        concepts = [each for use in uses for each in use.concepts[:1]]
        is_unit = all(each.kind == "specialty" or each.name in UNITS for each in concepts)
        # What no list of words has is a name if it is written as one.
        is_name = bool(concepts) or text != text.lower() or any(map(str.isdigit, text))
        return alias != AliasKind.PROFESSION and is_unit and is_name

    def read(self, text: str, language: str) -> Scope:
        """Return the entities that a text names, the longest of overlapping names; `named` caches
        it."""
        said, found, at = words(text), [], 0
        while at < len(said):
            lengths = sorted(self._lengths.get(said[at], ()), reverse=True)
            phrases = ((n, self._phrases.get(said[at : at + n])) for n in lengths)
            size, means = next((each for each in phrases if each[1]), (1, None))
            if means := means or self._word(said[at], language):
                found.append(means)
            at += size
        found += self._ranges(fold(text), language)
        return tuple(dict.fromkeys(found))

    def _word(self, word: str, language: str) -> tuple[str, str] | None:
        for concept in self._lexicon.written(word.removesuffix("'s"), language):
            if concept.name in AGES:
                return AGE, AGES[concept.name]
        shortest = max(SHORTEST_BEGUN, len(word) - LONGEST_ENDING)
        begun = (self._begun.get(word[:size]) for size in range(len(word), shortest - 1, -1))
        return next(filter(None, begun), None)

    def _ranges(self, text: str, language: str) -> Iterator[tuple[str, str]]:
        """Yield the age ranges in a text: "6-12 jaar"."""
        for low, high, unit in _RANGE.findall(text):
            counted = {each.name for each in self._lexicon.written(unit, language)}
            if not counted & {"year", "month"} or int(low) >= int(high):
                continue
            if int(high) < GROWN or "month" in counted:
                yield AGE, "baby" if "year" not in counted else "child"
            elif int(low) >= GROWN:
                yield AGE, "adult"


def _nearest(levels: Iterable[Scope]) -> Scope:
    """Return the scope by the nearest level that names each kind."""
    found: dict[str, Scope] = {}
    for level in levels:
        for kind in {kind for kind, _ in level} - found.keys():
            found[kind] = tuple(each for each in level if each[0] == kind)
    return tuple(sorted({each for scope in found.values() for each in scope}))


def scope_of(snapshot: Snapshot) -> ScopeReader:
    """Return the scope reader of a version; use it through `snapshot.derived(scope_of)`."""
    names = (
        (str(kind), thing.key, text, alias)
        for kind in PLACES
        for thing in snapshot.vocabulary.of_kind(kind)
        for text, alias in ((thing.name, ""), *((each.text, each.kind) for each in thing.aliases))
    )
    medicines = (str(row["text"]) for row in snapshot.rows_of(PHRASES) if row["kind"] == "med")
    return ScopeReader(names, medicines, snapshot.derived(lexicon_of))
