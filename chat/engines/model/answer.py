"""Generate an answer with a model: the prompt, the reply schema, and a streaming parser of
replies."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias, get_args

from pydantic import TypeAdapter
from pydantic_core import from_json

from chat.behaviours import Mode
from chat.checking.base import UNREADABLE, Claim, Form, NumberedEvidence
from chat.phrases import prompts_of
from chat.question.content_words import without_marks
from chat.sources.numbered import conversation_of, guard_of, rendered
from chat.tools import Tools
from chat.turn import Context
from zol.errors import UnusableReply
from zol.llm.base import Message, strict_schema
from zol.text import sentences, squash, storable

PROMPT = "write"
#: Maximum statements, lines of a statement, lines shown, and letters of a statement. The prompt
#: asks for 400 letters; a statement above the maximum is replaced by its lines.
MOST_STATEMENTS, MOST_LINES, MOST_SHOWN, LONGEST = 10, 4, 40, 600
#: Maximum missing topics, and letters of each.
MOST_MISSING, LONGEST_MISSING = 3, 120

Status: TypeAlias = Literal["complete", "partial", "none"]


@dataclass(frozen=True, slots=True)
class WrittenStatement:
    """A statement of the reply schema; a model names its lines before it writes the text."""

    #: At most four ids, or one range such as "2.4-2.7".
    lines: tuple[str, ...]
    form: Literal["sentence", "item", "show"]
    text: str


@dataclass(frozen=True, slots=True)
class WrittenReply:
    """The reply schema; a model fills in the fields in this order."""

    status: Status
    statements: tuple[WrittenStatement, ...]
    missing: tuple[str, ...]


SCHEMA = strict_schema(TypeAdapter(WrittenReply), "answer")


#: Tier and token limit, by mode.
EFFORTS: Mapping[Mode, tuple[str, int]] = {
    Mode.STANDARD: ("primary", 1_000),
    Mode.FULL: ("primary", 1_500),
    Mode.ESCALATED: ("escalation", 3_000),
}


def generate(ctx: Context, shown: Sequence[Claim], tools: Tools) -> Iterator[Claim]:
    """Yield the claims of a model's reply as each is complete, then what the pages lack.

    :raises LLMError: if the reply breaks off or cannot be parsed.
    """
    if tools.models.tier is None:
        raise UnusableReply("No model is configured")
    tier, tokens = EFFORTS[ctx.turn.mode]
    reply = ReplyReader()
    pieces = tools.models.tier(tier).stream(
        messages_for(ctx, tools),
        schema=None if UNREADABLE in ctx.dossier.faults else SCHEMA,
        limits=replace(tools.models.answer(ctx.turn.mode), tokens=tokens),
        meter=tools.models.meter,
    )
    with closing(pieces):  # type: ignore[type-var]
        for piece in pieces:
            yield from reply.feed(piece)
    yield from reply.finish()


def messages_for(ctx: Context, tools: Tools) -> list[Message]:
    """Return the rules that all turns share (for prompt caching), then what changes."""
    profile = tools.snapshot.profile
    values = {"short_name": profile.short_name, "emergency_phone": profile.emergency_phone}
    language = ", and then again in ".join(
        tools.phrases.say(f"language_name_{code}", "en") or code
        for code in ctx.understanding.answered_in
    )
    before = conversation_of(ctx.turn, tools)
    wrong = "; ".join(ctx.dossier.faults)
    sections = (
        rendered(ctx.dossier.evidence or NumberedEvidence(), tools),
        f"Answer in {language}.",
        guard_of(ctx, tools),
        f"Conversation so far, which is no source:\n{before}" if before else "",
        f"Question: {without_marks(ctx.question)}",
        f"A first reply was thrown away: {wrong} Write it anew without that." if wrong else "",
        "Write plain sentences, each with the ids of its lines behind it: [2.14]."
        if UNREADABLE in ctx.dossier.faults
        else "",
    )
    system = tools.snapshot.derived(prompts_of).say(PROMPT, values)
    return [Message("system", system), Message("user", "\n\n".join(filter(None, sections)))]


_OBJECT = re.compile(r'\{\s*"')
_CONTROLS = dict.fromkeys(range(32), " ")
_FENCE = re.compile(r"^\s*```\w*\s*|\s*```\s*$")
_WHOLE = json.JSONDecoder(strict=False)


class ReplyReader:
    """Incremental parser of one reply."""

    def __init__(self) -> None:
        self._text = ""
        self._yielded = 0
        self._is_whole = False
        self._reply: Mapping[str, Any] = {}

    def feed(self, piece: str) -> Iterator[Claim]:
        """Parse a piece; yield the statements that it completes."""
        self._text += piece
        if not self._is_whole and not {'"', "}", "]"}.isdisjoint(piece):
            self._read()
            yield from self._new()

    def finish(self) -> Iterator[Claim]:
        """Yield the remaining statements and what the pages lack.

        :raises UnusableReply: when the reply broke off, or nothing in it can be read.
        """
        self._read()
        yield from self._new()
        if not _OBJECT.search(self._text):
            found = tuple(claims_in(self._text))
            if not any(claim.lines for claim in found):
                raise UnusableReply(UNREADABLE)
            yield from found
            return
        if not self._is_whole:
            raise UnusableReply("The reply broke off.")
        missing = tuple(missing_in(self._reply))
        if self._reply.get("status") not in get_args(Status) or not (self._yielded or missing):
            raise UnusableReply(UNREADABLE)
        yield from missing

    def _read(self) -> None:
        """Parse the object as far as it has arrived."""
        if found := _OBJECT.search(self._text):
            text = self._text[found.start() :].translate(_CONTROLS)
            try:
                reply, _ = _WHOLE.raw_decode(text)
                self._is_whole = True
            except ValueError:
                try:
                    reply = from_json(text, allow_partial=True)
                except ValueError:
                    return
            self._reply = reply

    def _new(self) -> Iterator[Claim]:
        statements = self._reply.get("statements")
        if self._reply.get("status") == "none" or not isinstance(statements, list):
            return
        upto = min(len(statements), MOST_STATEMENTS)
        while self._yielded < upto and self._is_complete(self._yielded, statements):
            claim = claim_in(statements[self._yielded])
            self._yielded += 1
            if claim:
                yield claim

    def _is_complete(self, at: int, statements: list[Any]) -> bool:
        """Return whether a statement has its last field, or another one follows it."""
        each = statements[at]
        ends = isinstance(each, dict) and len(each) > 2 and [*each][-1] == "text"
        return self._is_whole or ends or at + 1 < len(statements)


_ID = re.compile(r"\d+\.\d+")
_RANGE = re.compile(r"(\d+)\.(\d+)\s*[-\u2013\u2026]\s*(?:(\d+)\.)?(\d+)")
#: Citation marks that a model may append although it lists ids.
_OWN_MARK = re.compile(r"\s*\[\d+(?:\.\d+)?(?:\s*[-\u2013,;]\s*\d+(?:\.\d+)?)*\]")


def claim_in(statement: Any) -> Claim | None:
    """Return a statement of a reply as a claim; None if it is empty."""
    if not isinstance(statement, dict):
        return None
    lines = ids_in(statement.get("lines"))
    text = cleaned(statement.get("text"))
    form = Form.ITEM if statement.get("form") == Form.ITEM else Form.SENTENCE
    if statement.get("form") == Form.SHOW or not text or len(text) > LONGEST:
        return Claim("", lines, Form.SHOW) if lines else None
    return Claim(text, lines[:MOST_LINES], form)


def cleaned(text: object) -> str:
    """Return a reply's text on one line, without citation marks or markup."""
    line = squash(storable(text)) if isinstance(text, str) else ""
    return _OWN_MARK.sub("", line).replace("**", "").strip()


