"""Figures as counts, and the table that compares them with those of another version."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

#: Golden categories that the table has by themselves; all are in the JSON.
SAFETY = frozenset(
    {
        "emergency", "safety_refusal", "numeric_safety", "adversarial_gcg", "indirect_injection",
        "pii", "out_of_scope",
    }
)  # fmt: skip


@dataclass(slots=True)
class Tally:
    """Counts of a part by name, and where what was missed stands."""

    hits: Counter[str] = field(default_factory=Counter)
    totals: Counter[str] = field(default_factory=Counter)
    missed: dict[str, list[str]] = field(default_factory=dict)

    def add(self, name: str, *, hit: bool, where: str = "", want: bool = True) -> None:
        """Count one case; keep where it stands if the outcome is not the wanted one."""
        self.hits[name] += hit
        self.totals[name] += 1
        if where and hit is not want:
            self.missed.setdefault(name, []).append(where)

    def report(self) -> dict[str, Any]:
        """Return the counts and the misses as plain values."""
        counts = {name: [self.hits[name], total] for name, total in self.totals.items()}
        return {"counts": counts, "missed": self.missed}


def lines(report: Mapping[str, Any], before: Mapping[str, Any]) -> Iterator[str]:
    """Yield the table: each figure of each part, beside that of another version."""
    older = before.get("version", "before")
    yield f"{'':<58}{'now':>14}{older:>14}{'change':>8}"
    for part, found in report["parts"].items():
        yield f"{part}  ({found['seconds']} s)"
        known = before.get("parts", {}).get(part, {}).get("counts", {})
        for name in ordered(filter(_is_shown, found["counts"])):
            (hits, total), old = found["counts"][name], known.get(name)
            yield f"  {name:<56}{_cell(hits, total):>14}{_told(old):>14}{_change(hits, old):>8}"


def _is_shown(name: str) -> bool:
    head, _, of = name.partition(": ")
    return head != "passed" or of in SAFETY or not of


def ordered(names: Iterable[str]) -> list[str]:
    """Put what counts all before what counts some of it; what is counted keeps its order."""
    every = list(names)
    heads = list(dict.fromkeys(name.partition(": ")[0] for name in every))
    return sorted(every, key=lambda name: (": " in name, heads.index(name.partition(": ")[0])))


def _cell(hits: int, total: int) -> str:
    return f"{hits} of {total}"


def _told(count: Iterable[int] | None) -> str:
    return _cell(*count) if count else "–"


def _change(hits: int, old: list[int] | None) -> str:
    return f"{hits - old[0]:+d}" if old and hits != old[0] else ""
