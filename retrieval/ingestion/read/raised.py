"""Small raised figures: minutes, cents, powers and the numbers of notes, which are no part of the
number before them.

A reader gives what stands raised as `raised(text)`, within the text around it; `clean` of blocks.py
writes it out, as a text only shows what it means beside its neighbours.
"""

from __future__ import annotations

import re

#: Around what is raised, until it is written out. No document holds them: they are private.
_FROM, _TO = "\ue000", "\ue001"
_RAISED = re.compile(f"{_FROM}([^{_FROM}{_TO}]*){_TO}")
_LEFT_OVER = re.compile(f"[{_FROM}{_TO}]")
_FIGURES = str.maketrans(
    "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079\u207b", "0123456789-"
)
_UNICODE = re.compile("(?<=[0-9])[\u2070\u00b9\u00b2\u00b3\u2074-\u2079\u207b]+")
_UNIT = re.compile(r"(?:^|[^\w])(?:[kcdm\u00b5]?m|in|ft)\s?$")
#: Letters before a raised text that say what it is.
_BEFORE = 60
_POWERS = {"2": "\u00b2", "3": "\u00b3"}
#: A longer number is no hour and no price.
_NUMBER = re.compile(r"(?<![\d.,:])(\d{1,9})\s?$")
_MONEY_BEFORE = re.compile(r"([\u20ac$\u00a3]|\b(?:EUR|USD|GBP|CHF|TL|RON))\s*\d[\d. ]*$")
_MONEY_AFTER = re.compile(r"\s*(?:[\u20ac$\u00a3]|(?:EUR|euro|lei|TL)\b)(?!\s*\d)", re.IGNORECASE)
#: Money whose cents stand behind a point.
_WITH_POINT = ("$", "\u00a3", "USD", "GBP")
_POWER_AFTER = re.compile(r"\s?/\s?[a-z\u00b5]", re.IGNORECASE)
#: "18h" with its minutes raised, and the letter of a formula before its charge ("Ca", "2+").
_HOUR = re.compile(r"(?<![\d.,:])(?:[01]?\d|2[0-4])\s?[hHuU]$")
_ELEMENT = re.compile(r"(?:^|[^\w])(?:[A-Z][a-z]?\d*)+$")
_CHARGE = re.compile(r"\d?[+\u2212-]")
_FRACTION = re.compile(r"\d{1,2}\s?[/\u2044]\s?\d{1,2}")
_POWER_BEFORE = re.compile(r"[\u00d7x\u00b7*]\s*10$")


def raised(text: str) -> str:
    """Return a raised text with the marks that `written_out` looks for."""
    return f"{_FROM}{text.strip()}{_TO}" if text.strip() else text


def written_out(text: str) -> str:
    """Return a text with what is raised in it as people say it: "8:30", "€ 11,50", "40 (1)"."""
    text = _UNICODE.sub(lambda found: raised(found[0].translate(_FIGURES)), text)
    if _FROM not in text:
        return text
    pieces = _RAISED.split(text.replace(f"{_TO}{_FROM}", ""))
    said = pieces[0]
    for at in range(1, len(pieces), 2):
        written = _written(said[-_BEFORE:], pieces[at], pieces[at + 1])
        said = (said.rstrip() if written[0] in ".:,^" else said) + written + pieces[at + 1]
    return _LEFT_OVER.sub("", said)


def _written(before: str, small: str, after: str) -> str:
    """Return how a raised text is written behind what stands before it."""
    if (said := _beside(before, small)) is not None:
        return said
    if small in _POWERS and _UNIT.search(before):
        return _POWERS[small]
    number = _NUMBER.search(before)
    if number is None:
        is_joined = before.rstrip()[-1:] in {",", ".", ":", "-"}
        return small if is_joined else _note(before, small)
    if _is_power(before, number[1], small, after):
        return f"^{small}"
    return _part(before, small, after, int(number[1])) if len(small) == 2 else _note(before, small)


def _beside(before: str, small: str) -> str | None:
    """Return what is read beside what stands before it: a fraction, a charge, minutes, letters."""
    if _FRACTION.fullmatch(small) and before[-1:].isdigit():
        return f" {small}"
    if _CHARGE.fullmatch(small) and _ELEMENT.search(before):
        return small
    if not small.lstrip("-\u2212").isdecimal():
        return small if small.isalpha() or not small[0].isdigit() else f" ({small})"
    return (
        small
        if len(small) == 2 and small.isdecimal() and small < "60" and _HOUR.search(before)
        else None
    )


def _part(before: str, small: str, after: str, number: int) -> str:
    """Return two raised figures as cents or minutes."""
    money = _MONEY_BEFORE.search(before)
    if not money and not _MONEY_AFTER.match(after) and number <= 24 and int(small) < 60:
        return f":{small}"
    return f"{'.' if money and money[1] in _WITH_POINT else ','}{small}"


def _is_power(before: str, number: str, small: str, after: str) -> bool:
    if not small[0].isdecimal():
        return True
    is_said = _POWER_BEFORE.search(before) or _POWER_AFTER.match(after)
    return number == "10" and bool(is_said)


def _note(before: str, small: str) -> str:
    return f"{' ' if before[-1:].strip() else ''}({small})"
