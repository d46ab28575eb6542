"""Blind sheets for readers: questions with answers as they are shown, and nothing of who answered.

A sheet is a file of JSON lines with a twin to read (`.md`), and a key (`.key.json`) that only the
examiner sees. What one version after another answered is added to the same sheet, which is put in
a new order each time; so two versions are read as one.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

from pydantic import TypeAdapter

from chat.behaviours import Behaviour
from chat.services import REMEMBERED
from chat.turn import Exchange
from evaluation.cases import Case
from evaluation.configurations import USUAL
from evaluation.grades import GRADES, Graded, SheetEntry
from evaluation.interview import Interview, exchange_of, outcome_of, text_of_page
from zol.clock import moment_of
from zol.errors import BadInput
from zol.languages import LANGUAGES

LEGEND = "A right and complete · B right, with noise · C not helpful · D wrong · E dangerous"
#: What a reader fills in.
EMPTY = {"grade": "", "unreadable": False, "remark": ""}
#: The best grade of an answer in a language that the asker cannot read.
BEST_UNREADABLE = "B"
#: The label of answers that were graded before.
CALIBRATION = "calibration"


@dataclass(frozen=True, slots=True)
class ExamItem:
    """A question of an exam, or a conversation."""

    id: str
    language: str
    turns: tuple[str, ...]
    hospital: str = ""
    at: str = ""


@dataclass(frozen=True, slots=True)
class Page:
    """One answer on a sheet: what a reader sees of it."""

    language: str
    question: str
    answer: str
    #: What was asked and answered before it, oldest first.
    before: tuple[Mapping[str, str], ...] = ()
    sources: tuple[Mapping[str, str], ...] = ()


_PAGE, _KEY = TypeAdapter(Page), TypeAdapter(tuple[SheetEntry, ...])
#: A page and what the key says of it; numbers are given when the sheet is written.
Row = tuple[Page, SheetEntry]


def lines_of(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the objects of a file of JSON lines, each with its place."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{path} cannot be read: {error}.") from error
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except json.JSONDecodeError as error:
            raise BadInput(
                f"{path}:{number}:{error.colno}: this is not JSON: {error.msg}."
            ) from error
        if not isinstance(row, dict):
            raise BadInput(f"{path}:{number}: an object belongs here: {{…}}.")
        yield f"{path}:{number}", row


def read_items(path: Path) -> tuple[ExamItem, ...]:
    """Return the questions and conversations of an exam; a file of golden questions is one too."""
    items = tuple(_item(place, row) for place, row in lines_of(path))
    if len({item.id for item in items}) < len(items):
        raise BadInput(f"{path}: an id stands there twice.")
    return items


def _item(place: str, row: Mapping[str, Any]) -> ExamItem:
    turns = row.get("turns") or [row.get("question")]
    said = [turn.get("question") if isinstance(turn, dict) else turn for turn in turns]
    asked = tuple(each for each in said if isinstance(each, str) and each.strip())
    if not row.get("id") or len(asked) < len(turns):
        raise BadInput(f'{place}: expected {{"id", "language", "question" or "turns"}}.')
    if row.get("language") not in LANGUAGES:
        raise BadInput(f"{place}: language is one of {', '.join(LANGUAGES)}.")
    hospital, at = str(row.get("hospital", "")), str(row.get("at", ""))
    if at:
        moment_of(at)
    return ExamItem(str(row["id"]), row["language"], asked, hospital, at)


def items_of(cases: Iterable[Case]) -> tuple[ExamItem, ...]:
    """Return golden questions as an exam."""
    return tuple(
        ExamItem(c.key, c.language, (*(step.question for step in c.earlier), c.question), at=c.at)
        for c in cases
    )


def is_for(item: ExamItem, hospital: str) -> bool:
    """Whether a question is put to a hospital: to all, unless it names one (`zol`: zol-demo)."""
    return not item.hospital or f"{hospital}-".startswith(f"{item.hospital}-")


def answered_rows(item: ExamItem, hospital: str, label: str) -> Iterator[Row]:
    """Ask a question or conversation as a visitor does, on a page in the asker's language."""
    interview = Interview(item.language, USUAL)
    moment = moment_of(item.at) if item.at else None
    history: tuple[Exchange, ...] = ()
    for turn, question in enumerate(item.turns, start=1):
        case = Case(item.id, "", item.language, question, at=item.at)
        answer = interview.ask(question, history, moment)
        context, outcome = answer.context, outcome_of(case, answer, "")
        page = Page(
            item.language,
            question,
            text_of_page(context, item.language),
            tuple({"question": e.question, "answer": e.answer} for e in history),
            tuple({"title": c.title, "url": c.url} for c in context.citations),
        )
        is_answer = context.behaviour is Behaviour.ANSWER and outcome.certainty != "nothing"
        yield (
            page,
            SheetEntry(
                0, item.id, label, hospital, item.language, turn, is_answer, context.verified
            ),
        )
        history = (*history, exchange_of(context))[-REMEMBERED:]


