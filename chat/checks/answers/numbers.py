"""Every figure of an answer stands in what it relies on, or its sentence is taken out.

A dose was once extrapolated past the end of a brochure's table. A figure is compared as people
write it: 14:00, 14.00 and 14 u are one time, a telephone number is its digits.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from zol import phones

_MARK = re.compile(r"\[\d+\]")
_FIGURE = re.compile(r"\d+(?:[.,:]\d+)*")
_THOUSANDS = re.compile(r"(?<=\d)[\s.](?=\d{3}(?!\d))")
_ZEROS = re.compile(r"\.?0+$")


def unsupported(sentence: str, evidence: str) -> tuple[str, ...]:
    """Return the figures of a sentence that do not occur in the evidence."""
    plain = _MARK.sub(" ", sentence)
    if not _FIGURE.search(plain):
        return ()
    known, digits = _read(evidence)
    left = plain
    missing = []
    for number in _dialled(plain):
        left = left.replace(number, " ")
        if phones.canonical(number) not in digits:
            missing.append(number.strip())
    missing += [figure for figure in figures(left) if figure not in known]
    return tuple(missing)


@lru_cache(maxsize=256)
def _read(evidence: str) -> tuple[frozenset[str], str]:
    """Return the figures of a text, and the digits of its numbers to dial."""
    plain = _MARK.sub(" ", evidence)
    dialled = "|".join(phones.canonical(number) for number in _dialled(plain))
    return frozenset(figures(plain)), dialled


def _dialled(text: str) -> Iterator[str]:
    for phone in phones.find(text):
        yield text[phone.start : phone.end]


def numbers(text: str) -> frozenset[str]:
    """Return the figures of a text and the digits of its numbers to dial, each in one form."""
    left, dialled = text, []
    for number in _dialled(text):
        left = left.replace(number, " ")
        dialled.append(phones.canonical(number))
    return frozenset((*dialled, *figures(left)))


def figures(text: str) -> Iterator[str]:
    """Yield the figures of a text in one form: "€ 4,50" as 4.50, "14:00" and "14u" as 14."""
    for found in _FIGURE.findall(_THOUSANDS.sub("", text)):
        plain = re.sub(r"[,:]", ".", found)
        whole = _ZEROS.sub("", plain) if "." in plain else plain
        yield whole.lstrip("0") or "0"
