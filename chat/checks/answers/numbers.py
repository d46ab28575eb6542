"""Every figure of an answer stands in what it relies on, or its sentence is taken out.

A dose was once extrapolated past the end of a brochure's table. A figure is compared as people
write it: 14:00, 14.00 and 14 u are one time, a telephone number is its digits.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

#: From so many digits on, spaces and signs between them are only how it is written.
DIALLED = 8
_MARK = re.compile(r"\[\d+\]")
_DIALLED = re.compile(r"(?<![\w.,:])\+?\d[\d\s/().-]{6,}\d(?!\w)")
_FIGURE = re.compile(r"\d+(?:[.,:]\d+)*")
_THOUSANDS = re.compile(r"(?<=\d)[\s.](?=\d{3}(?!\d))")
_ZEROS = re.compile(r"\.?0+$")


def has_support(sentence: str, evidence: str) -> bool:
    """Whether all figures of a sentence occur in the evidence."""
    return not unsupported(sentence, evidence)


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
        if _digits(number) not in digits:
            missing.append(number.strip())
    missing += [figure for figure in figures(left) if figure not in known]
    return tuple(missing)


@lru_cache(maxsize=256)
def _read(evidence: str) -> tuple[frozenset[str], str]:
    """Return the figures of a text, and the digits of its numbers to dial."""
    plain = _MARK.sub(" ", evidence)
    dialled = "|".join(_digits(number) for number in _dialled(plain))
    return frozenset(figures(plain)), dialled


def _dialled(text: str) -> Iterator[str]:
    for found in _DIALLED.finditer(text):
        if sum(letter.isdigit() for letter in found[0]) >= DIALLED and "-" not in _range(found[0]):
            yield found[0]


def _range(text: str) -> str:
    """Return the sign of a range of years or amounts, which is no number to dial."""
    return "-" if re.fullmatch(r"\d{4}\s*-\s*\d{4}", text.strip()) else ""


def _digits(number: str) -> str:
    """Return a number's digits as dialled at home: +32 89 and 0032 89 are 089."""
    digits = re.sub(r"\D", "", number.replace("(0)", ""))
    for abroad in ("0032", "32"):
        if number.strip().startswith(("+", "00")) and digits.startswith(abroad):
            return "0" + digits.removeprefix(abroad)
    return digits


def numbers(text: str) -> frozenset[str]:
    """Return the figures of a text and the digits of its numbers to dial, each in one form."""
    left, dialled = text, []
    for number in _dialled(text):
        left = left.replace(number, " ")
        dialled.append(_digits(number))
    return frozenset((*dialled, *figures(left)))


def figures(text: str) -> Iterator[str]:
    """Yield the figures of a text in one form: "€ 4,50" as 4.50, "14:00" and "14u" as 14."""
    for found in _FIGURE.findall(_THOUSANDS.sub("", text)):
        plain = re.sub(r"[,:]", ".", found)
        whole = _ZEROS.sub("", plain) if "." in plain else plain
        yield whole.lstrip("0") or "0"
