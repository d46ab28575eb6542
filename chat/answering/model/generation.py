"""Asking a model for the answer, and holding it to the evidence while it speaks.

Words are held back until their statement is complete. So nothing unsafe is ever seen, not even for
the moment that a retraction takes; the price is one sentence's delay.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from chat.answering.model.evidence import evidence_for, rendered
from chat.behaviours import Mode
from chat.checking.evidence import Evidence
from chat.checking.faults import faults_of, opens
from chat.checking.knowledge import Knowledge, knowledge_of
from chat.checking.statements import Fault, Statement
from chat.phrases import prompts_of
from chat.tools import Tools
from chat.turn import Citation, Context, Token, Understanding
from retrieval.intents import Intent
from zol.errors import UnusableReply
from zol.llm.base import Limits, Message

#: A sentence ends here, with its citations: white space follows and something new begins.
_END = re.compile(r"(?<=[.!?…])((?:\s*\[\d+\])*)\s+(?=[^\s\[])|(?<=\])[.!?]?\s+(?=[^\s\[])")
#: Full stops that end no sentence: titles, initials, abbreviations of one to three letters.
_ABBREVIATION = re.compile(
    r"(?:^|[\s(])(?:[^\W\d_]{1,2}|[Pp]rof|[Tt]el|[Dd]ott|[Nn]r|bijv|bv|ca|max|min)\.$"
)
#: Exchanges of the conversation that a model is shown, and letters of each answer.
REMEMBERED, REMEMBERED_LETTERS = 3, 600


@dataclass(frozen=True, slots=True)
class RemovedStatement:
    """A statement that did not reach the patient, and why."""

    text: str
    fault: Fault


class Sieve:
    """Takes pieces of an answer, gives back what may be shown. One answer, one sieve."""

    def __init__(self, evidence: Evidence, knowledge: Knowledge, language: str) -> None:
        self._evidence, self._known, self._language = evidence, knowledge, language
        self._buffer = ""
        #: Sentences of this paragraph that still wait for a citation.
        self._waiting: list[Statement] = []
        #: A heading or lead-in is shown with what it opens, or not at all.
        self._opening: list[str] = []
        self._separator = ""
        self.removed: list[RemovedStatement] = []
        self.kept: list[str] = []

    @property
    def text(self) -> str:
        return "".join(self.kept)

    def feed(self, piece: str) -> Iterator[str]:
        """Take a piece; yield what has become safe to show."""
        self._buffer += piece
        while "\n" in self._buffer:
            line, self._buffer = self._buffer.split("\n", 1)
            yield from self._end_line(line)
        *whole, self._buffer = sentences(self._buffer)
        for sentence in whole:
            yield from self._take(sentence)

    def finish(self) -> Iterator[str]:
        """Take what is left at the end of the answer."""
        line, self._buffer = self._buffer, ""
        yield from self._end_line(line)

    def _end_line(self, line: str) -> Iterator[str]:
        for sentence in sentences(line):
            yield from self._take(sentence)
        yield from self._settle(())
        if line.strip() or self.kept:
            self._separator = "\n\n" if not line.strip() else self._separator or "\n"

    def _take(self, sentence: str) -> Iterator[str]:
        said = Statement(sentence.strip(), language=self._language)
        if not said.text:
            return
        if opens(said):
            yield from self._settle(())
            self._opening.append(self._separator + said.text)
            self._separator = "\n" if said.text.startswith("#") else " "
            return
        self._waiting.append(said)
        if said.marks:
            yield from self._settle(said.marks)

    def _settle(self, marks: tuple[int, ...]) -> Iterator[str]:
        """Judge the sentences that waited: those without a citation lean on the next one's."""
        waiting, self._waiting = self._waiting, []
        for said in waiting:
            fault = self._fault(said, marks)
            if fault:
                self.removed.append(RemovedStatement(said.text, fault))
                continue
            shown = "".join((*self._opening, self._separator, said.text))
            self._opening, self._separator = [], " "
            shown = shown if self.kept else shown.lstrip()
            self.kept.append(shown)
            yield shown

    def _fault(self, said: Statement, marks: tuple[int, ...]) -> Fault | None:
        """Judge by its own citations, or by nothing but the facts, or by the next one's."""
        # What stands above a statement belongs to it: "Kinderen van 11 jaar:" and then a dose.
        whole = replace(said, text="\n".join((*map(str.strip, self._opening), said.text)))
        faults = faults_of(whole, self._evidence, self._known)
        fault = next(faults, None)
        if fault and marks and not said.marks:
            faults = faults_of(replace(whole, inherited=marks), self._evidence, self._known)
            fault = next(faults, None)
        return fault


