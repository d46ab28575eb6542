"""`manage.py fit_ranking`: how loudly factors and statements speak for passages, from those that
answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any, TypeVar

from django.core.management.base import BaseCommand, CommandError, CommandParser

from chat.engines.embedded import weights as kept
from chat.engines.embedded.weights import WEIGHTS
from evaluation import judging
from evaluation.asking import Progress
from evaluation.cases import read_cases, stored_cases
from evaluation.configurations import USUAL
from evaluation.interview import Interview
from evaluation.lab import passages
from evaluation.lab.labelled import add_hospitals, files_of
from evaluation.lab.passages import TABLED, Labelled, Ranked, figures, fit, present
from evaluation.lab.statements import reading
from evaluation.lab.statements.reading import Read
from retrieval.steering import steering_of
from taxonomy.selectors import live_snapshot
from zol.commands import chosen_hospital, ensure_writable
from zol.errors import BadInput, ExpectedError
from zol.models import Hospital
from zol.tenancy import serving

T = TypeVar("T")
#: Questions below which what was fitted says too little to be kept.
LEAST = 100


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """The questions of a hospital with what was found, for both fits, and its voices."""

    ranked: Sequence[Ranked]
    read: Sequence[Read]
    voices: Mapping[str, float]


class Command(BaseCommand):
    help = (
        "Fit how loudly each factor speaks for a passage that was read, and its best statement, "
        "on golden questions with passages that answer. Shows what both do on questions that "
        "they were not fitted on. Voices are settings of retrieval, and their defaults stand in "
        "retrieval/tuning.py; what statements are worth is kept with --write."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        add_hospitals(parser)
        parser.add_argument(
            "--judged",
            action="append",
            default=[],
            metavar="SLUG=FILE.csv",
            help="of a hospital: what was graded 2 counts, in the place of the labels",
        )
        parser.add_argument("--write", action="store_true", help=f"into {kept.FILE.name}")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["write"]:
            ensure_writable(kept.FILE)
        try:
            hospitals = [
                chosen_hospital(slug) for slug in dict.fromkeys(options["hospital"] or [""])
            ]
            slugs = [each.slug for each in hospitals]
            golden = files_of(options["golden"], slugs)
            judged = files_of(options["judged"], slugs, "--judged")
            found: dict[str, Found] = {}
            for hospital in hospitals:
                with serving(hospital):
                    found[hospital.slug] = self._found(
                        hospital, golden.get(hospital.slug), judged.get(hospital.slug)
                    )
            if options["write"]:
                ensure_enough(found)
            # One by one: what a later fit lacks takes no earlier figures along.
            for line in chain(told(found), told_of_reading(found)):
                self.stdout.write(line)
            if options["write"]:
                self._write(found)
        except ExpectedError as error:
            raise CommandError(str(error)) from error

    def _found(self, hospital: Hospital, golden: Path | None, judged: Path | None) -> Found:
        """Rank the passages of a hospital's questions, for both fits."""
        tuning = steering_of(live_snapshot()).tuning
        cases = tuple(c for c in (read_cases(golden) if golden else stored_cases()) if c.passages)
        if judged:
            found = judging.judged(cases, judging.read_judgements(judged))
            cases = judging.ensure_any(found).cases
        if not cases:
            raise BadInput(f"No golden question of {hospital.slug} has labelled passages.")
        interview = Interview(hospital.default_language, USUAL)
        ranked: list[Ranked] = []
        known: list[Read] = []
        name = f"Ranking {hospital.slug}"
        with Progress(self.stdout, 2 * len(cases), done=0, name=name) as progress:
            for of_factors in passages.read(cases, interview, tuning):
                ranked += [of_factors] if of_factors else []
                progress.advance()
            for of_statements in reading.read(cases, interview, tuning):
                known += [of_statements] if of_statements else []
                progress.advance()
        return Found(ranked, known, present(tuning))

    def _write(self, found: Mapping[str, Found]) -> None:
        everything = others(found, "", lambda each: each.read)
        reads = reading.fit(everything, WEIGHTS.answers)
        try:
            kept.write(replace(WEIGHTS, reads=reads), kept.FILE)
        except OSError as error:
            raise BadInput(f"{kept.FILE.name} cannot be written: {error.strerror}.") from error
        self.stdout.write(f"Written to {kept.FILE.name}; processes read it when they start.")


