"""Golden questions labelled by what was judged: nDCG@10 and recall@10 of the passages found.

Who writes a question labels the passage that they know; another that answers as well then counts
as wrong. So what several rankings found was pooled, in no order and with no word on who found it,
and somebody graded it (pooling: Sparck Jones and van Rijsbergen 1975, as TREC does). What nobody
graded counts as wrong.
"""

from __future__ import annotations

import csv
import hashlib
from argparse import ArgumentParser
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from evaluation.figures import bootstrap
from evaluation.golden import Case, Label, stored_cases
from evaluation.interview import Interview, outcome_of
from evaluation.metrics import measure
from evaluation.reports import flags_of
from lab.floors.sets import progress
from retrieval.models import Chunk, Document
from zol.commands import chosen_hospital
from zol.tenancy import serving
from zol.text import squash

#: The passage alone answers.
ANSWERS = "2"
#: Letters of a fingerprint; a thousand million passages have some chance of sharing one.
FINGERPRINT = 16
FIGURES = ("ndcg@10", "recall@10")


class Command(BaseCommand):
    help = "Rank the passages of golden questions, and hold them to what was judged."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE.csv", help="lab/data/judged/…")
        parser.add_argument("--hospital", default="")
        parser.add_argument("--flag", action="append", default=[], metavar="NAME=on|off")

    def handle(self, *args: Any, **options: Any) -> None:
        hospital = chosen_hospital(options["hospital"])
        with serving(hospital):
            cases = relabelled(stored_cases(), answering(options["file"]))
            flags = flags_of(options["flag"])
            interview = Interview(hospital.default_language, flags)
            found = list(scores(interview, [case for case in cases if case.passages]))
        for name in FIGURES:
            self.stdout.write(f"{name}: {bootstrap([each[name] for each in found])}")


def scores(interview: Interview, cases: Sequence[Case]) -> Iterator[Mapping[str, float]]:
    """Ask each question; yield what its ranking is worth."""
    for case in progress(cases, "judged"):
        scored = measure(case, outcome_of(case, *interview.answered(case)))
        yield {name: scored[name].value for name in FIGURES}


def answering(path: Path) -> Mapping[str, frozenset[str]]:
    """Return the fingerprints of the passages that answer each question, by its key."""
    found = defaultdict[str, set[str]](set)
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["grade"] == ANSWERS:
                found[row["question"]].add(row["passage"])
    return {key: frozenset(each) for key, each in found.items()}


def fingerprint(url: str, text: str) -> str:
    """Return what a passage is known by: its page and its words, wherever they are stored.

    It begins with a letter: a spreadsheet rounds what looks like a number.
    """
    digest = hashlib.sha256(f"{url}\n{squash(text)}".encode()).hexdigest()
    return f"p{digest[:FINGERPRINT]}"


def relabelled(cases: Iterable[Case], answering: Mapping[str, frozenset[str]]) -> tuple[Case, ...]:
    """Return all questions, labelled with what was judged to answer and stands on the served
    hospital's searchable pages now; where nothing does, with nothing, so that no ranking of it is
    measured."""
    rows = Chunk.objects.filter(is_enabled=True, document__status=Document.Status.READY)
    places = {
        fingerprint(url, text): Label(url, text)
        for url, text in rows.values_list("document__url", "content")
    }
    return tuple(
        replace(
            case,
            passages=tuple(
                places[each] for each in sorted(answering.get(case.key, ())) if each in places
            ),
        )
        for case in cases
    )
