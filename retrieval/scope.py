"""Read the scope of a page's lines: the campus, ward, medicine and age that they apply to.

Scope is read from headings, captions, column names and cells, never from prose, which also mentions
other campuses. A row's first cell gives its scope. Its other cells count only if they are a list,
or if their column's name or the first cell announces such names ("Dienst", "Voor wie"). The label
of a list item counts like a first cell. Per kind the nearest level counts: cell, table caption,
headings from the lowest up, page title. Scope affects ranking and is shown beside a quotation; it
filters nothing.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache

from retrieval.fields import Place, Scope
from retrieval.reading.blocks import BULLET
from taxonomy.language.lexicon import Lexicon, lexicon_of
from taxonomy.snapshot import Snapshot
from taxonomy.vocabulary import AliasKind, Kind
from zol.text import cells_of, fold, is_row, words

#: Label of the medicines' model, in an app above this one.
PHRASES = "chat.advicephrase"
#: Language of a name that is the same in all languages.
ANY = "any"
CAMPUS, WARD, MEDICINE, AGE = "campus", "ward", "medicine", "age"
PLACES = {Kind.CAMPUS: CAMPUS, Kind.DEPARTMENT: WARD}
#: Longest cell and longest label that count, and shortest name, in letters.
LONGEST_CELL, LONGEST_LABEL, SHORTEST = 80, 40, 2
#: A word that begins with a medicine's stem counts as the medicine: shortest stem, and most letters
#: after it.
SHORTEST_BEGUN, LONGEST_ENDING = 4, 3
#: Age groups, by concept of the lexicon.
AGES = {"child": "child", "toddler": "child", "teenager": "child", "baby": "baby", "adult": "adult"}
GROWN = 18
#: Concepts in a column's name that announce names of a kind in its cells.
LISTED = {
    CAMPUS: frozenset({"campus", "where"}),
    WARD: frozenset({"department", "ward", "where"}),
    MEDICINE: frozenset({"medication"}),
    AGE: frozenset({"age", "who"}),
}
#: Concepts that name a ward although they are no specialty.
UNITS = frozenset({"emergency_department", "day_hospital", "maternity_hospital", "delivery_room",
                   "ward", "department"})  # fmt: skip
_RANGE = re.compile(r"\b(\d{1,2})\s*(?:[-\u2013]|[^\W\d]{1,3})\s*(\d{1,2})\s*([^\W\d]+)")


class ScopeReader:
    """The names of a hospital's campuses, wards and medicines, compiled once for many pages."""

    def __init__(
        self,
        names: Iterable[tuple[str, str, str, str, str]],
        medicines: Iterable[tuple[str, str]],
        lexicon: Lexicon,
    ) -> None:
        """Take names as (entity kind, key, text, alias kind, language), with an empty alias kind
        for unambiguous names, and medicines as (language, text), with the language "any" for
        all."""
        self._lexicon = lexicon
        self._phrases: dict[tuple[str, tuple[str, ...]], tuple[str, str]] = {}
        self._lengths: defaultdict[str, set[int]] = defaultdict(set)
        self._begun: dict[tuple[str, str], tuple[str, str]] = {}
        for language, text in medicines:
            phrase = words(text.rstrip("*"))
            if phrase and not text.startswith("*"):
                means = MEDICINE, self._medicine(phrase)
                self._learn(phrase, means, language)
                if text.endswith("*") and len(phrase) == 1:
                    self._begun[language, phrase[0]] = means
        for kind, key, text, alias, language in names:
            phrase = words(text)
            if kind == Kind.CAMPUS or not alias or self._is_unit(text, alias, language):
                self._learn(phrase, (PLACES[Kind(kind)], key))
        self.named = lru_cache(maxsize=16_384)(self.read)

    def of(self, title: str, language: str) -> Callable[[Place, str], Scope]:
        """Return a function that finds a line's scope by its place and text."""
        titled = self.named(title, language)

        @lru_cache(maxsize=1_024)
        def over(place: Place) -> Scope:
            heads = [found for head in place.heads for found in self.named(head, language)]
            levels = [self.named(text, language) for text in (place.caption, *place.path[::-1])]
            return _nearest([levels[0], tuple(heads), *levels[1:], titled])

        def find(place: Place, line: str) -> Scope:
            cells = (place.row, *cells_of(line)) if place.row else cells_of(line)
            if is_row(line):
                found = tuple(self._in_row(place.heads, cells, language))
            else:
                found = tuple(self._in_item(line, language))
            return _nearest([found, over(place)])

        return find

    def _in_row(
        self, heads: Sequence[str], cells: Sequence[str], language: str
    ) -> Iterator[tuple[str, str]]:
        """Yield the entities that the short cells of a row name."""
        for column, cell in enumerate(cells):
            if cell and len(cell) <= LONGEST_CELL:
                over = (*heads[column : column + 1], *cells[: column == 1])
                listed = self._listed(" ".join(over), language) | {CAMPUS}
                named, parts = self.named(cell, language), cell.split(", ")
                is_list = len(parts) > 1 and all(self.named(part, language) for part in parts)
                counts = not column or is_list
                yield from (each for each in named if counts or each[0] in listed)

    def _in_item(self, line: str, language: str) -> Iterator[tuple[str, str]]:
        """Yield the entities in the label of a list item, and in its value where the label
        announces them: "Waar: Campus Noord"."""
        label, mark, value = line.removeprefix(BULLET).partition(": ")
        if line.startswith(BULLET) and mark and len(label) <= LONGEST_LABEL:
            listed = self._listed(label, language)
            yield from self.named(label, language)
            yield from (each for each in self.named(value, language) if each[0] in listed)

    def _listed(self, name: str, language: str) -> frozenset[str]:
        """Return the kinds that a column with this name lists."""
        names = {each.name for use in self._lexicon.read(words(name), language)
                for each in use.concepts}  # fmt: skip
        return frozenset(kind for kind, concepts in LISTED.items() if names & concepts)

    def _learn(self, phrase: tuple[str, ...], means: tuple[str, str], language: str = ANY) -> None:
        if sum(map(len, phrase)) >= SHORTEST:
            self._phrases.setdefault((language, phrase), means)
            self._lengths[phrase[0]].add(len(phrase))

    def _medicine(self, phrase: Sequence[str]) -> str:
        found = (
            each for code in ("nl", "en") for each in self._lexicon.find(" ".join(phrase), code)
        )
        return next((each.name for each in found if each.kind == "treatment"), " ".join(phrase))

    def _is_unit(self, text: str, alias: str, language: str) -> bool:
        """Return whether a department's alias names a place, not a person or subject."""
        if alias == AliasKind.ABBREVIATION:
            return True
        uses = self._lexicon.read(words(text), language)
        concepts = [each for use in uses for each in use.concepts[:1]]
        is_unit = all(each.kind == "specialty" or each.name in UNITS for each in concepts)
        # An alias without known concepts counts if it is written as a name.
        is_name = bool(concepts) or text != text.lower() or any(map(str.isdigit, text))
        return alias != AliasKind.PROFESSION and is_unit and is_name

    def read(self, text: str, language: str) -> Scope:
        """Return the entities that a text names, the longest of overlapping names; `named` caches
        it."""
        text_words, found, at = words(text), [], 0
        while at < len(text_words):
            lengths = sorted(self._lengths.get(text_words[at], ()), reverse=True)
            phrases = (
                (n, self._phrases.get((code, text_words[at : at + n])))
                for n in lengths
                for code in (ANY, language)
            )
            size, means = next((each for each in phrases if each[1]), (1, None))
            if means := means or self._word(text_words[at], language):
                found.append(means)
            at += size
        found += self._ranges(fold(text), language)
        return tuple(dict.fromkeys(found))

    def _word(self, word: str, language: str) -> tuple[str, str] | None:
        for concept in self._lexicon.written(word.removesuffix("'s"), language):
            if concept.name in AGES:
                return AGE, AGES[concept.name]
        shortest = max(SHORTEST_BEGUN, len(word) - LONGEST_ENDING)
        sizes = range(len(word), shortest - 1, -1)
        begun = (self._begun.get((code, word[:n])) for n in sizes for code in (ANY, language))
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


def is_sure(kind: str, alias: str) -> bool:
    """Return whether an alias always names the place: one of a ward that is no profession."""
    return kind == WARD and alias != AliasKind.PROFESSION


def scope_of(snapshot: Snapshot) -> ScopeReader:
    """Return the scope reader of a version; use it through `snapshot.derived(scope_of)`."""
    own = snapshot.profile.default_language
    names = (
        (str(kind), thing.key, *name)
        for kind in PLACES
        for thing in snapshot.vocabulary.of_kind(kind)
        for name in (
            (thing.name, "", own),
            *(
                (
                    each.text,
                    "" if is_sure(thing.get("kind"), each.kind) else each.kind,
                    each.language,
                )
                for each in thing.aliases
            ),
        )
    )
    rows = (row for row in snapshot.rows_of(PHRASES) if row["kind"] == "med")
    medicines = ((str(row["language"]), str(row["text"])) for row in rows)
    return ScopeReader(names, medicines, snapshot.derived(lexicon_of))
