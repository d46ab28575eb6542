"""What a check of one statement is given, and what it may find."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from chat.checks.statements.evidence import Evidence
from chat.checks.statements.knowledge import Knowledge
from taxonomy.dictionary import likely_languages
from zol.text import words

_MARK = re.compile(r"\[(\d+)\]")


@dataclass(frozen=True)
class Statement:
    """A sentence or list item of an answer, with the citations that bear it."""

    text: str
    #: Citations of a later sentence of the same paragraph, when it has none of its own.
    inherited: tuple[int, ...] = ()
    language: str = "nl"

    @cached_property
    def marks(self) -> tuple[int, ...]:
        return tuple(int(number) for number in _MARK.findall(self.text))

    @property
    def cited(self) -> tuple[int, ...]:
        return self.marks or self.inherited

    @cached_property
    def plain(self) -> str:
        return _MARK.sub("", self.text).strip()

    @cached_property
    def written_in(self) -> str:
        """The language of its words: the answer's, unless they are plainly of another."""
        likely = likely_languages(self.words)
        return self.language if self.language in likely else likely[0]

    @cached_property
    def words(self) -> tuple[str, ...]:
        return words(self.plain)


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a statement does not reach the patient."""

    check: str
    detail: str


Check: TypeAlias = Callable[[Statement, Evidence, Knowledge], Fault | None]
