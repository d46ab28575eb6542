"""Ask a model for verdicts on statements that no line explains word by word: prompt and schema."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from chat.checking.base import Claim, Line
from chat.checking.by_line import Judgement
from zol.llm.base import Message

#: Name of the schema and the prompt.
VERDICT = "verdict"
#: Maximum statements per call.
BATCH = 3
Support: TypeAlias = Literal["supported", "contradicted", "not_stated"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict on one statement."""

    #: Number of the statement in the call, from 1.
    n: int
    support: Support
    #: Whether the statement omits a condition of its lines.
    condition_dropped: bool


@dataclass(frozen=True, slots=True)
class Verdicts:
    """The reply schema, for `structured_call`."""

    verdicts: Annotated[tuple[Verdict, ...], Field(max_length=BATCH)]


def messages(
    rules: str,
    asked: Sequence[tuple[Claim, Sequence[Line]]],
    question: str = "",
    names: Iterable[str] = (),
    today: date | None = None,
) -> list[Message]:
    """Return the prompt for up to three statements, each with only its own lines.

    The rules come first and are the same for all turns. The question shows which facts are the
    patient's own; `names` are the statements' synonyms with the names that the lines use.
    """
    statements = "\n\n".join(
        f"Statement {n}: {_inline(claim.text)}\nIts lines:\n"
        + "\n".join(f"- {_inline(line.full_text)}" for line in lines)
        for n, (claim, lines) in enumerate(asked, 1)
    )
    listed = "\n".join(f"- {_inline(name)}" for name in names)
    known = f"\n\nIn this hospital these are the same:\n{listed}" if listed else ""
    now = f"Today is {today:%A %d %B %Y}.\n\n" if today else ""
    before = f"{now}The patient asked: {_inline(question)}\n\n" if question else now
    return [Message("system", rules), Message("user", f"{before}{statements}{known}")]


def _inline(text: str) -> str:
    return " ".join(text.split())


def in_order(given: Verdicts, count: int) -> tuple[Verdict | None, ...]:
    """Return the verdict on each statement of a call; None if missing or duplicated."""
    found = ([each for each in given.verdicts if each.n == n] for n in range(1, count + 1))
    return tuple(each[0] if len(each) == 1 else None for each in found)


def holds(verdict: Verdict | None, judgement: Judgement) -> bool:
    """Return whether a statement may be shown in its own words.

    A risky statement must also have the negations and limits of its lines, whatever the verdict.
    Others need not: "no, nephews wait" may paraphrase "nephews may come later".
    """
    if judgement.fault:
        return False
    if not judgement.needs_verdict:
        return True
    if verdict is None or verdict.support != "supported" or verdict.condition_dropped:
        return False
    return judgement.is_equal or not judgement.is_risky
