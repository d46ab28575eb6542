"""Words of an emergency that is happening now: the first thing that is looked at in a question.

Deterministic, from rows that a clinician owns. A question *about* an emergency is told apart by
words of information beside it ("wat is een", "bezoekuren"), unless something says it is happening
("nu", "ik krijg"). In doubt it is an emergency.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from chat.safety.phrases import PhraseBook
from taxonomy.snapshot import Snapshot
from taxonomy.tokens import folded

ROWS = "chat.redflagphrase"
#: A row of this kind holds for every emergency.
ANY = "any"
#: Words that may stand between two words of a trigger.
GAP = 2
#: Earlier questions that are read together with this one.
REMEMBERED = 3
_CLAUSE = re.compile(r"[.?!;\n]+")


@dataclass(frozen=True, slots=True)
class RedFlag:
    """An emergency, and what gave it away; false when there is none."""

    kind: str = ""
    phrase: str = ""
    #: Whether an earlier question said so, and this one does not.
    is_earlier: bool = False

    def __bool__(self) -> bool:
        return bool(self.kind)


class RedFlags:
    """The phrases of all emergencies. Immutable once built."""

    def __init__(self, rows: Iterable[Mapping[str, Any]] = ()) -> None:
        by_role: dict[str, list[tuple[str, str]]] = {}
        for row in rows:
            by_role.setdefault(str(row["role"]), []).append((str(row["text"]), str(row["kind"])))
        self._triggers = PhraseBook(by_role.get("trigger", ()), gap=GAP)
        self._contexts = PhraseBook(by_role.get("context", ()))
        self._presence = PhraseBook(by_role.get("presence", ()))

    def check(self, question: str, earlier: Sequence[str] = ()) -> RedFlag:
        """Return the emergency that a conversation speaks of, the last question first."""
        if flag := self._in_message(question):
            return flag
        if flag := self._across(question, earlier):
            return flag
        for message in reversed(earlier):
            if flag := self._in_message(message):
                return RedFlag(flag.kind, flag.phrase, is_earlier=True)
        return RedFlag()

    def _in_message(self, message: str) -> RedFlag:
        happening = self._is_present(folded(message))
        for clause in _CLAUSE.split(message):
            if flag := self._in_clause(folded(clause), happening=happening):
                return flag
        return RedFlag()

    def _in_clause(self, words: Sequence[str], *, happening: bool) -> RedFlag:
        triggers = list(self._triggers.find(words))
        if not triggers:
            return RedFlag()
        excused = {spoken.meaning for spoken in self._contexts.find(words)}
        for spoken in triggers:
            if happening or not excused & {spoken.meaning, ANY}:
                return RedFlag(spoken.meaning, spoken.text)
        return RedFlag()

    def _across(self, question: str, earlier: Sequence[str]) -> RedFlag:
        """Hear a phrase that began in an earlier message and is completed by this one."""
        before = [word for message in earlier[-REMEMBERED:] for word in folded(message)]
        words = [*before, *folded(question)]
        if not before or any(self._contexts.find(words)):
            return RedFlag()
        for spoken in self._triggers.find(words):
            if spoken.start < len(before) < spoken.end:
                return RedFlag(spoken.meaning, spoken.text)
        return RedFlag()

    def _is_present(self, words: Sequence[str]) -> bool:
        return any(True for _ in self._presence.find(words))


def red_flags_of(snapshot: Snapshot) -> RedFlags:
    """Return a version's red flags; use it through `snapshot.derived(red_flags_of)`."""
    return RedFlags(snapshot.rows_of(ROWS))
