"""Words that try to make the system something else than it is.

The patterns are rows; they read folded text. A pattern that cannot be compiled is reported by
`broken`, never silently dropped and never the end of all others.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import regex

from chat.safety.rows import defaults, rows_of
from taxonomy.publishing.snapshot import Snapshot
from zol.text import fold, squash, storable

ROWS, FILE = "chat.injectionpattern", "injection_patterns"
logger = logging.getLogger(__name__)
#: Seconds that one pattern may take: one that staff wrote may be one that never ends. The clock is
#: that of the whole process, so whoever was held up by others is given a second, longer try.
TIME, SECOND_TRY = 0.02, 0.1
#: Texts on which patterns that try every way of dividing a text do not end.
HARD = ("a" * 400 + "!", "a b " * 120 + "!", " " * 400 + "!", "1" * 400 + "!", "ab" * 200 + "\n")
#: Texts of pages that are remembered to match nothing.
MOST_CALM = 4_096
#: Invisible characters with which a forbidden word is cut in pieces.
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufeff]")
#: Markup and role tokens, and what is left of angle brackets but for "< 5 jaar".
_TAG = re.compile(r"<[/!?|a-z][^<>]{0,200}>|[<>](?!\s*=?\s*\d)", re.IGNORECASE)
#: What looks like the number of a source or a line.
_NUMBER = re.compile(r"\[(\d[\d.]*)\]")


@dataclass(frozen=True, slots=True)
class Attack:
    """An attack, and what gave it away; false when there is none."""

    description: str = ""
    evidence: str = ""

    def __bool__(self) -> bool:
        return bool(self.evidence)


class InjectionPatterns:
    """The patterns that only an attack matches. Immutable once built."""

    def __init__(self, rows: Iterable[Mapping[str, Any]] = ()) -> None:
        self._patterns: list[tuple[Any, str]] = []
        broken = []
        for row in rows:
            try:
                compiled = regex.compile(str(row["pattern"]), regex.IGNORECASE)
            except regex.error as error:
                broken.append((str(row["pattern"]), str(error)))
            else:
                self._patterns.append((compiled, str(row.get("description") or "")))
        self._calm: set[str] = set()
        #: Patterns that are no regular expressions, and why, for staff.
        self.broken = tuple(broken)

    @property
    def is_on(self) -> bool:
        return bool(self._patterns)

    def check(self, text: str) -> Attack:
        """Return the first pattern that a text matches, as written or with its lines joined."""
        attack, _is_whole = self._look(text)
        return attack

    def check_page(self, text: str) -> Attack:
        """Return the same of what a page says. Pages are quoted again and again: a text that no
        pattern matched is not read a second time."""
        if text in self._calm:
            return Attack()
        attack, is_whole = self._look(text)
        if is_whole and not attack:
            if len(self._calm) >= MOST_CALM:
                self._calm.clear()
            self._calm.add(text)
        return attack

    def _look(self, text: str) -> tuple[Attack, bool]:
        """Return what a text matches, and whether every pattern had the time to tell."""
        folded, is_whole = fold(_INVISIBLE.sub("", text)), True
        for reading in dict.fromkeys((folded, squash(folded))):
            for pattern, description in self._patterns:
                found = _found(pattern, reading)
                if found:
                    return Attack(description or pattern.pattern, found), True
                is_whole = is_whole and found is not None
        return Attack(), is_whole

    def material(self, text: str) -> str:
        """Return a text of a page or row as one line of a prompt; nothing where it speaks to an
        assistant. This is the only door of such texts into a prompt: whoever may write one must not
        be able to give a model orders, or to look like another line or source."""
        line = as_line(text)
        return "" if self.check_page(line) else line


def as_line(text: str) -> str:
    """Return a text on one line, without markup, signs that nobody sees and marks of sources."""
    return squash(_NUMBER.sub(r"(\1)", _TAG.sub(" ", storable(_INVISIBLE.sub("", text)))))


def _found(pattern: Any, text: str) -> str | None:
    """Return what a pattern matches, in the time that it may take; None when that was too short.

    Nobody else runs meanwhile: twenty patterns that each let others in wait longer than they take.
    """
    for seconds in (TIME, SECOND_TRY):
        try:
            match = pattern.search(text, timeout=seconds, concurrent=False)
        except TimeoutError:
            continue
        return str(match[0]) if match else ""
    logger.warning("a pattern takes too long and is left out: %s", pattern.pattern)
    return None


def is_slow(pattern: str) -> bool:
    """Tell whether a pattern takes too long on a text that is hard for it."""
    compiled = regex.compile(pattern, regex.IGNORECASE)
    try:
        for hard in HARD:
            compiled.search(hard, timeout=TIME)
    except TimeoutError:
        return True
    return False


def injection_patterns_of(snapshot: Snapshot) -> InjectionPatterns:
    """Return a version's patterns; use it through `snapshot.derived(injection_patterns_of)`.

    When none of them works, it is the check that it comes with: broken rows switch nothing off.
    """
    patterns = InjectionPatterns(rows_of(snapshot, ROWS, FILE))
    return patterns if patterns.is_on else InjectionPatterns(defaults(FILE))
