"""The sheet of golden questions: one JSON object on a line, kept as it came."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

from pydantic import StringConstraints

from chat.behaviours import Behaviour
from evaluation.models import GoldenQuestion
from taxonomy.packs.objects import JsonLine, JsonSheet, json_line
from zol.clock import moment_of
from zol.errors import BadInput

_OWN = ("id", "hospital", "position")
_FIELDS = tuple(each.name for each in GoldenQuestion._meta.concrete_fields if each.name not in _OWN)
Twenty = Annotated[str, StringConstraints(max_length=20)]
Forty = Annotated[str, StringConstraints(max_length=40)]
Eighty = Annotated[str, StringConstraints(max_length=80)]


@dataclass(frozen=True, slots=True)
class GoldenLine:
    """A golden question as it is written."""

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
    """Golden questions."""

    form = GoldenLine

    def record(self, said: dict[str, Any], line: JsonLine) -> dict[str, Any]:
        key, question = said.pop("id"), said.pop("question")
        turns = said["turns"] if question is None else [question]
        if not turns or not all(isinstance(each, str | dict) and each for each in turns):
            line.wrong("turns" if said["turns"] else "question", "a question is missing")
        if said["expect"] not in set(map(str, Behaviour)):
            known = ", ".join(map(str, Behaviour))
            line.wrong("expect", f"“{said['expect']}” is none of {known}")
        try:
            if said["at"]:
                moment_of(said["at"])
        except BadInput as error:
            line.wrong("at", str(error))
        return said | {"key": key, "turns": turns, "line": line.text}

    def line(self, said: Mapping[str, Any]) -> str:
        """Return the line as it came, or of a question that staff made what is not empty."""
        own = {n: said[n] for n in _FIELDS if n not in ("key", "line") and said[n] not in ("", [])}
        return str(said["line"]) or json_line({"id": said["key"], **own})


GOLDEN = GoldenSheet(
    "golden.jsonl", "golden question", GoldenQuestion, _FIELDS, ("key",),
    called=("id", "key"), mark="line",
)  # fmt: skip
