"""A request to a model as far as the laboratory reads it: its purpose, words and numbered lines."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from zol.text import fold

_LINE = re.compile(r"^\[(?P<id>\d+\.\d+)\] +(?P<text>.+)$", re.MULTILINE)
_SOURCE = re.compile(r"^\[(?P<n>\d+)\] +(?P<title>.+)$", re.MULTILINE)
_WORD = re.compile(r"[^\W_]+|[€$%°]")


def plain(text: str) -> str:
    """Return the words and figures of a text, folded, parted by single spaces.

    Marks like [2], links, typography and line breaks count nothing.
    """
    bare = re.sub(r"\[\d+\](?!\()", " ", text)
    return " ".join(_WORD.findall(fold(bare)))


def contains(text: str, part: str) -> bool:
    """Whether plain words stand in plain words, whole."""
    return bool(part) and f" {part} " in f" {text} "


@dataclass(frozen=True)
class Request:
    """One request, in OpenAI's form."""

    body: Mapping[str, Any]

    @property
    def purpose(self) -> str:
        """The name of the schema asked for, or of the first tool; "text" of neither."""
        wanted = self.body.get("response_format") or {}
        if wanted.get("type") == "json_schema":
            return str(wanted["json_schema"].get("name", "structured"))
        if tools := self.body.get("tools"):
            return str(tools[0].get("function", {}).get("name", "tool"))
        return "structured" if wanted else "text"

    @property
    def schema(self) -> Mapping[str, Any]:
        wanted = (self.body.get("response_format") or {}).get("json_schema") or {}
        return wanted.get("schema") or {}

    @property
    def rules(self) -> str:
        """What the model was told to do in every turn."""
        said = (each["content"] for each in self.body["messages"] if each["role"] == "system")
        return "\n".join(map(str, said))

    @property
    def is_stream(self) -> bool:
        return bool(self.body.get("stream"))

    @cached_property
    def last(self) -> str:
        """The last message of the user: what differs between turns."""
        said = [each for each in self.body["messages"] if each["role"] == "user"]
        return str(said[-1]["content"]) if said else ""

    @cached_property
    def first(self) -> str:
        """The first message of the user; the last may only be a complaint about a reply."""
        said = [each for each in self.body["messages"] if each["role"] == "user"]
        return str(said[0]["content"]) if said else ""

    @cached_property
    def words(self) -> str:
        """All that users said, plain."""
        said = (each["content"] for each in self.body["messages"] if each["role"] == "user")
        return plain("\n".join(map(str, said)))

    @cached_property
    def lines(self) -> Mapping[str, str]:
        """The numbered lines by id, in their order."""
        return {found["id"]: found["text"].strip() for found in _LINE.finditer(self._said)}

    @cached_property
    def titles(self) -> Mapping[int, str]:
        """The titles of sources by number."""
        return {int(found["n"]): found["title"].strip() for found in _SOURCE.finditer(self._said)}

    @property
    def _said(self) -> str:
        return "\n".join(
            str(each["content"]) for each in self.body["messages"] if each["role"] == "user"
        )
