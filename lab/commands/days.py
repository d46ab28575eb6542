"""Measure the reading of days on labelled questions: right, wrong and missed, by language."""

from __future__ import annotations

import csv
from argparse import ArgumentParser
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from chat.safety.phrases import defaults
from lab.paths import ROOT
from taxonomy.dates.reading import read
from taxonomy.dates.words import calendar
from taxonomy.facts.free_hours import read_hours
from taxonomy.facts.hours import Hours
from zol.clock import moment_of

DAYS = ROOT / "lab/days"
#: The moments at which the questions are asked.
MOMENTS = {
    "A": "2026-11-29T10:40", "B": "2026-12-25T00:10", "C": "2026-10-25T02:30",
    "D": "2027-03-28T03:10", "E": "2026-12-31T23:50", "F": "2026-12-15T10:00",
}  # fmt: skip
RIGHT, WRONG, MISSED = "right", "wrong", "missed"


def measure() -> dict[tuple[str, str], Counter[str]]:
    """Return how many days are read right, by set and language; a day read in a question that names
    none is wrong. Sets: `t` built on, `h` held out, `s` and `u` by strangers, spent."""
    days, found = (
        calendar(defaults("cues"), "be"),
        defaultdict[tuple[str, str], Counter[str]](Counter),
    )
    for name in ("expressions", "no_day", "expressions_spent", "no_day_spent"):
        for row in _rows(DAYS / f"{name}.psv"):
            at = moment_of(MOMENTS[row.get("at") or "F"])
            moments = read(row["question"], row["language"], at, days)
            said = "/".join(
                dict.fromkeys(str(day) for m in moments[:1] for day in (m.first, m.last))
            )
            # Several answers may be right; a range is written "a/b" or "a..b".
            expected = row.get("expected", "").replace("..", "/").split() or [""]
            sort = RIGHT if said in expected else WRONG if said else MISSED
            found[f"{name.removesuffix('_spent')} {row['set']}", row["language"]][sort] += 1
    return found


def measure_hours() -> Mapping[str, Counter[str]]:
    """Return how many hours in sentences are read right, by set; "-" is what nobody may read."""
    days, found = calendar(defaults("cues"), "be"), defaultdict[str, Counter[str]](Counter)
    for row in _rows(DAYS / "hours.psv"):
        said = read_hours(row["hours"], row["language"], days)
        week = row["week"].replace("ma-zo 0:00-24:00", "dag en nacht")
        expected = Hours.parse({"week": week}).week if week != "-" else None
        is_right = (said.hours.week if said else None) == expected
        found[f"hours {row['set']}"][RIGHT if is_right else WRONG if said else MISSED] += 1
    return found


def _rows(path: Path) -> Iterator[Mapping[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file, delimiter="|", quoting=csv.QUOTE_NONE)


class Command(BaseCommand):
    help = "Measure the reading of days and hours on the labelled questions of lab/days."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take nothing: the questions are the laboratory's own."""

    def handle(self, *args: Any, **options: Any) -> None:
        hours = {(name, ""): counts for name, counts in measure_hours().items()}
        for (name, language), counts in sorted((measure() | hours).items()):
            told = "  ".join(f"{sort} {counts[sort]:3}" for sort in (RIGHT, WRONG, MISSED))
            self.stdout.write(f"{name:<14}{language}  {told}")
