"""Needs: the kinds of questions at an information desk, for facts, answers and reports."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from functools import cache
from pathlib import Path

NEEDS = Path(__file__).parent.parent / "defaults" / "needs.csv"


@cache
def _rows() -> Mapping[str, Mapping[str, str]]:
    with NEEDS.open(encoding="utf-8", newline="") as file:
        return {row["key"]: row for row in csv.DictReader(file)}


def keys() -> tuple[str, ...]:
    """Return the keys of all needs, in the order of the list."""
    return tuple(_rows())


@cache
def kinds() -> Mapping[str, str]:
    """Return the kind of value that answers each need."""
    return {key: row["kind"] for key, row in _rows().items()}


@cache
def intents() -> Mapping[str, str]:
    """Return the intent of a question with each need."""
    return {key: row["intent"] for key, row in _rows().items()}


@cache
def topics() -> Mapping[str, str]:
    """Return the topic of a question with each need that has one."""
    return {key: row["topic"] for key, row in _rows().items() if row["topic"]}


def name(key: str, language: str) -> str:
    """Return the name of a need in a language, or in English."""
    row = _rows().get(key, {})
    return row.get(language) or row.get("en") or key


def is_general(key: str) -> bool:
    """Return whether the hospital's fact applies to subjects without one of their own."""
    return bool(_rows().get(key, {}).get("general"))


def is_practical(key: str) -> bool:
    """Return whether a need is never a complaint: lost glasses are no eye trouble."""
    return bool(_rows().get(key, {}).get("practical"))
