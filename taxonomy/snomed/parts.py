"""The four parts of a release, read in order: each gives checked rows and remembers what it saw.

Concepts come first, since all others refer to them; the language reference sets before the
descriptions, whose acceptability they say.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from taxonomy.resolvers.index import LONGEST
from taxonomy.snomed import files
from taxonomy.snomed.checks import Checks, Days, Flags, Ids, Part, UniqueIds, is_among, is_uuid
from taxonomy.snomed.files import Batch, Mistakes, ReleaseFiles, Step, batches
from taxonomy.tokens import folded, join

IS_A = 116680003
NAME, SYNONYM, DEFINITION = 900000000000003001, 900000000000013009, 900000000000550004
PREFERRED = 900000000000548007
SORTS = {NAME: "f", SYNONYM: "s", DEFINITION: "d"}
#: As wide as the column.
KEY_LETTERS = 200
_EDGE = ("sourceId", "destinationId", "typeId", "active")
_TAG = re.compile(r"\s*\([^()]*\)$")
_CODE = re.compile(r"[a-z]{2,3}(?:-[A-Za-z]{2})?")


class Concepts(NamedTuple):
    ids: Ids
    active: Flags
    days: Days


class Relationships(NamedTuple):
    """Active relationships only."""

    ids: Ids
    sources: Ids
    types: Ids
    destinations: Ids


class Description(NamedTuple):
    """An active description."""

    id: int
    concept: int
    language: str
    sort: str
    acceptability: str
    size: int
    key: str
    term: str


class Reading:
    """A release while it is read. After its parts are, it knows their identifiers and counts."""

    def __init__(
        self, release: ReleaseFiles, languages: Collection[str], mistakes: Mistakes, step: Step
    ) -> None:
        self._release, self._languages = release, frozenset(languages)
        self._mistakes, self._step = mistakes, step
        self.counts: dict[str, int] = {}
        self.spoken: set[str] = set()
        self.concept_ids: Ids = np.empty(0, dtype=np.int64)
        self._described: Ids = np.empty(0, dtype=np.int64)
        self._is_preferred: Flags = np.empty(0, dtype=np.bool_)
        self._judged: set[str] = set()
        self._children: list[Ids] = []
        self._parents: list[Ids] = []

    @property
    def is_a(self) -> tuple[Ids, Ids]:
        """All direct IS-A pairs, as positions among the concepts."""
        ends = []
        for side in (self._children, self._parents):
            joined = np.concatenate(side) if side else np.empty(0, dtype=np.int64)
            ends.append(np.searchsorted(self.concept_ids, joined))
        return ends[0], ends[1]

    def concepts(self) -> Iterator[Concepts]:
        seen = UniqueIds()
        active = 0
        for batch in self._batches(self._release.concepts, files.CONCEPT):
            checks = Checks(batch, self._mistakes)
            rows = Concepts(checks.ids("id", Part.CONCEPT), checks.active(), checks.days())
            checks.constants("moduleId")
            checks.constants("definitionStatusId")
            seen.add(batch, rows.ids)
            active += int(rows.active.sum())
            yield rows
        self.concept_ids = seen.finish(self._mistakes)
        self.counts |= {"concepts": len(self.concept_ids), "active concepts": active}

    def read_language_refsets(self) -> None:
        """Learn which descriptions are preferred or acceptable; whether they exist comes later."""
        described, preferred = [], []
        for path in self._release.language_refsets:
            for batch in self._batches((path,), files.LANGUAGE):
                checks = Checks(batch, self._mistakes)
                checks.texts("id", is_uuid, "is no UUID")
                checks.days()
                checks.constants("moduleId")
                checks.constants("refsetId")
                ids, active = checks.ids("referencedComponentId", Part.DESCRIPTION), checks.active()
                degrees = checks.constants("acceptabilityId")
                described.append(ids[active])
                preferred.append(degrees[active] == PREFERRED)
            found = files.language_of(path)
            self._judged.add(found or "*")
        if described:
            self._remember(np.concatenate(described), np.concatenate(preferred))

    def _remember(self, ids: Ids, preferred: Flags) -> None:
        order = np.lexsort((~preferred, ids))
        ids, preferred = ids[order], preferred[order]
        first = np.ones(len(ids), dtype=np.bool_)
        first[1:] = ids[1:] != ids[:-1]
        self._described, self._is_preferred = ids[first], preferred[first]
        self.counts["language members"] = len(self._described)

    def descriptions(self) -> Iterator[list[Description]]:
        seen = UniqueIds()
        read = 0
        for paths in (self._release.descriptions, self._release.definitions):
            for batch in self._batches(paths, files.DESCRIPTION):
                read += len(batch)
                yield self._described_in(batch, seen)
        known = seen.finish(self._mistakes)
        self.counts |= {"descriptions": read}
        self._find_strangers(known)

    def _described_in(self, batch: Batch, seen: UniqueIds) -> list[Description]:
        checks = Checks(batch, self._mistakes)
        ids = checks.ids("id", Part.DESCRIPTION)
        seen.add(batch, ids)
        active = checks.active()
        checks.days()
        checks.constants("moduleId")
        checks.constants("caseSignificanceId")
        concepts = checks.reference("conceptId", self.concept_ids, "concept")
        codes = checks.texts("languageCode", _CODE.fullmatch, "is no language code")
        types = checks.constants("typeId")
        checks.texts("typeId", _sort, "is no type of description")
        terms = checks.texts("term", str.strip, "is no term")
        accepted = self._acceptability(ids)
        return [
            self._description(*row)
            for row in zip(
                ids.tolist(), concepts.tolist(), codes, types.tolist(), terms, accepted,
                active.tolist(), strict=True,
            )
            if row[-1] and (not self._languages or row[2][:2] in self._languages)
        ]  # fmt: skip

    def _description(
        self, pk: int, concept: int, code: str, kind: int, term: str, accepted: str, _: object
    ) -> Description:  # a row of a batch, in its order
        sort = SORTS.get(kind, "s")
        language = code[:2]
        self.spoken.add(language)
        if accepted == "n" and self._judged.isdisjoint((language, "*")):
            accepted = "a"
        size, key = (0, "") if sort == "d" else spelled(without_tag(term) if sort == "f" else term)
        return Description(pk, concept, language, sort, accepted, size, key, term)

    def _acceptability(self, ids: Ids) -> list[str]:
        if not len(self._described):
            return ["n"] * len(ids)
        at = np.searchsorted(self._described, ids)
        at[at == len(self._described)] = 0
        found = self._described[at] == ids
        degrees = np.where(found, np.where(self._is_preferred[at], "p", "a"), "n")
        listed: list[str] = degrees.tolist()
        return listed

    def _find_strangers(self, known: Ids) -> None:
        """Report members of the language reference sets that describe nothing in the release."""
        if not len(self._described) or is_among(self._described, known).all():
            return
        quiet = Mistakes()
        for path in self._release.language_refsets:
            if self._languages and not files.language_of(path):
                continue  # it may judge the languages that were left out
            for batch in batches(
                path, files.LANGUAGE, self._release.name(path), quiet, lambda _: None
            ):
                active = [text == "1" for text in batch.columns["active"]]
                kept = _only(batch, np.array(active, dtype=np.bool_))
                Checks(kept, self._mistakes).reference(
                    "referencedComponentId", known, "description"
                )

    def relationships(self) -> Iterator[Relationships]:
        seen = UniqueIds()
        active_count = direct = 0
        for batch in self._batches(self._release.relationships, files.RELATIONSHIP):
            checks = Checks(batch, self._mistakes)
            ids, active = checks.ids("id", Part.RELATIONSHIP), checks.active()
            checks.days()
            for column in ("moduleId", "characteristicTypeId", "modifierId"):
                checks.constants(column)
            checks.texts("relationshipGroup", str.isdecimal, "is no number")
            sources = checks.reference("sourceId", self.concept_ids, "concept")
            targets = checks.reference("destinationId", self.concept_ids, "concept")
            types = checks.constants("typeId")
            seen.add(batch, ids)
            parent = active & (types == IS_A)
            self._children.append(sources[parent])
            self._parents.append(targets[parent])
            active_count, direct = active_count + int(active.sum()), direct + int(parent.sum())
            yield Relationships(ids[active], sources[active], types[active], targets[active])
        self.counts |= {
            "relationships": len(seen.finish(self._mistakes)),
            "active relationships": active_count,
            "IS-A relationships": direct,
        }

    def where_is(self, child: int, parent: int) -> tuple[str, int]:
        """Return the file and line that says that one concept is another."""
        wanted = (str(child), str(parent), str(IS_A), "1")
        for batch in self._batches(self._release.relationships, files.RELATIONSHIP):
            columns = [batch.columns[name] for name in _EDGE]
            for line, row in zip(batch.lines, zip(*columns, strict=True), strict=True):
                if row == wanted:
                    return batch.file, line
        return self._release.name(self._release.relationships[0]), 0

    def _batches(self, paths: tuple[Path, ...], header: tuple[str, ...]) -> Iterator[Batch]:
        for path in paths:
            yield from batches(path, header, self._release.name(path), self._mistakes, self._step)


@cache
def _sort(text: str) -> str:
    return SORTS.get(int(text), "") if text.isdecimal() else ""


def _only(batch: Batch, wanted: NDArray[np.bool_]) -> Batch:
    places = np.flatnonzero(wanted).tolist()
    columns = {name: [texts[at] for at in places] for name, texts in batch.columns.items()}
    return Batch(batch.file, tuple(batch.lines[at] for at in places), columns)


def without_tag(name: str) -> str:
    """Return a fully specified name without what it ends on: "(bevinding)"."""
    return _TAG.sub("", name)


def spelled(term: str) -> tuple[int, str]:
    """Return how many words a term has, and the key it is looked up by; "" when too long."""
    words = folded(term)
    key = join(words)
    fits = 0 < len(words) <= LONGEST and len(key) <= KEY_LETTERS
    return min(len(words), 999), key if fits else ""
