"""Turns of an exam and the replies that were recorded for them; how both stand in files.

`exam-NAME.jsonl` has one conversation a line:
{"id", "hospital", "lang", "turns": [{"question", "expect", "ideal", "mustnot", "must": [{"text",
"url", "quote"}]}]}; a line with "question" in place of "turns" is a conversation of one.
`replies-NAME.jsonl` (or `.jsonl.gz`) has one call a line: {"purpose", "question",
"conversation": [earlier questions], "lines": {id: text}, "reply"}, where a reply
is JSON or, when it was none, text. A statement may have "wrong": wrong wordings of it, by kind.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Must:
    """Something a right answer says, and where it stands on a page."""

    text: str
    url: str = ""
    quote: str = ""


@dataclass(frozen=True, slots=True)
class ExamTurn:
    """One question, after those that were asked before it in its conversation."""

    id: str
    hospital: str
    language: str
    question: str
    conversation: tuple[str, ...] = ()
    expect: str = "answer"
    musts: tuple[Must, ...] = ()
    #: The line of the exam, for readers.
    line: Mapping[str, Any] = field(default_factory=dict, compare=False)


@dataclass(frozen=True, slots=True)
class RecordedCall:
    """What a model replied to one request of a turn."""

    purpose: str
    question: str
    conversation: tuple[str, ...]
    reply: str
    #: The text of the prompt's lines by id, of those at least that the reply names.
    lines: Mapping[str, str] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        return {
            "purpose": self.purpose, "question": self.question,
            "conversation": list(self.conversation), "lines": dict(self.lines),
            "reply": _value(self.reply),
        }  # fmt: skip


def _value(reply: str) -> Any:
    try:
        return json.loads(reply)
    except ValueError:
        return reply


def exam_of(items: Iterable[Mapping[str, Any]]) -> Iterator[tuple[ExamTurn, ...]]:
    """Yield the conversations of an exam, each with its turns in order."""
    for item in items:
        asked: list[str] = []
        turns = []
        steps = item.get("turns") or [item]
        for number, step in enumerate(steps, start=1):
            turns.append(
                ExamTurn(
                    id=f"{item['id']}.{number}" if len(steps) > 1 else str(item["id"]),
                    hospital=item.get("hospital", "zol-demo"),
                    language=step.get("lang", item.get("lang", "nl")),
                    question=step["question"],
                    conversation=tuple(asked),
                    expect=step.get("expect", "answer"),
                    musts=tuple(
                        Must(each["text"], each.get("url", ""), each.get("quote", ""))
                        for each in step.get("must", ())
                    ),
                    line={key: value for key, value in {**item, **step}.items() if key != "turns"},
                )
            )
            asked.append(step["question"])
        yield tuple(turns)


def calls_of(items: Iterable[Mapping[str, Any]]) -> Iterator[RecordedCall]:
    for item in items:
        reply = item["reply"]
        yield RecordedCall(
            item["purpose"],
            item["question"],
            tuple(item.get("conversation", ())),
            reply if isinstance(reply, str) else json.dumps(reply, ensure_ascii=False),
            item.get("lines", {}),
        )


def read(path: Path) -> Iterator[Any]:
    """Yield the JSON values of a file, one a line; empty lines are passed over."""
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8") as file:
        for line in file:
            if line.strip():
                yield json.loads(line)


def names(folder: Path = HERE) -> list[str]:
    """Return the names of all recorded sets."""
    return sorted(path.stem.removeprefix("exam-") for path in folder.glob("exam-*.jsonl"))


def recorded(
    wanted: Sequence[str] = (), folder: Path = HERE
) -> tuple[list[tuple[ExamTurn, ...]], list[RecordedCall]]:
    """Return conversations and calls of these sets, or of all."""
    conversations: list[tuple[ExamTurn, ...]] = []
    calls: list[RecordedCall] = []
    for name in wanted or names(folder):
        conversations += exam_of(read(folder / f"exam-{name}.jsonl"))
        for replies in sorted(folder.glob(f"replies-{name}.jsonl*")):
            calls += calls_of(read(replies))
    return conversations, calls
