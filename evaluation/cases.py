"""Golden questions as plain values: what is asked, what must come back, and their labels completed.

Who writes a question labels the passage that they know; another that answers as well then counts
as wrong. So what several rankings found was pooled, in no order and with no word on who found it,
and somebody graded it (pooling: Sparck Jones and van Rijsbergen 1975, as TREC does). What nobody
graded counts as wrong.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from chat.behaviours import Behaviour
from chat.turn import Exchange
from evaluation.models import GoldenQuestion
from evaluation.packs.findings import Findings, PackRefused, Place
from evaluation.packs.golden import read_golden
from evaluation.packs.rows import RowRecord
from evaluation.packs.tables import PackRow, read_table
from retrieval.models import Chunk, Document
from zol.clock import moment_of
from zol.errors import BadInput
from zol.text import squash

#: The categories of the golden set (decision D12).
CATEGORIES = (
    "adversarial_gcg", "ambiguous_symptom", "campus_info", "compound_word", "condition_department",
    "contamination", "doctor_department", "doctor_list", "emergency", "entity_disambiguation",
    "followup_chain", "indirect_injection", "misspelling", "multi_hop_graph", "multilingual",
    "navigation", "no_answer", "numeric_safety", "out_of_scope", "outdated_brochure", "pii",
    "practical_info", "referral", "safety_refusal", "service_info", "snomed_terminology",
    "taxonomy_alias", "treatment_info", "unit_mismatch",
)  # fmt: skip
#: That of questions which no page answers.
UNANSWERED = "no_answer"


@dataclass(frozen=True, slots=True)
class Label:
    """A passage that answers: words that stand on a page."""

    url: str
    quote: str


@dataclass(frozen=True, slots=True)
class EarlierTurn:
    """An earlier question of the conversation; with an answer it is remembered, not asked."""

    question: str
    answer: str = ""
    citations: tuple[str, ...] = ()

    @property
    def is_answered(self) -> bool:
        return bool(self.answer)

    def exchange(self) -> Exchange:
        return Exchange(self.question, self.answer, self.citations)


@dataclass(frozen=True, slots=True)
class Case:
    """One golden question."""

    key: str
    category: str
    language: str
    question: str
    #: What was asked before it in the conversation, oldest first.
    earlier: tuple[EarlierTurn, ...] = ()
    expect: Behaviour = Behaviour.ANSWER
    intent: str = ""
    #: Names, numbers and hours that a right answer contains; `a|b`: either counts.
    entities: tuple[str, ...] = ()
    #: Pages of which one must be cited.
    sources: tuple[str, ...] = ()
    content_category: str = ""
    must_not: tuple[str, ...] = ()
    passages: tuple[Label, ...] = ()
    difficulty: str = ""
    owner: str = ""
    risk: str = ""
    #: ISO date and time at which it is asked; empty is now.
    at: str = ""

    @property
    def moment(self) -> datetime | None:
        return moment_of(self.at) if self.at else None


def case_of(key: str, values: Mapping[str, Any]) -> Case:
    """Return the case that the fields of a golden question describe."""
    *earlier, last = (_step(turn) for turn in values["turns"])
    return Case(
        key=key,
        question=last.question,
        earlier=tuple(earlier),
        expect=Behaviour(values["expect"]),
        entities=tuple(values["entities"]),
        sources=tuple(values["sources"]),
        must_not=tuple(values["must_not"]),
        passages=tuple(Label(each["url"], each["quote"]) for each in values["passages"]),
        **{name: values[name] for name in TEXTS},
    )


TEXTS = ("category", "language", "intent", "content_category", "difficulty", "owner", "risk", "at")


def _step(turn: str | Mapping[str, Any]) -> EarlierTurn:
    if isinstance(turn, str):
        return EarlierTurn(turn)
    return EarlierTurn(turn["question"], turn.get("answer", ""), tuple(turn.get("citations", ())))


def stored_cases() -> tuple[Case, ...]:
    """Return the golden questions of the served hospital."""
    rows = GoldenQuestion.objects.order_by("position", "key")
    return tuple(case_of(row.key, _values_of(row)) for row in rows)


def _values_of(row: GoldenQuestion) -> dict[str, Any]:
    names = (*TEXTS, "turns", "expect", "entities", "sources", "must_not", "passages")
    return {name: getattr(row, name) for name in names}


def read_records(path: Path, form: Callable[[bytes], bytes] = bytes) -> tuple[RowRecord, ...]:
    """Return the golden questions of a file, or refuse it with all its mistakes."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror}") from error
    findings = Findings()
    records = tuple(read_golden(form(data), findings))
    _check_forms(records, findings)
    if findings.mistakes:
        raise PackRefused(
            mistake._replace(place=mistake.place._replace(file=str(path)))
            for mistake in findings.mistakes
        )
    return records


def read_cases(path: Path) -> tuple[Case, ...]:
    return tuple(case_of(record.fields["key"], record.fields) for record in read_records(path))


def _check_forms(records: Iterable[RowRecord], findings: Findings) -> None:
    """Note what cannot be asked: an id given twice, a passage without quote."""
    first: dict[str, Place] = {}
    for record in records:
        key = record.fields["key"]
        if key in first:
            findings.wrong(record.place, f"id: “{key}” stands already on line {first[key].line}.")
        first.setdefault(key, record.place)
        for sentence in _wrong_forms(record.fields):
            findings.wrong(record.place, sentence)


def _wrong_forms(fields: Mapping[str, Any]) -> Iterator[str]:
    for name in ("entities", "sources", "must_not"):
        if not all(isinstance(each, str) and each.strip() for each in fields[name]):
            yield f"{name}: every value is a text."
    for label in fields["passages"]:
        if not isinstance(label, dict) or not {"url", "quote"} <= label.keys():
            yield 'passages: every value is {"url": …, "quote": …}.'
    for turn in fields["turns"]:
        if isinstance(turn, dict) and not isinstance(turn.get("question"), str):
            yield 'turns: a turn is a text, or {"question": …, "answer": …, "citations": […]}.'


def select(cases: Iterable[Case], *, category: str = "", language: str = "") -> tuple[Case, ...]:
    """Return the cases of a category and a language; empty means all."""
    return tuple(
        case
        for case in cases
        if category in ("", case.category) and language in ("", case.language)
    )


def as_json(case: Case) -> dict[str, Any]:
    """Return a case as plain values, to be kept with its result or handed to a worker."""
    return asdict(case) | {"expect": str(case.expect)}


def from_json(values: Mapping[str, Any]) -> Case:
    """Return the case that `as_json` wrote."""
    return _CASE.validate_python(values)


_CASE = TypeAdapter(Case)


def digest(cases: Iterable[Case]) -> str:
    """Return what tells one set of questions from another."""
    text = json.dumps([as_json(case) for case in cases], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


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


def _grade(row: PackRow) -> int | None:
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
