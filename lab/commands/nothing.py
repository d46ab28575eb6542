"""Measure what the embedded engine says that no page tells: `python -m lab nothing`.

`lab/nothing/questions.jsonl` has an object a line: a question that the pages of its hospital do not
answer (`unanswerable`, with the words that no page has, `absent`), its neighbour that a page
answers (`url`, `quote`), or one about nothing of a hospital (`off_topic`). Thresholds were chosen
on the half `tune`; the other half, `report`, was read afterwards.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from chat.behaviours import Behaviour, Certainty
from chat.checking.base import NumberedEvidence
from chat.engines.embedded.answer import NEAR, Answering
from chat.pipeline import PIPELINE, run
from chat.turn import Context, Turn
from chat.wiring import tools
from lab.floors import hospitals
from lab.floors.sets import progress, rows_of
from lab.paths import LAB
from zol.commands import chosen_hospital
from zol.tenancy import serving

QUESTIONS = LAB / "nothing" / "questions.jsonl"
#: Thresholds of the curve, beside the product's own.
CURVE = (0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5)
KINDS = {"unanswerable": "says nothing", "neighbour": "refused", "off_topic": "refused"}


@dataclass(frozen=True, slots=True)
class Asked:
    """A row of the set, whether nothing was told, and how likely the best that was found is."""

    row: Mapping[str, Any]
    is_nothing: bool
    is_refused: bool
    chance: float

    def tells_nothing(self, least: float) -> bool:
        """Return whether the engine would say nothing at another threshold."""
        return self.is_refused or self.chance < least


class Command(BaseCommand):
    help = "Ask questions that no page answers, and their neighbours that one does."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", nargs="?", type=Path, default=QUESTIONS)
        parser.add_argument("--misses", choices=("tune", "report"), help="print the wrong ones")

    def handle(self, *args: Any, **options: Any) -> None:
        hospitals.ready(Path(settings.STATE_DIR))
        asked = list(answered(rows_of(options["file"])))
        for half in sorted({each.row["half"] for each in asked}, reverse=True):
            mine = [each for each in asked if each.row["half"] == half]
            for at in sorted({NEAR, *CURVE}):
                self.stdout.write(f"{half} from {at:.2f}  {line(mine, at)}")
            for key in ("hospital", "language"):
                for value in sorted({each.row[key] for each in mine}):
                    some = [each for each in mine if each.row[key] == value]
                    self.stdout.write(f"{half} {value:<10}  {line(some, NEAR)}")
            self.stdout.write(f"{half} as answered {line(mine)}")
        for each in asked if options["misses"] else ():
            is_right = each.is_nothing is (each.row["kind"] != "neighbour")
            if each.row["half"] == options["misses"] and not is_right:
                row = each.row
                self.stdout.write(
                    f"{row['kind']} {row['language']} {each.chance:.2f} {row['question']}"
                )


def answered(rows: Iterable[Mapping[str, Any]]) -> Iterator[Asked]:
    """Ask each question and yield what became of it."""
    for row in progress(list(rows), "nothing"):
        hospital = chosen_hospital(row["hospital"])
        with serving(hospital):
            kit = tools(flags={"cache": False})
            ctx, _trace = run(Turn(row["question"], hospital.default_language), kit, PIPELINE)
            is_refused = ctx.behaviour is not Behaviour.ANSWER
            is_nothing = is_refused or ctx.reply.certainty is Certainty.NOTHING
            yield Asked(row, is_nothing, is_refused, chance_of(ctx, kit))


def chance_of(ctx: Context, kit: Any) -> float:
    """Return how likely the best that was found answers, also where that is too little."""
    evidence = ctx.dossier.evidence or NumberedEvidence()
    parts = [Answering(part, ctx, evidence, kit) for part in ctx.parts or (ctx,)]
    return max(max(part.surety, part.sections.surety) for part in parts)


def line(asked: Iterable[Asked], least: float | None = None) -> str:
    """Count the questions of each kind that get no answer, as it is or at another threshold."""
    told, whole = Counter[str](), Counter[str]()
    for each in asked:
        whole[each.row["kind"]] += 1
        nothing = each.is_nothing if least is None else each.tells_nothing(least)
        told[each.row["kind"]] += nothing
    return ", ".join(
        f"{kind} {name} {told[kind]}/{whole[kind]} = {told[kind] / whole[kind]:.0%}"
        for kind, name in KINDS.items()
        if whole[kind]
    )