def sentences(text: str) -> list[str]:
    """Return the sentences of a line, each with its citations; the last may be unfinished."""
    found, start = [], 0
    for end in _END.finditer(text):
        so_far = text[start : end.start()]
        if _ABBREVIATION.search(so_far):
            continue
        found.append(text[start : end.end()].rstrip())
        start = end.end()
    return [*found, text[start:]]


@dataclass(frozen=True, slots=True)
class Effort:
    """Which model answers, and how much it may say."""

    tier: str
    limits: Limits


#: Questions that the published taxonomy answers whole, once it knows what they name.
TOLD_BY_CODE = frozenset(
    {
        Intent.DOCTOR_LOOKUP,
        Intent.DEPARTMENT_OR_SERVICE_LOOKUP,
        Intent.BOOKING_OR_CONTACT,
        Intent.AMBIGUOUS_SYMPTOM_DESCRIPTION,
    }
)

EFFORTS: Mapping[Mode, Effort] = {
    Mode.STANDARD: Effort("primary", Limits(tokens=1_000, patience=8.0, seconds=30.0)),
    Mode.FULL: Effort("primary", Limits(tokens=1_500, patience=8.0, seconds=45.0)),
    Mode.ESCALATED: Effort("escalation", Limits(tokens=3_000, patience=20.0, seconds=90.0)),
}


@dataclass(frozen=True, slots=True)
class ModelAnswer:
    """What a model wrote, as far as it may be shown."""

    text: str
    citations: tuple[Citation, ...]
    removed: tuple[RemovedStatement, ...]
    prompt: str

    @property
    def detail(self) -> dict[str, Any]:
        return {
            "engine": "model",
            "citations": len(self.citations),
            "removed": [
                {"text": each.text, "check": each.fault.check, "why": each.fault.detail}
                for each in self.removed
            ],
            "prompt": self.prompt,
        }


def model_answers(ctx: Context, tools: Tools) -> bool:
    """Whether a model is asked: there is one, and something to answer from that needs words.

    Who works where, telephone numbers and hours are told by code in both engines (spec 00).
    """
    if tools.llm is None or ctx.roster or not ctx.dossier.blocks:
        return False
    return not all(is_told_by_code(part.understanding) for part in ctx.parts or (ctx,))


def is_told_by_code(meant: Understanding) -> bool:
    return meant.intent in TOLD_BY_CODE and bool(meant.matches)


def answer_by_model(ctx: Context, tools: Tools) -> ModelAnswer:
    """Show a model's answer as it passes the checks; return what was shown.

    :raises LLMError: when there is no usable answer; what was shown by then must be taken back.
    """
    if tools.llm is None:
        raise UnusableReply("No model is configured")
    evidence = evidence_for(ctx, tools)
    messages = prompt_for(ctx, tools, evidence)
    effort = EFFORTS[ctx.turn.mode]
    known = tools.snapshot.derived(knowledge_of)
    sieve = Sieve(evidence, known, ctx.understanding.language)
    pieces = tools.llm(effort.tier).stream(messages, limits=effort.limits, meter=tools.meter)
    for piece in pieces:
        for shown in sieve.feed(piece):
            tools.emit(Token(shown))
    for shown in sieve.finish():
        tools.emit(Token(shown))
    if not sieve.kept:
        raise UnusableReply(f"Nothing of the answer passed the checks: {_reasons(sieve)}")
    cited = [exhibit.citation for exhibit in evidence.exhibits if f"[{exhibit.n}]" in sieve.text]
    prompt = "\n\n".join(f"{message.role}: {message.text}" for message in messages)
    return ModelAnswer(sieve.text, tuple(cited), tuple(sieve.removed), prompt)


def _reasons(sieve: Sieve) -> str:
    return (
        "; ".join(f"{each.fault.check}: {each.fault.detail}" for each in sieve.removed) or "empty"
    )


def prompt_for(ctx: Context, tools: Tools, evidence: Evidence) -> list[Message]:
    """Return what the model is told: who it speaks for, what was said before, and the evidence."""
    prompts = tools.snapshot.derived(prompts_of)
    profile = tools.snapshot.profile
    values = {
        "short_name": profile.short_name,
        "phone": profile.phone,
        "guard": ctx.dossier.guard,
        "language_name": ", and then again in ".join(
            tools.phrases.say(f"language_name_{code}", "en") or code
            for code in ctx.understanding.answered_in
        ),
    }
    earlier = [
        message
        for exchange in ctx.turn.history[-REMEMBERED:]
        for message in (
            Message("user", exchange.question),
            Message("assistant", exchange.answer[:REMEMBERED_LETTERS]),
        )
    ]
    asked = f"{rendered(evidence)}\n\nQuestion: {ctx.question}"
    return [Message("system", prompts.say("answer", values)), *earlier, Message("user", asked)]
