"""What people judged of the passages that are found: the labels of golden questions, completed.

Who writes a question labels the passage that they know; another that answers as well then counts
as wrong. So what several rankings found was pooled, in no order and with no word on who found it,
and somebody graded it (pooling: Sparck Jones and van Rijsbergen 1975, as TREC does). What nobody
graded counts as wrong.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
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


#: Grades by fingerprint of the passage, for each question by its key.
Judgements = Mapping[str, Mapping[str, int]]


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
    findings, found = Findings(), defaultdict[str, dict[str, int]](dict)
    for row in read_table(written, path.name, NEEDED, SHOWN, findings):
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


def relabelled(cases: Sequence[Case], judgements: Judgements) -> tuple[Case, ...]:
    """Return all questions, labelled with what was judged to answer and stands on the served
    hospital's searchable pages now; where nothing does, with nothing, so that no ranking of it is
    measured."""
    places = _places()
    graded = {case.key: sorted(judgements.get(case.key, {}).items()) for case in cases}
    return tuple(
        replace(
            case,
            passages=tuple(
                places[passage]
                for passage, grade in graded[case.key]
                if grade == ANSWERS and passage in places
            ),
        )
        for case in cases
    )


def _places() -> dict[str, Label]:
    """Return all searchable passages by their fingerprint."""
    rows = Chunk.objects.filter(is_enabled=True, document__status=Document.Status.READY)
    return {
        fingerprint(url, text): Label(url, text)
        for url, text in rows.values_list("document__url", "content")
    }
