"""Measure what stands in a model's evidence: `python -m lab evidence EXAM`.

An exam has a JSON object a line: id, hospital, question and what is wanted: `must`, a list of
{url, quote}, or `pages` (`page`), and a good answer, `ideal` (`expects`); or of several turns these
in a list. A quote is in the evidence when its letters and figures are, folded; of an answer its
figures are looked for. Earlier turns are told with their good answers. No model is asked.
"""

from __future__ import annotations

import json
import re
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from datetime import datetime
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from chat.pipeline import PIPELINE, run
from chat.sources.numbered import evidence_of
from chat.tools import Tools
from chat.turn import Context, Exchange, Turn
from chat.wiring import tools
from lab.floors import hospitals
from retrieval.tuning import RetrievalTuning, tuned
from zol.commands import chosen_hospital
from zol.tenancy import serving
from zol.text import fold

#: Stages that answer without a search; what is refused has no evidence.
ANSWERING = {"input_processing", "semantic_cache"}
NAMES = [stage.name for stage in PIPELINE]
STAGES = tuple(s for s in PIPELINE[: NAMES.index("generation")] if s.name not in ANSWERING)
_FIGURE = re.compile(r"\d+(?:[.,:/]\d+)*")


class Command(BaseCommand):
    help = "Measure what stands in a model's evidence for the questions of an exam."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", type=Path)
        parser.add_argument("--tokens", default="8000", help="budgets to compare: 4000,8000")
        parser.add_argument(
            "--at", default="2026-11-28T10:00", help="the time on the hospital's clock"
        )
        parser.add_argument("--limit", type=int, default=RetrievalTuning().limit, help="passages")
        parser.add_argument("--misses", action="store_true", help="print what is not there")

    def handle(self, *args: Any, **options: Any) -> None:
        hospitals.ready(Path(settings.STATE_DIR))
        budgets = [int(number) for number in options["tokens"].split(",")]
        counts = {budget: Counter[str]() for budget in budgets}
        sizes: dict[int, list[int]] = {budget: [] for budget in budgets}
        seconds, at = list[float](), datetime.fromisoformat(options["at"])
        for line in (line for file in options["files"] for line in file.open(encoding="utf-8")):
            exam = json.loads(line)
            with serving(chosen_hospital(exam["hospital"])):
                for turn, wanted in turns_of(exam):
                    used = with_setting(tools(at=at), "limit", options["limit"])
                    ctx, _trace = run(turn, used, STAGES)
                    for budget in budgets:
                        began = perf_counter()
                        tally, size = measured(
                            ctx, with_setting(used, "context_tokens", budget), wanted
                        )
                        seconds.append(perf_counter() - began)
                        counts[budget] += tally
                        sizes[budget].append(size)
                        if options["misses"] and (missed := wanted["missed"]):
                            self.stdout.write(f"{budget} {exam['id']}: {turn.question} {missed}")
        for budget in budgets:
            self.stdout.write(f"{budget}: {told(counts[budget], sizes[budget])}")
        self.stdout.write(f"milliseconds of evidence, median: {median(seconds) * 1000:.0f}")


def turns_of(exam: Mapping[str, Any]) -> Iterator[tuple[Turn, dict[str, Any]]]:
    """Yield each turn with those before it, and what is wanted of it: its pages, an answer and
    what must be said."""
    said = exam.get("turns") or [exam]
    asked = [each if isinstance(each, str) else each["question"] for each in said]
    own = [{} if isinstance(each, str) else each for each in said]
    pages = _of_turns(exam.get("pages") or exam.get("page") or [], len(asked))
    expects = _of_turns(exam.get("ideal") or exam.get("expects") or [], len(asked))
    history: tuple[Exchange, ...] = ()
    for number, question in enumerate(asked):
        must = own[number].get("must") or []
        named = [each["url"] for each in must] or pages[number]
        answer = " ".join(expects[number]) or str(own[number].get("ideal") or "")
        wanted = {"pages": named, "answer": answer, "must": must}
        yield Turn(question, history=history), wanted
        history += (Exchange(question, answer, tuple(named)),)


def _of_turns(said: Any, count: int) -> list[list[str]]:
    """Return what an exam says turn by turn; of several, nothing where it says it of all."""
    listed = [said] if isinstance(said, str) else said
    if count == 1:
        return [[str(each) for each in listed]]
    return [[str(each)] for each in listed] if len(listed) == count else [[]] * count


def with_setting(used: Tools, name: str, value: int) -> Tools:
    tuning = tuned(asdict(used.steering.tuning) | {name: value})
    return replace(used, steering=replace(used.steering, tuning=tuning))


def measured(ctx: Context, used: Tools, wanted: dict[str, Any]) -> tuple[Counter[str], int]:
    """Return what is counted of one turn's evidence, and its tokens."""
    found = evidence_of(ctx, used)
    lines = [line for source in found.sources for line in source.lines]
    # An exam quotes rows with the names of their columns, or without.
    bodies = (" ".join(cell for _, cell in line.cells) for line in lines)
    read = bare(" ".join((*(line.full_text for line in lines), *bodies)))
    figures = {bare(each) for line in lines for each in _FIGURE.findall(line.text)}
    missed = [each["quote"] for each in wanted["must"] if bare(each["quote"]) not in read]
    said = {bare(each) for each in _FIGURE.findall(wanted["answer"])}
    known = used.corpus.pages.by_path
    pages = {known[page].url if page in known else page.rstrip("/") for page in wanted["pages"]}
    there = pages & {source.citation.url.rstrip("/") for source in found.sources}
    wanted["missed"] = missed or ([] if there else sorted(pages))
    tally = Counter[str](
        turns=1,
        lines=len(lines),
        under=sum(bool(line.above) for line in lines),
        left_out=len(found.left_out),
        quotes=len(wanted["must"]),
        quotes_there=len(wanted["must"]) - len(missed),
        figures=len(said),
        figures_there=len(said & figures),
        pages=int(bool(pages)),
        pages_there=int(bool(there)),
    )
    return tally, found.tokens


def told(count: Mapping[str, int], sizes: Sequence[int]) -> str:
    """Return a budget's figures as a line."""
    shares = [
        ("right page", "pages"),
        ("quotes", "quotes"),
        ("figures of expected answers", "figures"),
    ]
    said = [f"{name} {count[f'{of}_there']} of {count[of]}" for name, of in shares if count[of]]
    under = (
        f"{count['under'] / max(1, count['lines']):.0%} of {count['lines']} lines under something"
    )
    tokens = f"{median(sizes):.0f} tokens in the middle, {max(sizes)} at most"
    return "; ".join(
        (f"{count['turns']} turns", *said, tokens, under, f"{count['left_out']} left out")
    )


def bare(text: str) -> str:
    """Return the folded letters and digits alone: numbers are written with and without spaces."""
    return re.sub(r"[\W_]+", "", fold(text))
