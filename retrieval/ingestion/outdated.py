"""Find outdated pages: pages that a newer page on the same subject seems to replace.

Two pages have the same subject by their titles; then the older one is proposed to staff.
Pages for different campuses, wards, medicines or age groups never replace each other.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from functools import partial
from itertools import combinations
from typing import NamedTuple

from retrieval.fields import Scope
from retrieval.models import Document
from retrieval.scope import CAMPUS, ScopeReader
from taxonomy.language.lexicon import FUNCTION, Lexicon
from zol import phones
from zol.text import words

#: Fewest days between a page and its successor.
NEWER = timedelta(days=90)
#: Least share of the shorter page's words that both pages need: with one title, with one title for
#: pages of different categories, and with one entity in both titles.
SAME_TITLE, OTHER_KIND, SAME_SUBJECT = 0.05, 0.6, 0.2
#: Shortest content word in letters.
SHORTEST = 4
#: Most pages compared under one title.
MOST_COMPARED = 40
#: Concepts that name the form of a page, not its subject.
IDLE = frozenset({"brochure", "information", "documents", "department"})
#: Separator of an entity's kind and key.
THING = ":"
_VERSION = re.compile(r"\b(?:v|versie|version|rev|ed)[ ._-]?(\d{1,3})(?:\.\d+)?\b", re.IGNORECASE)
_YEAR = re.compile(r"(?:19|20)\d\d(?:\d{2}){0,2}|v?\d")


class PageText(NamedTuple):
    """A page with its full text, and the scope of most of its lines."""

    page: Document
    text: str
    scope: Scope


@dataclass(frozen=True, slots=True)
class _PageFeatures:
    """The features by which pages are compared."""

    page: Document
    subject: frozenset[str]
    words: frozenset[str]
    numbers: frozenset[str]
    #: `scope` is that of the title and of most lines; `named` adds every name in text and address.
    scope: frozenset[tuple[str, str]]
    named: frozenset[tuple[str, str]]
    version: int | None
    #: Whether its title or path has a year.
    is_edition: bool

    def shares(self, other: _PageFeatures) -> float:
        """Return the share of the shorter page's words that both pages have."""
        smaller = min(len(self.words), len(other.words))
        return len(self.words & other.words) / smaller if smaller else 0.0


def _things(subject: frozenset[str]) -> frozenset[str]:
    return frozenset(each for each in subject if THING in each)


