"""Measure the Value Framework: `python -m lab steering [FILE…]`.

A set has a JSON object a line: hospital, language, question, and the paths of the pages that
answer (`right`). Each question is answered with the framework off and on. A model is judged by the
first page of its evidence and by whether a right page is anywhere in it, the embedded engine by the
first page that it shows. No model is asked.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from chat.engines.embedded.answer import generate
from chat.pipeline import run
from chat.sources.numbered import evidence_of
from chat.sources.pages import pages_of
from chat.tools import Tools
from chat.turn import Context, Turn
from chat.wiring import tools
from lab.commands.evidence import STAGES
from lab.floors import hospitals
from lab.paths import LAB
from zol.commands import chosen_hospital
from zol.tenancy import serving

SETS = (LAB / "steering" / "contaminations.jsonl", LAB / "steering" / "plain.jsonl")
SWITCH = "value_framework"


@dataclass(frozen=True, slots=True)
class First:
    """The first page of the evidence and the first one shown, by path, and subject and row."""

    evidence: str
    shown: str
    #: Paths of all pages of the evidence.
    pages: frozenset[str]
    category: str = ""
    row: str = ""


class Command(BaseCommand):
    help = "Measure what the Value Framework changes in first evidence and answers."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="*", type=Path, default=SETS)
        parser.add_argument("--misses", action="store_true", help="print what is not right")

    def handle(self, *args: Any, **options: Any) -> None:
        hospitals.ready(Path(settings.STATE_DIR))
        for file in options["files"]:
            asked = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
            sides = [(each, firsts(each)) for each in asked]
            for name, is_right in MEASURES.items():
                hits = [[is_right(x, {*each["right"]}) for x in side] for each, side in sides]
                off, on = (sum(hit[n] for hit in hits) for n in (0, 1))
                lost = sum(hit[0] and not hit[1] for hit in hits)
                self.stdout.write(
                    f"{file.stem}, {name}: right {off} off, {on} on, of {len(asked)}; "
                    f"right to wrong {lost}"
                )
            for each, (without, with_it) in sides if options["misses"] else ():
                if not {with_it.evidence, with_it.shown} <= {*each["right"]}:
                    self.stdout.write(
                        f"{each['question']} {each['right']}\n  {without}\n  {with_it}"
                    )


#: What counts as right, by name.
MEASURES: Mapping[str, Callable[[First, set[str]], bool]] = {
    "first evidence": lambda found, right: found.evidence in right,
    "anywhere in evidence": lambda found, right: bool(found.pages & right),
    "first shown": lambda found, right: found.shown in right,
}


def firsts(asked: Mapping[str, Any]) -> tuple[First, First]:
    """Return what comes first with the framework off and on."""
    with serving(chosen_hospital(asked["hospital"])):
        off, on = (_first(asked, tools(flags={SWITCH: is_on})) for is_on in (False, True))
    return off, on


def _first(asked: Mapping[str, Any], used: Tools) -> First:
    ctx, _trace = run(Turn(asked["question"], language=asked["language"]), used, STAGES)
    ranked = pages_of(ctx, used)
    best = ranked[0].best if ranked else None
    ctx = ctx.learn(evidence=evidence_of(ctx, used, for_asker=True))
    evidence = ctx.dossier.evidence
    paths = {page.url: path for path, page in used.corpus.pages.by_path.items()}
    sources = evidence.by_number.values() if evidence else ()
    return First(
        best.source.path if best else "",
        next(_shown(ctx, used, paths), ""),
        frozenset(paths.get(each.citation.url, each.citation.url) for each in sources),
        best.category if best else "",
        ctx.found.steering_row,
    )


def _shown(ctx: Context, used: Tools, paths: Mapping[str, str]) -> Iterator[str]:
    """Yield the pages that the embedded engine shows, in order."""
    evidence = ctx.dossier.evidence
    for claim in generate(ctx, (), used):
        for line in claim.lines:
            source = evidence.by_number[int(line.partition(".")[0])] if evidence else None
            if source and source.n > 1:
                yield paths.get(source.citation.url, source.citation.url)
