"""`manage.py ranking`: how well passages are ranked, with and without each stage."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from evaluation import judging, rankings
from evaluation.cases import Case, read_cases, select, stored_cases
from evaluation.configurations import USUAL
from evaluation.interview import Interview
from evaluation.management.measuring import OfGolden
from evaluation.workers import Progress
from retrieval.steering import steering_of
from taxonomy.selectors import live_snapshot
from zol.commands import chosen_hospital, ensure_writable
from zol.errors import BadInput
from zol.models import Hospital
from zol.tenancy import serving


class Command(OfGolden):
    help = (
        "Rank the passages of golden questions that have labels, with and without each stage, "
        "and show what steering does about pages on the wrong subject. Nothing is answered."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--steering", action="store_true", help="only with and without the affinity matrix"
        )
        parser.add_argument(
            "--judged",
            type=Path,
            metavar="FILE.csv",
            help="what was graded 2 counts, in the place of the labels",
        )
        parser.add_argument(
            "--pool",
            type=Path,
            metavar="FILE.csv",
            help="write what is found within ten, to be graded; all grades of --judged stay",
        )

    def measure(self, **options: Any) -> Mapping[str, Any] | None:
        hospital = chosen_hospital(options["hospital"])
        ensure_writable(options["pool"])
        ensure_kept(options)
        with serving(hospital):
            return (self._pool if options["pool"] else self._report)(hospital, options)

    def _report(self, hospital: Hospital, options: Mapping[str, Any]) -> Mapping[str, Any]:
        cases, known, judged = labelled(options), None, {}
        if options["judged"]:
            judgements = judging.read_judgements(options["judged"])
            found = judging.ensure_any(judging.judged(cases, judgements))
            cases, known = found.cases, found.known
            judged = {"judged": {"unanswered": found.unanswered, "gone": found.gone}}
        ranked = self._rank(hospital, cases, options, known)
        return rankings.report_json(cases, ranked) | judged

    def _pool(self, hospital: Hospital, options: Mapping[str, Any]) -> None:
        cases, path = labelled(options), options["pool"]
        judgements = judging.read_judgements(options["judged"]) if options["judged"] else {}
        found: dict[str, set[int]] = {case.key: set() for case in cases}
        for ranked in self._rank(hospital, cases, options, None).values():
            for each in ranked:
                found[each.key].update(each.ranking)
        pool = judging.pool_of(cases, found, judgements)
        judging.write_pool(path, pool)
        passages = [each for own in pool.values() for each in own.values()]
        missing = sum(each.grade is None for each in passages)
        self.stdout.write(f"{path}: {len(passages)} passages, of which {missing} lack a grade.")

    def _rank(
        self,
        hospital: Hospital,
        cases: Sequence[Case],
        options: Mapping[str, Any],
        known: Mapping[str, frozenset[int]] | None,
    ) -> dict[str, tuple[rankings.Ranked, ...]]:
        steered = (rankings.ALL, rankings.UNSTEERED)
        names = steered if options["steering"] else tuple(rankings.VARIANTS)
        interview = Interview(hospital.default_language, USUAL)
        steering = steering_of(live_snapshot())
        found: dict[str, list[rankings.Ranked]] = {name: [] for name in names}
        with Progress(self.stdout, len(cases), name="Ranking") as progress:
            for each in rankings.rank(cases, interview, steering, names, known):
                for name, ranked in each.items():
                    found[name].append(ranked)
                progress.advance()
        return {name: tuple(ranked) for name, ranked in found.items()}

    def lines(self, report: Mapping[str, Any]) -> Iterator[str]:
        """Give the stages, each contamination, and what steering does about all of them."""
        if judged := report.get("judged"):
            yield f"{report['questions']} questions of which a judged passage answers."
            yield f"{judged['unanswered']} others have none and are left out."
            yield f"{judged['gone']} grades are of passages that stand on no page now."
        else:
            yield f"{report['questions']} questions with labelled passages."
        heads = f"{'recall@10':>11}{'first':>8}{'unjudged':>10}"
        yield f"{'':<30}{'nDCG@10':>9}{'95 % interval':>18}{heads}"
        for name, found in report["stages"].items():
            between = " … ".join(f"{value:.3f}" for value in found["interval"])
            measured = f"{name:<30}{found['ndcg@10']:>9.3f}{between:>18}{found['recall@10']:>11.3f}"
            yield f"{measured}{found['right first']:>8.3f}{found['unjudged']:>10}"
        yield from contaminated(report["contaminations"])


def ensure_kept(options: Mapping[str, Any]) -> None:
    """Refuse to write a pool over a file whose grades would be lost, and options that it lacks."""
    pool, judged = options["pool"], options["judged"]
    if pool is None:
        return
    if options["json"]:
        raise BadInput("--pool writes what is to be graded and measures nothing: leave out --json.")
    if pool.exists() and (judged is None or not judged.exists() or not pool.samefile(judged)):
        raise BadInput(f"{pool} exists: give it as --judged too, and what is graded stays.")


def labelled(options: Mapping[str, Any]) -> tuple[Case, ...]:
    """Return the questions asked for that have labelled passages."""
    path = options["golden"]
    cases = read_cases(path) if path else stored_cases()
    chosen = select(cases, category=options["category"], language=options["language"])
    found = tuple(case for case in chosen if case.passages)
    if not found:
        raise BadInput("None of these golden questions has labelled passages.")
    return found


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
