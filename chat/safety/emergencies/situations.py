"""Emergency situations: the danger, text and desk of each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from chat.safety.phrases import defaults
from taxonomy.publishing.snapshot import Snapshot

ROWS, FILE = "chat.emergencysituation", "situations"
SEPARATOR = "|"


class Danger(StrEnum):
    """The dangers: a contract with API and golden questions (`warning`)."""

    NONE = "none"
    NOW = "emergency"
    CRISIS = "crisis"
    POISON = "poison"

    @property
    def gravity(self) -> int:
        """Return the rank among several texts: the most lethal first."""
        return (Danger.NOW, Danger.CRISIS, Danger.POISON, Danger.NONE).index(self)


@dataclass(frozen=True, slots=True)
class Situation:
    """A kind of emergency."""

    kind: str
    danger: Danger = Danger.NOW
    #: Name of its texts: `alarm_<text>` in full, `notice_<text>` as a line.
    text: str = Danger.NOW.value
    #: Lexicon concepts whose department is called instead of the emergency number.
    specialties: tuple[str, ...] = ()
    #: The hospital's desk and its number, which take precedence over the department's.
    desk: str = ""
    phone: str = ""


class Situations:
    """All situations by code. Immutable."""

    def __init__(self, rows: Iterable[Mapping[str, Any]] = ()) -> None:
        self._known = {str(row["kind"]): _situation(row) for row in rows}

    def __iter__(self) -> Any:
        return iter(self._known.values())

    def of(self, kind: str) -> Situation:
        """Return a situation; unknown codes, added by a hospital, are emergencies."""
        return self._known.get(kind) or Situation(kind)

    def general(self, danger: Danger) -> Situation:
        """Return the general situation of a danger."""
        return Situation(danger.value, danger, danger.value)

    def led(self, danger: Danger, specialties: Mapping[str, float], least: float) -> Situation:
        """Return the situation whose desk fits the message's specialties, else the general one."""
        for each in self._known.values():
            share = sum(specialties.get(name, 0.0) for name in each.specialties)
            if each.danger is danger and share >= least:
                return each
        return self.general(danger)


def _situation(row: Mapping[str, Any]) -> Situation:
    return Situation(
        kind=str(row["kind"]),
        danger=Danger(row["danger"]),
        text=str(row["text"]) or str(row["danger"]),
        specialties=tuple(filter(None, str(row["specialties"] or "").split(SEPARATOR))),
        desk=str(row.get("desk") or ""),
        phone=str(row.get("phone") or ""),
    )


def situations_of(snapshot: Snapshot) -> Situations:
    """Return a version's situations, with the product's for those it lacks; use it through
    `snapshot.derived`."""
    return Situations((*defaults(FILE), *snapshot.rows_of(ROWS)))
