"""The lines of `python -m lab benchmark`: each figure beside its goal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lab.benchmarks.searches import TimingRow
from lab.benchmarks.words import EXACT, LOOK_UP, MISSPELT


@dataclass(frozen=True, slots=True)
class Goal:
    """What a row is to stay under: milliseconds, and a multiple of another row of the same run."""

    p50_ms: float
    p95_ms: float
    of: str = ""
    ratio: float = 0.0


FLOOR, HYBRID, RAW = "dense floor (ids only)", "hybrid, one statement", "hybrid, raw psycopg"


#: Goals that do not depend on how many chunks there are; where only one percentile has one, both.
ANYWHERE = {
    LOOK_UP: Goal(1.0, 1.0),
    EXACT: Goal(0.5, 0.5),
    MISSPELT: Goal(3.0, 3.0),
    "understanding": Goal(8.0, 20.0),
    "suffix detector": Goal(2.0, 2.0),
    "whole turn": Goal(30.0, 60.0),
    "from boosts to assembly": Goal(15.0, 15.0),
    "first words over a socket": Goal(150.0, 150.0),
    "whole answer over a socket": Goal(400.0, 400.0),
    "answer given again over a socket": Goal(30.0, 30.0),
}


def goals(chunks: int) -> Mapping[str, Goal]:
    """Return the goals for a number of chunks (spec 09)."""
    same = ANYWHERE
    if chunks <= 20_000:
        return same | {HYBRID: Goal(6.0, 12.0, of=FLOOR, ratio=3.5)}
    if chunks <= 200_000:
        return same | {HYBRID: Goal(12.0, 35.0)}
    return same | {HYBRID: Goal(120.0, 120.0)}


def as_json(
    rows: Sequence[TimingRow], *, chunks: int, recall: float, agreement: float
) -> dict[str, Any]:
    by_name = {row.name: row for row in rows}
    wanted = goals(chunks)
    report: dict[str, Any] = {
        "chunks": chunks,
        "dense_recall": round(recall, 4),
        "bm25_agreement": round(agreement, 4),
        "rows": {},
    }
    for row in rows:
        line: dict[str, Any] = {"p50_ms": round(row.p50_ms, 2), "p95_ms": round(row.p95_ms, 2)}
        if FLOOR in by_name:
            line["ratio_to_floor"] = round(row.p50_ms / by_name[FLOOR].p50_ms, 2)
        if goal := wanted.get(row.name):
            line["goal_p50_ms"], line["goal_p95_ms"] = goal.p50_ms, goal.p95_ms
            line["met"] = is_met(row, goal, by_name)
        report["rows"][row.name] = line
    if {HYBRID, RAW} <= by_name.keys():
        ratio = by_name[HYBRID].p50_ms / by_name[RAW].p50_ms
        report["django_to_raw"] = round(ratio, 3)
    return report


def is_met(row: TimingRow, goal: Goal, by_name: Mapping[str, TimingRow]) -> bool:
    in_time = row.p50_ms <= goal.p50_ms and row.p95_ms <= goal.p95_ms
    if not goal.of or goal.of not in by_name:
        return in_time
    return in_time and row.p50_ms <= goal.ratio * by_name[goal.of].p50_ms


def lines(report: Mapping[str, Any]) -> Iterable[str]:
    """Give the report as a table for people."""
    yield (
        f"{report['chunks']:,} chunks; dense recall {report['dense_recall']:.3f} (goal 0.97); "
        f"BM25 as computed independently {report['bm25_agreement']:.3f} (goal 1)"
    )
    yield f"{'':<32}{'p50 ms':>9}{'p95 ms':>9}{'× floor':>9}  goal"
    for name, row in report["rows"].items():
        ratio = f"{row['ratio_to_floor']:.2f}" if "ratio_to_floor" in row else ""
        goal = ""
        if "met" in row:
            said = "met" if row["met"] else "missed"
            goal = f"{row['goal_p50_ms']:g} / {row['goal_p95_ms']:g}: {said}"
        yield f"{name:<32}{row['p50_ms']:>9.2f}{row['p95_ms']:>9.2f}{ratio:>9}  {goal}"
    yield "Resolving, SNOMED, understanding and suffixes in processor time; all else by the clock."
    if "django_to_raw" in report:
        yield f"Django / raw psycopg: {report['django_to_raw']:.3f} (goal 1.1)"