class OutdatedFinder:
    """Finds outdated pages of a hospital. Immutable."""

    def __init__(
        self,
        scope: ScopeReader,
        lexicon: Lexicon,
        things: Mapping[tuple[str, ...], str],
        owners: Mapping[str, str],
        places: Mapping[str, frozenset[str]],
        country: str,
    ) -> None:
        """Take the words of entity names, the owner of each telephone number, and the campuses of
        each entity."""
        self._scope, self._lexicon, self._owners = scope, lexicon, owners
        self._things, self._places, self._country = things, places, country
        self._longest = max(map(len, things), default=0)

    def subject_of(self, title: str, language: str) -> frozenset[str]:
        """Return the subject of a title: entities, concepts, and unknown words."""
        title_words, found, at = words(title), set(), 0
        while at < len(title_words):
            sizes = range(min(self._longest, len(title_words) - at), 0, -1)
            size = next((n for n in sizes if title_words[at : at + n] in self._things), 0)
            if size:
                found.add(self._things[title_words[at : at + size]])
            elif not _YEAR.fullmatch(title_words[at]):
                found |= self._meant(title_words[at], language)
            at += size or 1
        return frozenset(found)

    def _meant(self, word: str, language: str) -> set[str]:
        concepts = self._lexicon.find(word, language)[:1]
        if any(each.kind == FUNCTION or each.name in IDLE for each in concepts):
            return set()
        is_version = word in {"versie", "version"} or len(word) == 1
        return set() if is_version else {concepts[0].name if concepts else word}

    def pairs(self, pages: Iterable[Document]) -> set[tuple[str, str]]:
        """Return the paths of candidate pairs in one language: with the same title or the same
        entities in their titles."""
        groups: defaultdict[tuple[str, frozenset[str]], list[str]] = defaultdict(list)
        for page in pages:
            subject = self.subject_of(page.title, page.language)
            for each in filter(None, {subject, _things(subject)}):
                groups[page.language, each].append(page.path)
        return {
            pair
            for paths in groups.values()
            for pair in combinations(sorted(paths)[:MOST_COMPARED], 2)
        }

    def find(
        self, pages: Mapping[str, PageText], pairs: Iterable[tuple[str, str]]
    ) -> dict[str, tuple[str, str]]:
        """Return for each outdated page the path of its newest successor and the reason, except
        where staff chose to keep both pages."""
        seen = {path: self._features(*page) for path, page in pages.items()}
        found: dict[str, tuple[date, str, str]] = {}
        for pair in pairs:
            one, other = (seen[path] for path in pair)
            for older, newer in ((one, other), (other, one)):
                if newer.page.path in older.page.kept_beside:
                    continue
                because = self._because(older, newer)
                day = newer.page.updated_on or date.min
                if because and day >= found.get(older.page.path, (date.min,))[0]:
                    found[older.page.path] = day, newer.page.path, because
        return {older: (newer, because) for older, (_, newer, because) in found.items()}

    def _features(self, page: Document, text: str, scope: Scope) -> _PageFeatures:
        read = partial(self._scope.read, language=page.language)
        titled = frozenset(read(page.title)) | set(scope)
        address = read(re.sub(r"[-_/.]+", " ", f"{page.url} {page.path}"))
        numbers = phones.numbers(text, self._country)
        version = _VERSION.search(f"{page.title} {page.path.replace('_', ' ')}")
        return _PageFeatures(
            page,
            self.subject_of(page.title, page.language),
            frozenset(word for word in words(text) if len(word) >= SHORTEST),
            frozenset(numbers),
            titled,
            titled | set(read(text)) | set(address) | {("campus", c) for c in page.campuses},
            int(version[1]) if version else None,
            bool(re.search(r"(?<!\d)(?:19|20)\d\d(?!\d)", f"{page.title} {page.path}")),
        )

    def _because(self, older: _PageFeatures, newer: _PageFeatures) -> str:
        """Return why a page seems outdated, worded for staff; empty if it does not."""
        gone = older.numbers - newer.numbers - self._owners.keys() if newer.numbers else frozenset()
        same = _same(older, newer, is_out=bool(gone) or older.is_edition)
        moved = CAMPUS if gone and self._has_left(older) else ""
        if not same or is_other(older, newer, moved) or self._is_of_another(older, newer):
            return ""
        withdrawn = f" The other document no longer gives the number {min(gone)}." if gone else ""
        before, after = older.page.updated_on, newer.page.updated_on
        if older.version is not None and newer.version is not None:
            is_older = older.version < newer.version
            age = f" This document is version {older.version}, the other version {newer.version}."
        elif before and after:
            is_older = after - before >= NEWER
            age = f" This document dates from {before}, the other from {after}."
        else:
            # Without dates, the page with a number that is out of use is the older one.
            is_older, age = bool(gone) and newer.numbers <= self._owners.keys(), ""
        return f"{same}{age}{withdrawn}" if is_older else ""

    def _has_left(self, page: _PageFeatures) -> bool:
        """Return whether a page's subject has moved away from every campus that the page names."""
        here = {c for thing in page.subject for c in self._places.get(thing, ())}
        return bool(here) and here.isdisjoint(_names(page.named, CAMPUS))

    def _is_of_another(self, older: _PageFeatures, newer: _PageFeatures) -> bool:
        """Return whether the pages give telephone numbers of different services."""
        one, other = ({self._owners[n] for n in each.numbers & self._owners.keys()}
                      for each in (older, newer))  # fmt: skip
        return bool(one and other) and one.isdisjoint(other)


def is_other(one: _PageFeatures, other: _PageFeatures, but: str = "") -> bool:
    """Return whether two pages are for different campuses, wards, medicines or ages."""
    for kind in {kind for kind, _ in one.named | other.named} - {but}:
        # A page without an age group is for adults.
        titled = [_names(page.scope, kind) - {"adult"} for page in (one, other)]
        named = [_names(page.named, kind) for page in (one, other)]
        if (any(titled) and titled[0].isdisjoint(titled[1])) or (
            all(named) and named[0].isdisjoint(named[1])
        ):
            return True
    return False


def _names(scope: Iterable[tuple[str, str]], kind: str) -> set[str]:
    return {name for each, name in scope if each == kind}


def _same(older: _PageFeatures, newer: _PageFeatures, *, is_out: bool) -> str:
    """Return why two pages have the same subject, worded for staff; empty if they have not. With
    `is_out`, signs that the older page is out of use, fewer common words are enough."""
    shared, things = older.shares(newer), _things(older.subject)
    if older.subject and older.subject == newer.subject:
        # A leaflet and a web page with one title may differ in content.
        is_one_kind = older.page.category == newer.page.category
        least = SAME_TITLE if is_one_kind or is_out else OTHER_KIND
        return "The same title." if shared >= least else ""
    is_one_subject = is_out and things and things == _things(newer.subject)
    return "The same subject." if is_one_subject and shared >= SAME_SUBJECT else ""


def common_scope(places: Iterable[Scope], share: float = 0.5) -> Scope:
    """Return the scope that at least a share of the lines has."""
    counted: Counter[tuple[str, str]] = Counter()
    lines = 0
    for scope in places:
        lines += 1
        counted.update(scope)
    return tuple(sorted(each for each, count in counted.items() if count >= share * lines))
