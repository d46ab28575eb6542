"""Checks of the columns of a release's lines, identifiers among them; a wrong line is named."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import date
from enum import IntEnum
from functools import cache

import numpy as np
from numpy.typing import NDArray

from taxonomy.snomed.files import Batch, Mistakes

Ids = NDArray[np.int64]
Flags = NDArray[np.bool_]

LONGEST, SHORTEST = 18, 6


class Part(IntEnum):
    """What an identifier names: the digit before its check digit."""

    CONCEPT = 0
    DESCRIPTION = 1
    RELATIONSHIP = 2


#: Verhoeff's tables: multiplication in the dihedral group D5, and its permutation by position.
_TIMES = np.array(
    [[0, 1, 2, 3, 4, 5, 6, 7, 8, 9], [1, 2, 3, 4, 0, 6, 7, 8, 9, 5], [2, 3, 4, 0, 1, 7, 8, 9, 5, 6],
     [3, 4, 0, 1, 2, 8, 9, 5, 6, 7], [4, 0, 1, 2, 3, 9, 5, 6, 7, 8], [5, 9, 8, 7, 6, 0, 4, 3, 2, 1],
     [6, 5, 9, 8, 7, 1, 0, 4, 3, 2], [7, 6, 5, 9, 8, 2, 1, 0, 4, 3], [8, 7, 6, 5, 9, 3, 2, 1, 0, 4],
     [9, 8, 7, 6, 5, 4, 3, 2, 1, 0]], dtype=np.int8,
)  # fmt: skip
_PLACE = np.array(
    [[0, 1, 2, 3, 4, 5, 6, 7, 8, 9], [1, 5, 7, 6, 2, 8, 3, 0, 9, 4], [5, 8, 0, 3, 7, 9, 6, 1, 4, 2],
     [8, 9, 1, 6, 0, 4, 3, 5, 2, 7], [9, 4, 5, 3, 1, 2, 6, 8, 7, 0], [4, 2, 8, 6, 5, 7, 3, 9, 0, 1],
     [2, 7, 9, 3, 8, 0, 6, 4, 1, 5], [7, 0, 4, 6, 9, 1, 3, 2, 5, 8]], dtype=np.int8,
)  # fmt: skip


def parse(texts: Sequence[str]) -> Ids:
    """Return texts as numbers; 0 for what has not the form of an identifier.

    An identifier never begins with 0 (SNOMED CT Release File Specifications, SCTID): as a number it
    would lose that digit, and its check digit would be reckoned over another identifier.
    """
    ascii_only = [text if text.isascii() else "" for text in texts]
    written = np.array(ascii_only, dtype=f"U{LONGEST + 1}")
    sizes = np.char.str_len(written)
    is_number = np.char.isdecimal(written) & (sizes >= SHORTEST) & (sizes <= LONGEST)
    is_number &= ~np.char.startswith(written, "0")
    if not is_number.all():
        written = np.where(is_number, written, "0")
    return written.astype(np.int64)


def is_valid(ids: Ids, part: Part) -> Flags:
    """Tell which numbers name this part of a release and have the right check digit."""
    found: Flags = (ids > 0) & (ids // 10 % 10 == int(part)) & (_checksum(ids) == 0)
    return found


def _checksum(ids: Ids) -> NDArray[np.int8]:
    rest = ids.copy()
    check = np.zeros(len(ids), dtype=np.int8)
    for place in range(LONGEST + 1):
        going = rest > 0
        if not going.any():
            break
        check = np.where(going, _TIMES[check, _PLACE[place % 8, rest % 10]], check)
        rest //= 10
    return check


#: PostgreSQL counts its days from here.
EPOCH = date(2000, 1, 1).toordinal()
_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_KINDS = {Part.CONCEPT: "concept", Part.DESCRIPTION: "description", Part.RELATIONSHIP: "relation"}

Days = NDArray[np.int32]


class UniqueIds:
    """Identifiers of one kind as they are read, to find those that are there twice."""

    def __init__(self) -> None:
        self._ids: list[Ids] = []
        self._lines: list[NDArray[np.int32]] = []
        self._files: list[tuple[int, str]] = []
        self._size = 0

    def add(self, batch: Batch, ids: Ids) -> None:
        if not self._files or self._files[-1][1] != batch.file:
            self._files.append((self._size, batch.file))
        self._ids.append(ids)
        self._lines.append(np.array(batch.lines, dtype=np.int32))
        self._size += len(ids)

    def finish(self, mistakes: Mistakes) -> Ids:
        """Return the identifiers in order; report those that are there twice."""
        if not self._ids:
            return np.empty(0, dtype=np.int64)
        ids, lines = np.concatenate(self._ids), np.concatenate(self._lines)
        order = np.argsort(ids, kind="stable")
        ordered = ids[order]
        for place in np.flatnonzero((ordered[1:] == ordered[:-1]) & (ordered[1:] > 0)):
            at, first = int(order[place + 1]), int(order[place])
            where = f"{self._file(first)}:{lines[first]}"
            mistakes.add(self._file(at), int(lines[at]), f"{ids[at]} is already in {where}.")
        self._ids, self._lines = [], []
        return ordered

    def _file(self, at: int) -> str:
        return next(name for start, name in reversed(self._files) if start <= at)


class Checks:
    """The checks of one batch; each reports what it finds and goes on."""

    def __init__(self, batch: Batch, mistakes: Mistakes) -> None:
        self._batch, self._mistakes = batch, mistakes

    def ids(self, column: str, part: Part) -> Ids:
        """Return identifiers of this kind; 0 for what is none."""
        return self._checked(column, part, self._batch.columns[column])

    def reference(self, column: str, known: Ids, kind: str) -> Ids:
        """Return identifiers that occur elsewhere in the release."""
        texts = self._batch.columns[column]
        ids = parse(texts)
        missing = ~is_among(ids, known)
        if missing.any():
            self._report(missing, column, texts, f"is no {kind} of this release")
        return ids

    def constants(self, column: str) -> Ids:
        """Return identifiers of which few occur many times; each is checked once."""
        texts = self._batch.columns[column]
        distinct = sorted(set(texts))
        by_text = dict(zip(distinct, parse(distinct).tolist(), strict=True))
        bad = {t for t in distinct if not is_valid(np.array([by_text[t]]), Part.CONCEPT)[0]}
        if bad:
            self._report(self._any(column, bad), column, texts, "is no concept identifier")
        return np.array([by_text[text] for text in texts], dtype=np.int64)

    def active(self) -> Flags:
        texts = self._batch.columns["active"]
        if bad := set(texts) - {"0", "1"}:
            self._report(self._any("active", bad), "active", texts, "is neither 0 nor 1")
        return np.array([text == "1" for text in texts], dtype=np.bool_)

    def days(self) -> Days:
        """Return the dates, as PostgreSQL counts days."""
        texts = self._batch.columns["effectiveTime"]
        if bad := {text for text in set(texts) if day(text) is None}:
            self._report(
                self._any("effectiveTime", bad), "effectiveTime", texts, "is no date (YYYYMMDD)"
            )
        return np.array([day(text) or 0 for text in texts], dtype=np.int32)

    def texts(self, column: str, is_right: Callable[[str], object], wrong: str) -> Sequence[str]:
        texts = self._batch.columns[column]
        if bad := {text for text in set(texts) if not is_right(text)}:
            self._report(self._any(column, bad), column, texts, wrong)
        return texts

    def _checked(self, column: str, part: Part, texts: Sequence[str]) -> Ids:
        ids = parse(texts)
        wrong = ~is_valid(ids, part)
        if wrong.any():
            what = f"is no {_KINDS[part]} identifier (wrong form or check digit)"
            self._report(wrong, column, texts, what)
        return ids

    def _any(self, column: str, bad: set[str]) -> Flags:
        return np.array([text in bad for text in self._batch.columns[column]], dtype=np.bool_)

    def _report(self, wrong: Flags, column: str, texts: Sequence[str], what: str) -> None:
        for at in np.flatnonzero(wrong).tolist():
            self._mistakes.add(
                self._batch.file, self._batch.lines[at], f"{column} “{texts[at][:40]}” {what}."
            )


def is_among(ids: Ids, known: Ids) -> Flags:
    """Tell which identifiers are among sorted ones."""
    if not len(known):
        return np.zeros(len(ids), dtype=np.bool_)
    at = np.searchsorted(known, ids)
    at[at == len(known)] = 0
    found: Flags = known[at] == ids
    return found


@cache
def day(text: str) -> int | None:
    """Return a date as the days since 2000; None for what is no date."""
    if len(text) != 8 or not (text.isascii() and text.isdigit()):
        return None
    try:
        return date(int(text[:4]), int(text[4:6]), int(text[6:])).toordinal() - EPOCH
    except ValueError:
        return None


def is_uuid(text: str) -> bool:
    return _UUID.fullmatch(text) is not None
