"""`manage.py fit_ranking`: how loudly factors speak for passages, from labelled ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from evaluation.asking import Progress
from evaluation.cases import read_cases, stored_cases
from evaluation.configurations import USUAL
from evaluation.interview import Interview
from evaluation.labelled import add_hospitals, files_of
from evaluation.passages import TABLED, Ranked, figures, fit, present, read
from retrieval.steering import steering_of
from retrieval.tuning import RetrievalTuning
from taxonomy.selectors import live_snapshot
from zol.commands import chosen_hospital
from zol.errors import BadInput, ExpectedError
from zol.models import Hospital
from zol.tenancy import serving


class Command(BaseCommand):
    help = (
        "Fit how loudly each factor speaks for a passage that was read, on golden questions with "
        "labelled passages. Shows what the voices do on a hospital that they were not fitted on, "
        "and changes nothing: they are settings of retrieval, and their defaults stand in "
        "retrieval/tuning.py."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        add_hospitals(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            hospitals = [
                chosen_hospital(slug) for slug in dict.fromkeys(options["hospital"] or [""])
            ]
            files = files_of(options["golden"], [each.slug for each in hospitals])
            questions, now = {}, {}
            for hospital in hospitals:
                with serving(hospital):
                    tuning = steering_of(live_snapshot()).tuning
                    now[hospital.slug] = present(tuning)
                    questions[hospital.slug] = self._ranked(hospital, files, tuning)
            for line in told(questions, now):
                self.stdout.write(line)
        except ExpectedError as error:
            raise CommandError(str(error)) from error

    def _ranked(
        self, hospital: Hospital, files: Mapping[str, Any], tuning: RetrievalTuning
    ) -> list[Ranked]:
        path = files.get(hospital.slug)
        cases = [case for case in (read_cases(path) if path else stored_cases()) if case.passages]
        if not cases:
            raise BadInput(f"No golden question of {hospital.slug} has labelled passages.")
        interview = Interview(hospital.default_language, USUAL)
        found: list[Ranked] = []
        name = f"Ranking {hospital.slug}"
        with Progress(self.stdout, len(cases), done=0, name=name) as progress:
            for each in read(cases, interview, tuning):
                found += [each] if each else []
                progress.advance()
        return found


def told(
    questions: Mapping[str, Sequence[Ranked]], now: Mapping[str, Mapping[str, float]]
) -> Iterator[str]:
    """Give the figures of every hospital, and the voices."""
    yield f"{'':<32}{'questions':>28}{'nDCG@10':>10}{'recall@10':>11}"
    for slug, own in questions.items():
        yield line("as boosts are tabled", slug, own, TABLED)
    for slug, own in questions.items():
        yield line("voices in force", slug, own, now[slug])
    for slug, own in questions.items() if len(questions) > 1 else ():
        others = [each for other, all_ in questions.items() if other != slug for each in all_]
        yield line("fitted on the other hospitals", slug, own, fit(others))
    fitted = fit([each for all_ in questions.values() for each in all_])
    for slug, own in questions.items():
        yield line("fitted on all of these", slug, own, fitted)
    yield f"\n{'':<32}{'in force':>10}{'fitted':>10}"
    known = next(iter(now.values()))
    yield from (f"{name:<32}{known[name]:>10.2f}{value:>10.2f}" for name, value in fitted.items())


def line(what: str, slug: str, own: Sequence[Ranked], voices: Mapping[str, float]) -> str:
    gain, share = figures(own, voices)
    return f"{what:<32}{slug:<18}{len(own):>10}{gain:>10.3f}{share:>11.3f}"