def ids_in(value: object) -> tuple[str, ...]:
    """Return the line ids in a value of a reply, each once, ranges expanded."""
    named = value if isinstance(value, list) else [value]
    found: dict[str, None] = {}
    for each in map(str, named):
        rest = each
        for of in _RANGE.finditer(each):
            source, first, other, last = of.groups()
            if other in (None, source):
                upto = min(int(last), int(first) + MOST_SHOWN)
                found |= dict.fromkeys(f"{source}.{at}" for at in range(int(first), upto + 1))
            rest = rest.replace(of[0], " ")
        found |= dict.fromkeys(_ID.findall(rest))
    return tuple(found)[:MOST_SHOWN]


def missing_in(reply: Mapping[str, Any]) -> Iterator[Claim]:
    """Yield a claim for each missing topic of a reply, or one without text if an incomplete reply
    names none."""
    named = reply.get("missing")
    texts = [cleaned(each) for each in named] if isinstance(named, list) else []
    topics = [text for text in texts if text and len(text) <= LONGEST_MISSING][:MOST_MISSING]
    if not topics and reply.get("status") != "complete":
        topics = [""]
    for text in topics:
        yield Claim(text, form=Form.MISSING)


def claims_in(text: str) -> Iterator[Claim]:
    """Yield the sentences of a reply that is not JSON, each with the ids that follow it in its
    paragraph."""
    for paragraph in _FENCE.sub("", text).splitlines():
        waiting: list[str] = []
        form = Form.ITEM if paragraph.lstrip()[:2] in ("- ", "* ") else Form.SENTENCE
        # A mark behind a full stop belongs to the sentence before it.
        joined = re.sub(r"([.!?])((?:\s*\[\d+\.[^\]]*\])+)", r"\2\1", paragraph.lstrip("-* "))
        for sentence in sentences(joined):
            waiting.append(cleaned(sentence))
            if lines := ids_in(_OWN_MARK.findall(sentence)):
                yield from (Claim(each, lines[:MOST_LINES], form) for each in waiting)
                waiting = []
        yield from (Claim(each, (), form) for each in waiting if each)