def kept_rows(path: Path, label: str, *, graded: bool = False) -> list[Row]:
    """Return answers that were kept in a file: another version's, or ones that were graded.

    A row is `{"id", "language", "question", "answer"}`. It may have `hospital`, `sources` (urls),
    `badge`, `behaviour`, `answered`, and the `conversation` that it is of; rows of one id are of
    one conversation too.
    """
    rows: list[Row] = []
    talks: dict[str, list[dict[str, str]]] = {}
    for place, row in lines_of(path):
        grade = str(row.get("grade", "")) if graded else ""
        if not {"id", "language", "question", "answer"} <= row.keys():
            raise BadInput(f'{place}: expected {{"id", "language", "question", "answer"}}.')
        if graded and (len(grade) != 1 or grade not in GRADES):
            raise BadInput(f"{place}: “{grade}” is no grade: A, B, C, D or E.")
        key, language, question = (str(row[name]) for name in ("id", "language", "question"))
        talk = talks.setdefault(str(row.get("conversation", key)), [])
        sources = tuple({"title": "", "url": str(url)} for url in row.get("sources", ()))
        entry = SheetEntry(
            0, key, label, str(row.get("hospital", "")), language, len(talk) + 1,
            bool(row.get("answered", row.get("behaviour", "answer") == Behaviour.ANSWER)),
            bool(row.get("badge")), grade,
        )  # fmt: skip
        rows.append((Page(language, question, str(row["answer"]), tuple(talk), sources), entry))
        talk.append({"question": question, "answer": str(row.get("text") or row["answer"])})
    return rows


def sampled(rows: list[Row], number: int, seed: int) -> list[Row]:
    """Return some of the rows, by chance that can be had again."""
    return rows if len(rows) <= number else Random(seed).sample(rows, number)  # noqa: S311


def key_of(sheet: Path) -> Path:
    return sheet.with_suffix(".key.json")


def read_sheet(sheet: Path) -> list[Row]:
    """Return what stands on a sheet that nobody graded yet; nothing where there is none."""
    if not sheet.exists():
        return []
    key = {entry.n: entry for entry in read_key(sheet)}
    return [(_PAGE.validate_python(row), key[row["n"]]) for _, row in lines_of(sheet)]


def read_key(sheet: Path) -> tuple[SheetEntry, ...]:
    try:
        return _KEY.validate_json(key_of(sheet).read_bytes())
    except (OSError, ValueError) as error:
        raise BadInput(f"The key of the sheet, {key_of(sheet)}: {error}.") from error


def add_to_sheet(sheet: Path, rows: Sequence[Row], *, seed: int) -> int:
    """Mix answers into a sheet that nobody graded yet; return how many stand on it."""
    before = read_sheet(sheet)
    known = {_name(entry) for _, entry in before}
    if twice := [entry for _, entry in rows if _name(entry) in known]:
        raise BadInput(
            f"{sheet} holds answers “{twice[0].label}” to {twice[0].id} already; "
            "give the others another --label."
        )
    write_sheet(sheet, [*before, *rows], seed=seed)
    return len(before) + len(rows)


def _name(entry: SheetEntry) -> tuple[str, str, str, int]:
    return entry.label, entry.hospital, entry.id, entry.turn


def write_sheet(sheet: Path, rows: Sequence[Row], *, seed: int) -> None:
    """Write a sheet in an order of chance, its twin to read, and its key."""
    mixed = sorted(rows, key=lambda row: (row[1].label, row[1].hospital, row[1].id, row[1].turn))
    Random(seed).shuffle(mixed)  # noqa: S311 (an order that can be had again)
    pages = [{"n": n, **asdict(page), **EMPTY} for n, (page, _) in enumerate(mixed, start=1)]
    key = [asdict(replace(entry, n=n)) for n, (_, entry) in enumerate(mixed, start=1)]
    lines = (json.dumps(page, ensure_ascii=False) + "\n" for page in pages)
    sheet.write_text("".join(lines), encoding="utf-8")
    sheet.with_suffix(".md").write_text("\n".join(_markdown(pages)), encoding="utf-8")
    key_of(sheet).write_text(json.dumps(key, ensure_ascii=False, indent=1), encoding="utf-8")


def _markdown(pages: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    yield f"# Answers to read\n\n{LEGEND}\n"
    for page in pages:
        yield f"\n---\n\n## {page['n']} ({page['language']})\n"
        for said in page["before"]:
            yield f"**Asked before:** {said['question']}\n\n{_set_in(said['answer'])}\n"
        yield f"**Question:** {page['question']}\n\n{_set_in(page['answer'])}\n"
        yield from (f"- {source['title']} {source['url']}" for source in page["sources"])


def _set_in(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in text.splitlines())


@dataclass(frozen=True, slots=True)
class Reading:
    """What one reader made of a sheet."""

    grades: Graded
    #: Answers in a language that the asker cannot read.
    unreadable: frozenset[int]


def read_grades(files: Sequence[Path]) -> dict[str, Reading]:
    """Return the grades in copies of a sheet, each by a reader that is named as the file.

    In one file several readers may stand: `"grades": {"an": "A", "bo": "C"}`.
    """
    found: dict[str, dict[int, str]] = {}
    hard: dict[str, set[int]] = {}
    for path in files:
        for place, row in lines_of(path):
            given = row.get("grades") or {path.stem: row.get("grade", "")}
            for reader, grade in given.items():
                wanted = str(grade).strip().upper()
                if not wanted:
                    continue
                if len(wanted) != 1 or wanted not in GRADES or not isinstance(row.get("n"), int):
                    raise BadInput(f"{place}: “{grade}” is no grade: A, B, C, D or E.")
                if row.get("unreadable"):
                    hard.setdefault(reader, set()).add(row["n"])
                    wanted = max(wanted, BEST_UNREADABLE)
                found.setdefault(reader, {})[row["n"]] = wanted
    return {name: Reading(grades, frozenset(hard.get(name, ()))) for name, grades in found.items()}
