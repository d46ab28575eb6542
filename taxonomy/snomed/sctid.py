"""SNOMED CT identifiers: their form and their check digit, many at a time."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

Ids = NDArray[np.int64]
Flags = NDArray[np.bool_]

LONGEST, SHORTEST = 18, 6
#: Namespaces begin with 1; this one is not assigned, so that nothing invented meets the real.
NOBODY = 9_999_999


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
_INVERSE = np.array([0, 4, 3, 2, 1, 5, 6, 7, 8, 9], dtype=np.int8)


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


def with_check_digit(numbers: Ids) -> Ids:
    """Return identifiers made of numbers by adding the check digit."""
    return numbers * 10 + _INVERSE[_checksum(numbers * 10)]


def make(items: Ids, part: Part) -> Ids:
    """Return identifiers for item numbers, in a namespace that is nobody's."""
    return with_check_digit((items * 10_000_000 + NOBODY) * 100 + 10 + int(part))


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
