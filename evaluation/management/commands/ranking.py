"""`manage.py ranking`: how well passages are ranked, with and without each stage."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from evaluation import rankings
from evaluation.asking import Progress
from evaluation.cases import Case, read_cases, select, stored_cases
from evaluation.configurations import USUAL
from evaluation.interview import Interview
from retrieval.steering import steering_of
from taxonomy.selectors import live_snapshot
from zol.commands import chosen_hospital
from zol.errors import BadInput, ExpectedError
from zol.models import Hospital
from zol.tenancy import serving


class Command(BaseCommand):
    help = (
        "Rank the passages of golden questions that have labels, with and without each stage, "
        "and show what steering does about pages on the wrong subject. Nothing is answered."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--hospital", default="", help="slug; needed when several are loaded")
        parser.add_argument(
            "--golden", type=Path, metavar="FILE", help="instead of the stored ones"
        )
        parser.add_argument("--category", default="", help="only questions of this category")
        parser.add_argument("--language", default="", help="only questions in this language")
        parser.add_argument(
            "--steering", action="store_true", help="only with and without the affinity matrix"
        )
        parser.add_argument("--json", type=Path, metavar="FILE", help="write everything here")

    def handle(self, *args: Any, **options: Any) -> None:
        hospital = chosen_hospital(options["hospital"])
        try:
            with serving(hospital):
                report = self._measure(hospital, options)
        except ExpectedError as error:
            raise CommandError(str(error)) from error
        for line in lines(report):
            self.stdout.write(line)
        if options["json"]:
            text = json.dumps(report, ensure_ascii=False, indent=1)
            options["json"].write_text(text + "\n", encoding="utf-8")

    def _measure(self, hospital: Hospital, options: Mapping[str, Any]) -> dict[str, Any]:
        cases = labelled(options)
        steered = (rankings.ALL, rankings.UNSTEERED)
        names = steered if options["steering"] else tuple(rankings.VARIANTS)
        interview = Interview(hospital.default_language, USUAL)
        steering = steering_of(live_snapshot())
        found: dict[str, list[rankings.Ranked]] = {name: [] for name in names}
        with Progress(self.stdout, len(cases), done=0, name="Ranking") as progress:
            for each in rankings.rank(cases, interview, steering, names):
                for name, ranked in each.items():
                    found[name].append(ranked)
                progress.advance()
        return rankings.report_json(cases, {name: tuple(all_) for name, all_ in found.items()})


def labelled(options: Mapping[str, Any]) -> tuple[Case, ...]:
    """Return the questions asked for that have labelled passages."""
    path = options["golden"]
    cases = read_cases(path) if path else stored_cases()
    chosen = select(cases, category=options["category"], language=options["language"])
    found = tuple(case for case in chosen if case.passages)
    if not found:
        raise BadInput("None of these golden questions has labelled passages.")
    return found


def lines(report: Mapping[str, Any]) -> Iterator[str]:
    """Give the stages, the contaminations one by one, and what steering does about all of them."""
    yield f"{report['questions']} questions with labelled passages."
    yield f"{'':<30}{'nDCG@10':>9}{'95 % interval':>18}{'recall@10':>11}"
    for name, found in report["stages"].items():
        between = " … ".join(f"{value:.3f}" for value in found["interval"])
        yield f"{name:<30}{found['ndcg@10']:>9.3f}{between:>18}{found['recall@10']:>11.3f}"
    yield from contaminated(report["contaminations"])


def contaminated(report: Mapping[str, Any]) -> Iterator[str]:
    yield ""
    yield f"{report['questions']} contaminations: without steering, others among the first five."
    yield (
        f"{'question':<28}{'asks for':<15}{'first without':<15}{'first with':<15}{'labelled':>12}"
    )
    for each in report["each"]:
        subjects = "".join(f"{name:<15}" for name in (each["wanted"] or "–", *each["subject"]))
        yield f"{each['id']:<28}{subjects}{_arrow(each['place']):>12}"
    yield f"{'':<30}{'without':>9}{'with':>9}"
    for name, value in report["before"].items():
        yield f"{name:<30}{value:>9}{report['after'][name]:>9}"


def _arrow(places: Sequence[int]) -> str:
    before, after = (str(place) if place else "–" for place in places)
    return f"{before} → {after}"
