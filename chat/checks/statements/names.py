"""Doctors and departments are only named when the source or the taxonomy's facts name them; nobody
is told that they have an illness."""

from __future__ import annotations

import re

from chat.checks.statements.base import Fault, Statement
from chat.checks.statements.evidence import Evidence
from chat.checks.statements.knowledge import Knowledge
from zol.text import fold, words

_TOKEN = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*\.?")
#: Words of a name behind a title, at most: "Dr. Jean-Luc Van de Put".
LONGEST_NAME = 5
#: Particles stand in small letters within a name.
SHORT = 3


def published_names_are_meant(
    said: Statement, evidence: Evidence, known: Knowledge
) -> Fault | None:
    """Find a department or doctor of this hospital whom the sources do not speak of."""
    named = known.named(said.words)
    if not named:
        return None
    borne: set[str] = set()
    for text in evidence.texts(said.cited):
        borne |= known.named(words(text)).keys()
    strange = [thing.name for key, thing in named.items() if key not in borne]
    return Fault("names", f"not in the source: {strange[0]}") if strange else None


def titled_people_exist(said: Statement, evidence: Evidence, known: Knowledge) -> Fault | None:
    """Find somebody with a title whose name no source and no fact contains."""
    borne = evidence.words_of(said.cited)
    for name in names_behind_titles(said.plain, known.titles):
        strange = [part for part in words(name) if len(part) > SHORT and part not in borne]
        if strange:
            return Fault("names", f"nobody here is called {name}")
    return None


def names_behind_titles(text: str, titles: frozenset[str]) -> tuple[str, ...]:
    """Return the capitalised words behind each title."""
    tokens = _TOKEN.findall(text)
    found, at = [], 0
    while at < len(tokens):
        if fold(tokens[at].rstrip(".")) not in titles:
            at += 1
            continue
        name, at = _name_from(tokens, at + 1, titles)
        if name:
            found.append(name)
    return tuple(found)


def _name_from(tokens: list[str], start: int, titles: frozenset[str]) -> tuple[str, int]:
    parts: list[str] = []
    at = start
    while at < len(tokens) and len(parts) < LONGEST_NAME:
        token = tokens[at]
        is_title = fold(token.rstrip(".")) in titles
        is_part = token[0].isupper() or (
            len(token) <= SHORT and at + 1 < len(tokens) and bool(parts)
        )
        if is_title or not is_part:
            break
        parts.append(token.rstrip("."))
        at += 1
        if token.endswith(".") and len(token) > SHORT:
            break
    while parts and not parts[-1][0].isupper():
        parts.pop()
    return " ".join(parts), max(at, start)


def no_diagnosis(said: Statement, evidence: Evidence, known: Knowledge) -> Fault | None:
    """Find a diagnosis or a personal instruction about medication."""
    found = next(iter(known.diagnoses.find(said.words)), None)
    return Fault("claims", found.text) if found else None
