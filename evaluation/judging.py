"""What people judged of the passages that are found: the labels of golden questions, completed.

Who writes a question labels the passage that they know; another that answers as well then counts
as wrong. So what several rankings find is pooled, in no order and with no word on who found it,
and somebody grades it (pooling: Sparck Jones and van Rijsbergen 1975, as TREC does). What nobody
graded counts as wrong, and how much of it there is, is told.
"""

from __future__ import annotations

import csv
import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter
from pathlib import Path

from evaluation.cases import Case, Label
from evaluation.packs.mistakes import Findings
from evaluation.packs.tables import Row, read_table
from retrieval.models import Chunk, Document
from zol.errors import BadInput
from zol.text import squash

#: What a file of judgements must have, and what is there for whoever judges.
NEEDED, SHOWN = ("question", "passage", "grade"), ("asked", "title", "text")
#: The passage alone answers; it helps; it does not.
ANSWERS, HELPS, WRONG = 2, 1, 0
GRADES = {"": None, **{str(grade): grade for grade in (ANSWERS, HELPS, WRONG)}}
#: Letters of a fingerprint; a thousand million passages have some chance of sharing one.
FINGERPRINT = 16

#: Grades by fingerprint, for each question by its key.
Grades = Mapping[str, Mapping[str, int]]


@dataclass(frozen=True, slots=True)
class Judged:
    """Golden questions with what was judged to answer for labels, and the chunks judged of each."""

    cases: tuple[Case, ...]
    known: Mapping[str, frozenset[int]]


def fingerprint(url: str, text: str) -> str:
    """Return what a passage is known by: its page and its words, wherever they are stored."""
    return hashlib.sha256(f"{url}\n{squash(text)}".encode()).hexdigest()[:FINGERPRINT]


def read_grades(path: Path) -> Grades:
    """Read a file of judgements; a passage without a grade was not judged.

    :raises PackRefused: with every mistake and its place.
    """
    if not path.is_file():
        raise BadInput(f"There is no file {path}.")
    findings, found = Findings(), defaultdict[str, dict[str, int]](dict)
    for row in read_table(path.read_bytes(), path.name, NEEDED, SHOWN, findings):
        key, passage, grade = row.needed("question"), row.needed("passage"), _grade(row)
        if grade is None:
            continue
        if found[key].setdefault(passage, grade) != grade:
            row.wrong("grade", "this passage has another grade for this question above")
    findings.refuse_if_any()
    return found


def _grade(row: Row) -> int | None:
    written = row.text("grade")
    if written not in GRADES:
        row.wrong("grade", f"“{written}” is none of 0 (no help), 1 (helps), 2 (answers)")
    return GRADES.get(written)


def judged(cases: Sequence[Case], grades: Grades) -> Judged:
    """Return the questions of which something answers, labelled with all that does.

    Only what stands on the served hospital's searchable pages now counts.
    """
    places = _chunks()
    known: dict[str, frozenset[int]] = {}
    completed = []
    for case in cases:
        graded = {places[each]: grade for each, grade in grades.get(case.key, {}).items()
                  if each in places}  # fmt: skip
        labels = tuple(label for (_, label), grade in graded.items() if grade == ANSWERS)
        if labels:
            completed.append(replace(case, passages=labels))
            known[case.key] = frozenset(chunk for chunk, _ in graded)
    if not completed:
        raise BadInput("No judged passage that answers one of these questions is on a page.")
    return Judged(tuple(completed), known)


def _chunks() -> dict[str, tuple[int, Label]]:
    """Return all searchable passages by their fingerprint."""
    rows = Chunk.objects.filter(is_enabled=True, document__status=Document.Status.READY)
    return {
        fingerprint(url, text): (pk, Label(url, text))
        for pk, url, text in rows.values_list("pk", "document__url", "content")
    }


def write_pool(
    path: Path, cases: Sequence[Case], found: Mapping[str, Iterable[int]], grades: Grades
) -> int:
    """Write what was found for each question, to be graded; return how many passages lack a grade.

    What has a grade already keeps it. The order says nothing.
    """
    ids = {chunk for chunks in found.values() for chunk in chunks}
    chunks = {
        chunk.pk: (fingerprint(chunk.document.url, chunk.content), chunk)
        for chunk in Chunk.objects.filter(pk__in=ids).select_related("document")
    }
    missing = 0
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.writer(file)
        writer.writerow((*NEEDED, *SHOWN))
        for case in cases:
            # In the order of their fingerprints, which is none.
            for passage, chunk in sorted(
                map(chunks.__getitem__, found.get(case.key, ())), key=itemgetter(0)
            ):
                grade = grades.get(case.key, {}).get(passage)
                missing += grade is None
                shown = asked_of(case), chunk.document.title, chunk.content
                written = "" if grade is None else grade
                writer.writerow((case.key, passage, written, *map(_harmless, shown)))
    return missing


def asked_of(case: Case) -> str:
    """Return a question with what was asked before it."""
    return " → ".join([*(step.question for step in case.earlier), case.question])


def _harmless(text: str) -> str:
    """Return a text as no formula of a spreadsheet."""
    return f"'{text}" if text.startswith(("=", "+", "-", "@")) else text
