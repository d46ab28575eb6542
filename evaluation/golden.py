"""Golden questions: the sheet in a pack, and the cases of a run."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

from pydantic import StringConstraints, TypeAdapter, ValidationError

from chat.behaviours import Behaviour
from evaluation.models import GoldenQuestion
from taxonomy.packs.findings import CellPlace, Findings, PackRefused
from taxonomy.packs.objects import JsonLine, JsonSheet, json_line
from zol.clock import moment_of
from zol.errors import BadInput

_OWN = ("id", "hospital", "position")
_FIELDS = tuple(each.name for each in GoldenQuestion._meta.concrete_fields if each.name not in _OWN)
Twenty = Annotated[str, StringConstraints(max_length=20)]
Forty = Annotated[str, StringConstraints(max_length=40)]
Eighty = Annotated[str, StringConstraints(max_length=80)]
Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]


@dataclass(frozen=True, slots=True)
class GoldenLine:
    """One line of the sheet of golden questions."""

    id: Annotated[str, StringConstraints(min_length=1, max_length=80)]
    category: Annotated[str, StringConstraints(min_length=1, max_length=40)]
    language: Annotated[str, StringConstraints(min_length=1, max_length=8)]
    expect: str
    #: The question, or the turns of a conversation whose last one is judged.
    question: Any = None
    turns: list[Any] = field(default_factory=list)
    intent: Forty = ""
    entities: list[Any] = field(default_factory=list)
    sources: list[Any] = field(default_factory=list)
    content_category: Forty = ""
    must_not: list[Any] = field(default_factory=list)
    passages: list[Any] = field(default_factory=list)
    difficulty: Twenty = ""
    owner: Eighty = ""
    risk: Twenty = ""
    at: Forty = ""


class GoldenSheet(JsonSheet):
    """The sheet of golden questions."""

    form = GoldenLine

    def record(self, values: dict[str, Any], line: JsonLine) -> dict[str, Any]:
        """Return the fields of a row; report values that make no valid case."""
        key, question = values.pop("id"), values.pop("question")
        values["turns"] = values["turns"] if question is None else [question]
        try:
            if values["turns"]:
                case_of(key, values)
            else:
                line.wrong("question", "a question is missing")
            if values["at"]:
                moment_of(values["at"])
        except ValidationError as error:
            for each in error.errors():
                line.wrong(str(each["loc"][0]), each["msg"])
        except BadInput as error:
            line.wrong("at", str(error))
        return values | {"key": key, "line": line.text}

    def line(self, values: Mapping[str, Any]) -> str:
        """Return the line as it was read; for a question made by staff, its non-empty fields."""
        own = {
            n: values[n] for n in _FIELDS if n not in ("key", "line") and values[n] not in ("", [])
        }
        return str(values["line"]) or json_line({"id": values["key"], **own})


GOLDEN = GoldenSheet(
    "golden.jsonl", "golden question", GoldenQuestion, _FIELDS, ("key",),
    label=("id", "key"), mark="line",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Label:
    """A labelled passage: words of a page that answer the question."""

    url: str
    quote: str


@dataclass(frozen=True, slots=True)
class EarlierTurn:
    """An earlier turn of the conversation; asked again unless its answer is given."""

    question: Text
    answer: str = ""
    citations: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Case:
    """One golden question."""

    key: str
    category: str
    language: str
    question: Text
    #: Earlier turns of the conversation, oldest first.
    earlier: tuple[EarlierTurn, ...] = ()
    expect: Behaviour = Behaviour.ANSWER
    intent: str = ""
    #: Names, numbers and hours required in the answer; `a|b`: either counts.
    entities: tuple[Text, ...] = ()
    #: Acceptable pages; one must be cited.
    sources: tuple[Text, ...] = ()
    content_category: str = ""
    must_not: tuple[Text, ...] = ()
    passages: tuple[Label, ...] = ()
    difficulty: str = ""
    owner: str = ""
    risk: str = ""
    #: ISO date and time of the question; empty means now.
    at: str = ""

    @property
    def moment(self) -> datetime | None:
        return moment_of(self.at) if self.at else None


def case_of(key: str, values: Mapping[str, Any]) -> Case:
    """Return the case that the fields of a golden question describe."""
    turns = [each if isinstance(each, dict) else {"question": each} for each in values["turns"]]
    *earlier, last = turns
    asked = {"earlier": earlier, "question": last.get("question")}
    return from_json({**values, "key": key, **asked})


def stored_cases() -> tuple[Case, ...]:
    """Return the golden questions of the served hospital."""
    rows = GoldenQuestion.objects.order_by("position", "key")
    return tuple(case_of(row.key, vars(row)) for row in rows)


def read_cases(path: Path) -> tuple[Case, ...]:
    """Read the golden questions of a file; raise `PackRefused` with every mistake."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror}") from error
    findings, first = Findings(), dict[str, CellPlace]()
    records = tuple(GOLDEN.lines(data, findings))
    for record in records:
        key = record.fields["key"]
        if key in first:
            findings.wrong(record.place, f"id: “{key}” stands already on line {first[key].line}.")
        first.setdefault(key, record.place)
    if findings.mistakes:
        raise PackRefused(
            mistake._replace(place=mistake.place._replace(file=str(path)))
            for mistake in findings.mistakes
        )
    return tuple(case_of(record.fields["key"], record.fields) for record in records)


def select(cases: Iterable[Case], *, category: str = "", language: str = "") -> tuple[Case, ...]:
    """Return the cases of a category and a language; empty means all."""
    return tuple(
        case
        for case in cases
        if category in ("", case.category) and language in ("", case.language)
    )


def as_json(case: Case) -> dict[str, Any]:
    """Return the case as JSON values, stored with its result or sent to a worker."""
    return asdict(case) | {"expect": str(case.expect)}


def from_json(values: Mapping[str, Any]) -> Case:
    """Return the case that `as_json` wrote."""
    return _CASE.validate_python(values)


_CASE = TypeAdapter(Case)


def digest(cases: Iterable[Case]) -> str:
    """Return a fingerprint of a set of questions."""
    text = json.dumps([as_json(case) for case in cases], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]
