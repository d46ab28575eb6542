"""`manage.py fit_statements`: what the traits of a statement are worth, from golden questions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from chat.answering.quotation import weights as kept
from chat.answering.quotation.weights import WEIGHTS, Weights
from evaluation.cases import Case, read_cases, stored_cases
from evaluation.commands import ProgressBar
from evaluation.configurations import USUAL
from evaluation.interview import Interview
from evaluation.lab.statements import figures
from evaluation.lab.statements.candidates import LabelledQuestion, read
from evaluation.lab.statements.figures import Questions, StatementFigures, fit
from zol.commands import chosen_hospital
from zol.errors import BadInput, ExpectedError
from zol.tenancy import serving

#: Questions with a statement that answers, below which fitted weights say too little to be kept.
LEAST = 100
PRESENT, LEFT_OUT = "present weights", "fitted without these questions"
ELSEWHERE = "fitted on the other hospitals"


class Command(BaseCommand):
    help = (
        "Fit what the traits of a statement are worth, and how sure an answer is, on golden "
        "questions whose right pages and passages are known. Shows how the weights do on questions "
        "that they were not fitted on; keeps them only with --write."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        add_hospitals(parser)
        doing = parser.add_mutually_exclusive_group()
        doing.add_argument("--check", action="store_true", help="only how the present weights do")
        doing.add_argument("--write", action="store_true", help=f"into {kept.FILE.name}")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            self._fit(options)
        except ExpectedError as error:
            raise CommandError(str(error)) from error
        except OSError as error:
            raise CommandError(f"{kept.FILE.name} cannot be written: {error.strerror}.") from error

    def _fit(self, options: Mapping[str, Any]) -> None:
        hospitals = [chosen_hospital(slug) for slug in dict.fromkeys(options["hospital"] or [""])]
        files = files_of(options["golden"], [hospital.slug for hospital in hospitals])
        questions = {}
        for hospital in hospitals:
            with serving(hospital):
                path = files.get(hospital.slug)
                cases = read_cases(path) if path else stored_cases()
                interview = Interview(hospital.default_language, USUAL)
                questions[hospital.slug] = self._asked(hospital.slug, cases, interview)
        self._say(told(PRESENT, figures.known(questions, WEIGHTS)), with_head=True)
        if not options["check"]:
            self._refit(questions, writes=options["write"])

    def _asked(
        self, slug: str, cases: Sequence[Case], interview: Interview
    ) -> list[LabelledQuestion]:
        """Ask the questions of a hospital; some must have answers that are known."""
        if not any(case.passages or case.sources for case in cases):
            raise BadInput(f"No golden question of {slug} is labelled with what answers it.")
        found = []
        with ProgressBar(self.stdout, len(cases), name=f"Asking {slug}") as progress:
            for each in read(cases, interview):
                found += [each] if each else []
                progress.advance()
        if not figures.can_be_fitted(found):
            raise BadInput(f"No labelled statement of {slug} was found: nothing to fit on.")
        return found

    def _refit(self, questions: Questions, *, writes: bool) -> None:
        everything = [each for asked in questions.values() for each in asked]
        labelled = sum(each.is_labelled for each in everything)
        if writes and labelled < LEAST:
            raise BadInput(
                f"{labelled} questions are too few to keep weights of: {LEAST} are needed."
            )
        sure_by = tuple(WEIGHTS.surety)
        self._say(told(LEFT_OUT, figures.cross_validated(questions, sure_by)))
        self._say(told(ELSEWHERE, figures.across(questions, sure_by)))
        # What statements speak for their passages is fitted on passages that were judged.
        fitted = fit(everything, sure_by)
        # What a passage's weight counts is set (`weights` says why), not fitted.
        answers = {**fitted.answers, "page_weight": WEIGHTS.answers["page_weight"]}
        fitted = replace(fitted, answers=answers, reads=WEIGHTS.reads)
        self._say(beside(WEIGHTS, fitted))
        if writes:
            kept.write(fitted, kept.FILE)
            self.stdout.write(f"Written to {kept.FILE.name}; processes read it when they start.")
        else:
            self.stdout.write("Nothing was changed; --write keeps the fitted weights.")

    def _say(self, lines: Iterator[str], *, with_head: bool = False) -> None:
        if with_head:
            columns = ("questions", "right first", "of first 3", "right page", "AUC")
            self.stdout.write(f"{'':<48}" + "".join(f"{name:>12}" for name in columns))
        for line in lines:
            self.stdout.write(line)
        self.stdout.flush()


def told(what: str, found: Mapping[str, StatementFigures]) -> Iterator[str]:
    """Give the figures of each hospital on a line."""
    for slug, each in found.items():
        rates = (each.first, each.among, each.page, each.auc)
        shown = "".join(f"{'–' if rate is None else f'{rate:.3f}':>12}" for rate in rates)
        yield f"{what:<32}{slug:<16}{each.questions:>12}{shown}"


def beside(present: Weights, fitted: Weights) -> Iterator[str]:
    """Give the present and the fitted weights."""
    yield f"\n{'':<32}{'present':>10}{'fitted':>10}"
    now, then = kept.rows_of(present), kept.rows_of(fitted)
    for (part, trait), value in then.items():
        yield f"{part:<12}{trait:<20}{now.get((part, trait), 0.0):>10.2f}{value:>10.2f}"


def add_hospitals(parser: CommandParser) -> None:
    parser.add_argument(
        "--hospital", action="append", default=[], metavar="SLUG", help="may be repeated"
    )
    parser.add_argument(
        "--golden",
        action="append",
        default=[],
        metavar="SLUG=FILE",
        help="questions of a hospital, instead of the stored ones",
    )


def files_of(
    settings: Sequence[str], slugs: Sequence[str], option: str = "--golden"
) -> dict[str, Path]:
    """Return the files that an option gives, by hospital."""
    found = {}
    for setting in settings:
        slug, _, path = setting.partition("=")
        if slug not in slugs or not path:
            raise BadInput(f"{option} {setting}: give SLUG=FILE, of one of {', '.join(slugs)}.")
        found[slug] = Path(path)
    return found
