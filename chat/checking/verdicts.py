"""Verdicts of a model on statements that code cannot tell by their words: the call and its form."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from chat.checking.base import Claim, Line
from chat.checking.by_line import Judgement
from zol.llm.base import Message

#: The schema's name, and the prompt's.
VERDICT = "verdict"
#: Statements of a call, at most.
BATCH = 3
Support: TypeAlias = Literal["supported", "contradicted", "not_stated"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether its lines say what a statement says."""

    #: Of the statement in the call, from 1.
    n: int
    support: Support
    #: Whether the lines say it only under a condition that the statement leaves out.
    condition_dropped: bool


@dataclass(frozen=True, slots=True)
class Verdicts:
    """The reply to a call: what `structured_call` is asked for."""

    verdicts: Annotated[tuple[Verdict, ...], Field(max_length=BATCH)]


def messages(
    rules: str,
    asked: Sequence[tuple[Claim, Sequence[Line]]],
    question: str = "",
    names: Iterable[str] = (),
    today: date | None = None,
) -> list[Message]:
    """Return the call for up to three statements, each with its own lines only; the rules are the
    same for every turn. The question tells what is the patient's own, and `names` what a statement
    calls otherwise than its lines."""
    said = "\n\n".join(
        f"Statement {n}: {_inline(claim.text)}\nIts lines:\n"
        + "\n".join(f"- {_inline(line.told)}" for line in lines)
        for n, (claim, lines) in enumerate(asked, 1)
    )
    called = "\n".join(f"- {_inline(name)}" for name in names)
    known = f"\n\nIn this hospital these are the same:\n{called}" if called else ""
    now = f"Today is {today:%A %d %B %Y}.\n\n" if today else ""
    told = f"{now}The patient asked: {_inline(question)}\n\n" if question else now
    return [Message("system", rules), Message("user", f"{told}{said}{known}")]


def _inline(text: str) -> str:
    return " ".join(text.split())


def in_order(given: Verdicts, count: int) -> tuple[Verdict | None, ...]:
    """Return the verdict on each statement of a call; none where the reply has none or two."""
    of = ([each for each in given.verdicts if each.n == n] for n in range(1, count + 1))
    return tuple(each[0] if len(each) == 1 else None for each in of)


def holds(verdict: Verdict | None, judgement: Judgement) -> bool:
    """Return whether a statement may be shown in its own words.

    One that could do harm has to deny and limit what its lines do, whatever the verdict says. For
    others words are no judge: "no, nephews wait" is what "nephews may come later" says.
    """
    if judgement.fault:
        return False
    if not judgement.needs_verdict:
        return True
    if verdict is None or verdict.support != "supported" or verdict.condition_dropped:
        return False
    return judgement.is_equal or not judgement.is_risky
