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
from zol.text import inert, squash

#: What a file of judgements must have, and what is there for whoever judges.
NEEDED, SHOWN = ("question", "passage", "grade"), ("asked", "title", "text")
#: The passage alone answers; it helps; it does not.
ANSWERS, HELPS, WRONG = 2, 1, 0
GRADES = {"": None, **{str(grade): grade for grade in (ANSWERS, HELPS, WRONG)}}
#: Letters of a fingerprint; a thousand million passages have some chance of sharing one.
FINGERPRINT = 16


@dataclass(frozen=True, slots=True)
class Judgement:
    """A grade, None where it is wanted, with what stands beside it for whoever judges."""

    grade: int | None
    shown: tuple[str, ...]


#: By fingerprint of the passage, for each question by its key.
Judgements = Mapping[str, Mapping[str, Judgement]]


@dataclass(frozen=True, slots=True)
class Judged:
    """Golden questions with what was judged to answer for labels, and the chunks judged of each."""

    cases: tuple[Case, ...]
    known: Mapping[str, frozenset[int]]
    #: Questions of which nothing that is on a page answers, and grades of what is on no page now.
    unanswered: int
    gone: int


def fingerprint(url: str, text: str) -> str:
    """Return what a passage is known by: its page and its words, wherever they are stored.

    It begins with a letter: a spreadsheet rounds what looks like a number.
    """
    digest = hashlib.sha256(f"{url}\n{squash(text)}".encode()).hexdigest()
    return f"p{digest[:FINGERPRINT]}"


def read_judgements(path: Path) -> Judgements:
    """Read a file of judgements; a passage without a grade was not judged.

    :raises PackRefused: with every mistake and its place.
    """
    try:
        written = path.read_bytes()
    except FileNotFoundError as error:
        raise BadInput(f"There is no file {path}.") from error
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror}.") from error
    findings, found = Findings(), defaultdict[str, dict[str, Judgement]](dict)
    for row in read_table(written, path.name, NEEDED, SHOWN, findings):
        key, passage, grade = row.needed("question"), row.needed("passage"), _grade(row)
        if grade is None:
            continue
        shown = tuple(row.cells.get(column, "") for column in SHOWN)
        if found[key].setdefault(passage, Judgement(grade, shown)).grade != grade:
            row.wrong("grade", "this passage has another grade for this question above")
    findings.refuse_if_any()
    return found


def _grade(row: Row) -> int | None:
    written = row.text("grade")
    if written not in GRADES:
        row.wrong("grade", f"“{written}” is none of 0 (no help), 1 (helps), 2 (answers)")
    return GRADES.get(written)


def judged(cases: Sequence[Case], judgements: Judgements) -> Judged:
    """Return the questions of which something answers, labelled with all that does.

    Only what stands on the served hospital's searchable pages now counts.
    """
    places = _places()
    known: dict[str, frozenset[int]] = {}
    completed, gone = [], 0
    for case in cases:
        own = judgements.get(case.key, {})
        there = own.keys() & places.keys()
        gone += len(own) - len(there)
        labels = (places[each].label for each in sorted(there) if own[each].grade == ANSWERS)
        if found := tuple(labels):
            completed.append(replace(case, passages=found))
            known[case.key] = frozenset(chunk for each in there for chunk in places[each].chunks)
    return Judged(tuple(completed), known, len(cases) - len(completed), gone)


def ensure_any(found: Judged) -> Judged:
    """Return what was judged; refuse where nothing of it answers anything."""
    if not found.cases:
        raise BadInput("No judged passage that answers one of these questions is on a page.")
    return found


def relabelled(cases: Sequence[Case], judgements: Judgements) -> tuple[Case, ...]:
    """Return all questions, labelled with what was judged to answer; where nothing does, with
    nothing, so that no ranking of it is measured."""
    found = {case.key: case for case in judged(cases, judgements).cases}
    return tuple(found.get(case.key, replace(case, passages=())) for case in cases)


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a passage stands: its page and words, and the chunks that hold just these."""

    label: Label
    chunks: list[int]


def _places() -> dict[str, Standing]:
    """Return all searchable passages by their fingerprint."""
    rows = Chunk.objects.filter(is_enabled=True, document__status=Document.Status.READY)
    found: dict[str, Standing] = {}
    for pk, url, text in rows.values_list("pk", "document__url", "content"):
        same = found.setdefault(fingerprint(url, text), Standing(Label(url, text), []))
        same.chunks.append(pk)
    return found


def pool_of(
    cases: Sequence[Case], found: Mapping[str, Iterable[int]], judgements: Judgements
) -> Judgements:
    """Return what is to be graded of each question, and all that was."""
    ids = {chunk for chunks in found.values() for chunk in chunks}
    chunks = {
        chunk.pk: (fingerprint(chunk.document.url, chunk.content), chunk)
        for chunk in Chunk.objects.filter(pk__in=ids).select_related("document")
    }
    pool: dict[str, dict[str, Judgement]] = {}
    for case in cases:
        asked = asked_of(case)
        # What was taken from its page since it was found is not asked for.
        there = (chunks[pk] for pk in found.get(case.key, ()) if pk in chunks)
        pool[case.key] = {
            passage: Judgement(None, _inert(asked, chunk.document.title, chunk.content))
            for passage, chunk in there
        }
    for key, own in judgements.items():
        pool.setdefault(key, {}).update(own)
    return pool


def write_pool(path: Path, pool: Judgements) -> None:
    """Write what is to be graded and what was, whole or not at all. The order says nothing."""
    draft = path.with_name(f"{path.name}.partial")
    with draft.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.writer(file)
        writer.writerow((*NEEDED, *SHOWN))
        for key, passages in pool.items():
            # In the order of their fingerprints, which is none.
            for passage, each in sorted(passages.items(), key=itemgetter(0)):
                grade = "" if each.grade is None else each.grade
                writer.writerow((key, passage, grade, *each.shown))
    draft.replace(path)


def _inert(*texts: str) -> tuple[str, ...]:
    return tuple(map(inert, texts))


def asked_of(case: Case) -> str:
    """Return a question with what was asked before it."""
    return " → ".join([*(step.question for step in case.earlier), case.question])
