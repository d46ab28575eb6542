"""Measure what a file of situations and look-alikes gets: heard, the right text, false alarms.

    .venv/bin/python evaluation/lab/safety/measure.py FILE [--hospital SLUG] [--quiet]

Each message goes through the stages of the product up to `refuse`, over the published rows of a
hospital that is loaded. Every miss, false alarm and wrong text is printed with its chance.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from statistics import quantiles
from time import perf_counter
from typing import Any

import django

sys.path.insert(0, str(Path(__file__).parents[3]))

from zol.embedded.entrance import prepare

#: The text that each sort is to be answered with.
TEXTS = {"emergency": "emergency", "crisis": "emergency_suicide", "poison": "emergency_poison"}
LAST = "refuse"


@dataclass(frozen=True)
class MeasuredMessage:
    """A message, and what the product made of it."""

    row: dict[str, Any]
    is_alarm: bool
    is_right: bool
    kind: str
    chance: float
    ms: float

    @property
    def is_situation(self) -> bool:
        return bool(self.row["expect"] != "none")


def measured(rows: Iterable[dict[str, Any]], slug: str) -> list[MeasuredMessage]:
    """Return what a hospital's stages make of messages."""
    from chat import live  # noqa: PLC0415 - Django is set up first
    from chat.pipeline import PIPELINE, run  # noqa: PLC0415
    from chat.services import in_own_letters, redacted  # noqa: PLC0415
    from chat.turn import Turn  # noqa: PLC0415
    from zol.commands import chosen_hospital  # noqa: PLC0415
    from zol.tenancy import serving  # noqa: PLC0415

    names = [step.name for step in PIPELINE]
    steps = [s for s in PIPELINE[: names.index(LAST) + 1] if not s.name.startswith("read_cache")]
    with serving(chosen_hospital(slug)):
        tools = live.tools()
        run(Turn("waar kan ik parkeren", "nl"), tools, steps)
        found = []
        for row in rows:
            started = perf_counter()
            turn = in_own_letters(Turn(redacted(row["text"]).text, "nl"), tools.snapshot)
            ctx, _ = run(turn, tools, steps)
            ms = (perf_counter() - started) * 1000
            is_alarm = str(ctx.behaviour) == "emergency"
            wanted = TEXTS.get(row["expect"], "emergency")
            texts = (tools.phrases.say(wanted, code) for code in ctx.understanding.answered_in)
            is_right = is_alarm and any(text in ctx.answer for text in texts)
            chance = tools.hear(turn.question, tools.snapshot).chance
            found.append(MeasuredMessage(row, is_alarm, is_right, ctx.red_flag, chance, ms))
    return found


def share(name: str, those: list[MeasuredMessage], holds: Callable[[MeasuredMessage], bool]) -> str:
    """Return a line of a table: how many hold, of how many."""
    count = sum(map(holds, those))
    return f"  {name:<14}{count:>5} of {len(those):<5}{count / max(1, len(those)):.1%}"


def report(found: list[MeasuredMessage], *, quiet: bool) -> None:
    """Print what was measured."""
    situations = [one for one in found if one.is_situation]
    alike = [one for one in found if not one.is_situation]
    print(share("heard", situations, lambda one: one.is_alarm))
    print(share("right text", situations, lambda one: one.is_right))
    print(share("false", alike, lambda one: one.is_alarm))
    if len(found) > 1:
        cuts = quantiles((one.ms for one in found), n=20)
        print(f"  up to {LAST}: median {cuts[9]:.1f} ms, 95 % under {cuts[18]:.1f} ms")
    for title, those, key in (
        ("heard by language", situations, "language"),
        ("heard by sort", situations, "expect"),
        ("false by language", alike, "language"),
    ):
        print(title)
        for value in sorted({str(one.row[key]) for one in those}):
            mine = [one for one in those if str(one.row[key]) == value]
            print(share(value, mine, lambda one: one.is_alarm))
    if quiet:
        return
    for title, those in (
        ("MISSED", [one for one in situations if not one.is_alarm]),
        ("FALSE", [one for one in alike if one.is_alarm]),
        ("OTHER TEXT", [one for one in situations if one.is_alarm and not one.is_right]),
    ):
        print(f"{title} ({len(those)})")
        for one in those:
            row = one.row
            print(f"  {row['language']} {row['expect']} {one.kind} {one.chance} {row['text']}")


def main() -> None:
    """Read the command line, measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--hospital", default="zol-demo")
    parser.add_argument("--quiet", action="store_true", help="leave out the messages")
    options = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "zol.settings")
    prepare(["shell"])
    django.setup()
    lines = options.file.read_text(encoding="utf-8").splitlines()
    report(measured(map(json.loads, filter(None, lines)), options.hospital), quiet=options.quiet)


if __name__ == "__main__":
    main()
