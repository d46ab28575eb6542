"""`manage.py calibrate FILE`: how sure the search must be here, by questions of the hospital."""

from __future__ import annotations

from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from chat import live
from evaluation.calibration import Probe, lowest, probe, rates, read_problems
from evaluation.commands import ProgressBar
from evaluation.intervals import Interval, auc
from retrieval.models import RetrievalSetting
from zol.commands import chosen_hospital, ensure_writable, named_user, write_json
from zol.errors import ExpectedError
from zol.models import Hospital
from zol.tenancy import acting, serving

#: Questions below which a share says too little to promise anything.
LEAST = 60
#: Sureties that are shown beside the one in force and the one that is found.
SHOWN = tuple(n / 10 for n in range(1, 10))
COLUMNS = {
    "answered": "answered surely", "wrong": "wrong page of these",
    "unanswerable": "unanswerable, surely", "hedged": "answerable, hedged",
}  # fmt: skip


class Command(BaseCommand):
    help = (
        "Find how sure a quotation must be to be shown as an answer; nothing that is asked is "
        'stored. FILE has lines of {"question", "language", "pages"}, or golden questions.'
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE")
        parser.add_argument("--hospital", default="", help="slug; needed when several are loaded")
        parser.add_argument(
            "--promise", type=float, default=0.05, help="share of sure answers that may be wrong"
        )
        parser.add_argument("--apply", action="store_true", help="save what was found in the draft")
        parser.add_argument("--by", default="", metavar="USER", help="who saves it")
        parser.add_argument("--json", type=Path, metavar="FILE", help="write everything here")

    def handle(self, *args: Any, **options: Any) -> None:
        hospital, promise = chosen_hospital(options["hospital"]), options["promise"]
        ensure_writable(options["json"])
        if not 0 < promise < 1:
            raise CommandError(f"--promise {promise}: give a share between 0 and 1, such as 0.05.")
        with serving(hospital):
            by = named_user(options["by"]) if options["by"] else None
            if options["apply"] and not (by and by.has_perm("retrieval.change_retrievalsetting")):
                raise CommandError("Name with --by somebody who may change retrieval settings.")
            try:
                report = self._report(hospital, options["file"], promise)
            except ExpectedError as error:
                raise CommandError(f"{error}\nNothing was changed.") from error
            for line in lines(report):
                self.stdout.write(line)
            if options["json"]:
                write_json(options["json"], report)
            if options["apply"]:
                self._apply(report["chosen"] if report["questions"] >= LEAST else None, by)

    def _report(self, hospital: Hospital, file: Path, promise: float) -> dict[str, Any]:
        asked = list(read_problems(file))
        problems = [(case, right) for case, right in asked if right is not None]
        found: list[Probe] = []
        with ProgressBar(self.stdout, len(problems), done=0) as progress:
            for case, right in problems:
                found += filter(None, [probe(case, right, hospital.default_language)])
                progress.advance()
        chosen, in_force = lowest(found, promise), live.tools().steering.tuning.sure_from
        shown = sorted({*SHOWN, in_force, *([chosen["surety"]] if chosen else [])})
        return {
            "hospital": hospital.slug, "questions": len(found),
            "languages": Counter(each.language for each in found),
            "answerable": sum(each.is_answerable for each in found),
            "unlabelled": len(asked) - len(problems), "undecided": len(problems) - len(found),
            "auc": auc([(each.surety, each.is_answerable) for each in found]), "promise": promise,
            "in_force": in_force, "chosen": chosen, "sureties": [rates(found, s) for s in shown],
        }  # fmt: skip

    def _apply(self, chosen: Mapping[str, Any] | None, by: Any) -> None:
        if chosen is None:
            raise CommandError("Nothing was changed: no surety is known to keep the promise.")
        with acting(by):
            RetrievalSetting.change({"sure_from": chosen["surety"]}, by)
        self.stdout.write(
            f"Saved in the draft: sure from {chosen['surety']:.2f}. Once it is published, "
            f"{1 - chosen['answered']['mean']:.0%} of such questions are hedged."
        )


def lines(report: Mapping[str, Any]) -> Iterator[str]:
    """Say what was found."""
    total, area = report["questions"], report["auc"]
    languages = ", ".join(f"{name} {count}" for name, count in sorted(report["languages"].items()))
    yield f"Questions in which a quotation decides: {total} ({languages or 'none'}),"
    yield f"of which {total - report['answerable']} are not answered by our pages. Left out are"
    yield f"{report['undecided']} that facts or staff answer, are refused or ask several, and"
    yield f"{report['unlabelled']} of which no searchable page is known, or that follow another."
    yield f"Answerable told from not (AUC): {'–' if area is None else f'{area:.3f}'}"
    yield f"\n{'sure from':<10}" + "".join(f"{title:>22}" for title in COLUMNS.values())
    for each in report["sureties"]:
        mark = "*" if each["surety"] == report["in_force"] else ""
        cells = (Interval(**each[name]) if each[name] else "–" for name in COLUMNS)
        yield f"{each['surety']:.2f}{mark:<6}" + "".join(f"{cell!s:>22}" for cell in cells)
    yield "* in force. Behind each share its interval of 95 % (Wilson).\n"
    if (chosen := report["chosen"]) is None:
        yield f"At no surety are {report['promise']:.1%} or fewer of the sure answers wrong."
    else:
        yield (
            f"The lowest surety that keeps the promise is {chosen['surety']:.2f}: "
            f"{chosen['wrong']['mean']:.1%} of the sure answers are of a wrong page, perhaps "
            f"{chosen['wrong']['high']:.1%}, and {1 - chosen['answered']['mean']:.0%} are hedged."
        )
    if total < LEAST:
        yield f"This is a guess: {total} questions tell, and {LEAST} are needed."