def ensure_enough(found: Mapping[str, Found]) -> None:
    """Refuse to keep what too few questions would say."""
    known = answered(found, lambda each: each.read)
    if known < LEAST:
        raise BadInput(
            f"{known} questions with a passage that answers are too few to keep weights of: "
            f"{LEAST} are needed."
        )


def answered(found: Mapping[str, Found], of: Callable[[Found], Sequence[Labelled]]) -> int:
    """Return how many questions have a passage that answers among those found."""
    return sum(bool(each.rights.any()) for own in found.values() for each in of(own))


def told(found: Mapping[str, Found]) -> Iterator[str]:
    """Give the figures of every hospital, and the voices."""
    if answered(found, lambda each: each.ranked) < LEAST:
        yield f"Fewer than {LEAST} questions with a passage that answers: set no voices by these."
    yield f"{'':<32}{'questions':>28}{'nDCG@10':>10}{'recall@10':>11}"
    for slug, own in found.items():
        yield line("as boosts are tabled", slug, own.ranked, figures(own.ranked, TABLED))
    for slug, own in found.items():
        yield line("voices in force", slug, own.ranked, figures(own.ranked, own.voices))
    for slug, own in found.items() if len(found) > 1 else ():
        voices = fit(others(found, slug, lambda each: each.ranked), own.voices)
        yield line("fitted on the other hospitals", slug, own.ranked, figures(own.ranked, voices))
    known = next(iter(found.values())).voices
    fitted = fit(others(found, "", lambda each: each.ranked), known)
    for slug, own in found.items():
        yield line("fitted on all of these", slug, own.ranked, figures(own.ranked, fitted))
    yield f"\n{'':<32}{'in force':>10}{'fitted':>10}"
    yield from (f"{name:<32}{known[name]:>10.2f}{value:>10.2f}" for name, value in fitted.items())


def told_of_reading(found: Mapping[str, Found]) -> Iterator[str]:
    """Give the figures of every hospital by what statements speak, and what traits are worth."""
    questions = {slug: own.read for slug, own in found.items()}
    in_force, before = WEIGHTS.answers if WEIGHTS.reads is None else WEIGHTS.reads, WEIGHTS.answers
    yield f"\n{'statements':<32}{'questions':>28}{'nDCG@10':>10}{'recall@10':>11}"
    for name, worth in (("as quotations are chosen", before), ("in force", in_force)):
        for slug, own in questions.items():
            yield line(name, slug, own, reading.figures(own, worth))
    for slug, own in questions.items() if len(questions) > 1 else ():
        worth = reading.fit(others(found, slug, lambda each: each.read), before)
        yield line("fitted on the other hospitals", slug, own, reading.figures(own, worth))
    for slug, measured in reading.left_out(questions, before).items():
        yield line("fitted without these questions", slug, questions[slug], measured)
    fitted = reading.fit(others(found, "", lambda each: each.read), before)
    for slug, own in questions.items():
        yield line("fitted on all of these", slug, own, reading.figures(own, fitted))
    yield f"\n{'':<32}{'in force':>10}{'fitted':>10}"
    for name, value in fitted.items():
        yield f"{name:<32}{in_force.get(name, 0.0):>10.2f}{value:>10.2f}"


def others(found: Mapping[str, Found], slug: str, of: Callable[[Found], Sequence[T]]) -> list[T]:
    """Return the questions of all hospitals but one; of all where none is left out."""
    return [each for other, own in found.items() if other != slug for each in of(own)]


def line(what: str, slug: str, own: Sequence[object], measured: tuple[float, float]) -> str:
    gain, share = measured
    return f"{what:<32}{slug:<18}{len(own):>10}{gain:>10.3f}{share:>11.3f}"
