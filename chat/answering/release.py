"""Check an engine's statements as they arrive and show them in order.

Code checks each statement, and a model's verdict decides where code cannot. Shown statements are
never withdrawn.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import partial
from queue import Empty, SimpleQueue
from threading import Event
from typing import Any, TypeAlias

from chat.answering.written import WrittenAnswer
from chat.checking.base import UNREADABLE, CheckedQuestion, Claim, Form, Line, NumberedEvidence
from chat.checking.by_line import Judgement, judged, replacement
from chat.checking.knowledge import knowledge_of
from chat.checking.verdicts import BATCH, VERDICT, Verdict, Verdicts, holds, in_order, messages
from chat.phrases import prompts_of
from chat.tools import Generate, Tools
from chat.turn import Context
from zol.errors import LLMError, UnusableReply
from zol.llm.base import structured_call
from zol.text import fold

logger = logging.getLogger(__name__)

#: Minimum seconds left for a second request; seconds to wait for further statements of a batch.
LEAST_LEFT, GATHERED = 5.0, 0.03
FAST, STANDARD = "fast", "standard"


class Fate(StrEnum):
    """The form in which a statement was shown, if at all."""

    SAID = "said"
    #: The engine asked to show its lines.
    SHOWN = "shown as lines"
    #: Replaced by its lines.
    QUOTED = "quoted instead"
    UNCONFIRMED = "said, unconfirmed"
    LEFT_OUT = "left out"


class FirstFailed(UnusableReply):
    """The first statement failed its checks, and no lines can replace it."""


@dataclass(slots=True)
class Pending:
    """A statement that waits for its verdict or for earlier statements."""

    judgement: Judgement
    #: None without a verdict in time.
    verdict: Verdict | None = None
    is_decided: bool = True
    fate: Fate | None = None

    @property
    def claim(self) -> Claim:
        return self.judgement.claim

    @property
    def lacks_verdict(self) -> bool:
        """Return whether a verdict is needed but none came in time."""
        return self.judgement.needs_verdict and self.verdict is None

    def detail(self) -> dict[str, Any]:
        """Return the statement for the trace."""
        judgement, fault = self.judgement, self.judgement.fault
        verdict: str = self.verdict.support if self.verdict else ""
        if self.verdict and self.verdict.condition_dropped:
            verdict = f"{verdict}, a condition dropped"
        return {
            "text": self.claim.text,
            "lines": list(self.claim.lines),
            "form": str(self.claim.form),
            "found": f"{fault.check}: {fault.detail}" if fault else "",
            "explained": judgement.is_explained,
            "risky": judgement.is_risky,
            "verdict": "none in time" if self.lacks_verdict else verdict,
            "became": str(self.fate or ""),
        }


@dataclass(frozen=True, slots=True)
class Decided:
    """Verdicts on a batch of statements."""

    batch: Sequence[Pending]
    verdicts: Sequence[Verdict | None]


@dataclass(frozen=True, slots=True)
class Ended:
    """The end of a reply, with its error if it failed."""

    error: BaseException | None = None


Inbox: TypeAlias = "SimpleQueue[Claim | Decided | Ended]"


@dataclass
class Release:
    """The statements of one answer, from the engine to the visitor."""

    tools: Tools
    evidence: NumberedEvidence
    asked: CheckedQuestion
    written: WrittenAnswer
    #: Sends the visitor a piece of the answer.
    show: Callable[[str], None]
    done: list[Pending] = field(default_factory=list)
    #: Whether the pages lack something that was asked, and its names that may be shown.
    is_lacking: bool = False
    missing: list[str] = field(default_factory=list)
    #: Whether the answer covers less than was asked or written, and whether it is only the nearest
    #: match.
    is_partial: bool = False
    is_near: bool = False
    #: Faults of the first reply, and its statements.
    faults: tuple[str, ...] = ()
    thrown_away: list[Pending] = field(default_factory=list)
    #: All statements of the reply; those not shown yet; those without a requested verdict.
    _taken: list[Pending] = field(default_factory=list)
    _waiting: list[Pending] = field(default_factory=list)
    _unasked: list[Pending] = field(default_factory=list)

    @property
    def is_begun(self) -> bool:
        """Return whether any of the answer was shown."""
        return bool(self.written.text)

    def follow(self, ctx: Context, generate: Generate) -> None:
        """Show an engine's statements.

        If the reply is unreadable, or its first statement fails without a replacement, the request
        is repeated once with its faults, if time allows.

        :raises LLMError: if the reply broke off; its complete statements were shown.
        """
        try:
            self._follow(ctx, generate)
        except UnusableReply:
            if self.is_begun or self.tools.models.meter.left < LEAST_LEFT:
                raise
            self.faults = self.faults or (UNREADABLE,)
            self.thrown_away, self.done = self.done, []
            self._taken, self._waiting, self._unasked = [], [], []
            self.missing, self.is_partial, self.is_lacking = [], False, False
            self._follow(ctx.learn(faults=self.faults), generate)

    def _follow(self, ctx: Context, generate: Generate) -> None:
        inbox: Inbox = SimpleQueue()
        is_left = Event()
        shown = [each.claim for each in self.done if each.fate is not Fate.LEFT_OUT]
        self._aside(partial(read, generate(ctx, shown, self.tools), inbox, is_left))
        ended: Ended | None = None
        try:
            while ended is None or self._waiting:
                event = self._next(inbox)
                match event:
                    case Claim():
                        self._take(event)
                    case Decided():
                        for each, verdict in zip(event.batch, event.verdicts, strict=True):
                            each.verdict, each.is_decided = verdict, True
                    case Ended():
                        ended = event
                self._ask(inbox, at_once=event is None or ended is not None)
                self._release()
        finally:
            is_left.set()
        if ended.error:
            raise ended.error

    def _aside(self, work: Callable[[], None]) -> None:
        """Run work in another thread, or at once if there is none."""
        if self.tools.models.aside is None:
            work()
        else:
            self.tools.models.aside(work)

    def _next(self, inbox: Inbox) -> Claim | Decided | Ended | None:
        """Return the next event; None when a batch of statements has waited long enough."""
        with self.tools.models.lent(), suppress(Empty):
            return inbox.get(timeout=GATHERED if self._unasked else None)
        return None

    def _take(self, claim: Claim) -> None:
        """Check a statement by code, unless it is a duplicate."""
        if claim.form is Form.MISSING:
            self.is_partial = self.is_lacking = True
            self.missing += [claim.text] if self._states_nothing(claim.text) else []
            return
        if claim.form is Form.NEAR:
            self.is_partial = self.is_near = True
            return
        if claim.text and any(fold(claim.text) == fold(each.claim.text) for each in self._taken):
            return
        known = self.tools.snapshot.derived(knowledge_of)
        pending = Pending(judged(claim, self.evidence, self.asked, known))
        self._waiting.append(pending)
        self._taken.append(pending)
        if pending.judgement.needs_verdict and self.tools.models.verify is not None:
            pending.is_decided = False
            self._unasked.append(pending)

    def _states_nothing(self, text: str) -> bool:
        """Return whether the name of missing content may be shown: it has no address, and no digit
        that the question lacks."""
        figures = {sign for sign in text if sign.isdecimal()}
        strange = any(sign in text for sign in ("/", "@", "<", "www."))
        return bool(text) and not strange and figures <= set(self.asked.question)

    def _ask(self, inbox: Inbox, *, at_once: bool) -> None:
        """Request verdicts on the waiting statements; risky ones from the better tier."""
        for tier in (FAST, STANDARD):
            gathered = [p for p in self._unasked if p.judgement.is_risky is (tier == STANDARD)]
            while gathered and (at_once or len(gathered) >= BATCH):
                batch, gathered = gathered[:BATCH], gathered[BATCH:]
                self._unasked = [each for each in self._unasked if each not in batch]
                self._aside(partial(self._verdicts, batch, tier, inbox))

    def _verdicts(self, batch: Sequence[Pending], tier: str, inbox: Inbox) -> None:
        """Request a model's verdict on whether lines support their statements."""
        found: Sequence[Verdict | None] = [None] * len(batch)
        claims = [(each.claim, self._titled(each.claim.lines)) for each in batch]
        known = self.tools.snapshot.derived(knowledge_of)
        names = {name for claim, _ in claims for name in known.synonyms_in(claim.text)}
        rules = self.tools.snapshot.derived(prompts_of).say(VERDICT, {})
        try:
            if self.tools.models.tier is not None and self.tools.models.verify is not None:
                asked = messages(
                    rules, claims, self.asked.question, sorted(names), self.asked.today
                )
                given = structured_call(
                    self.tools.models.tier(tier), asked, Verdicts, name=VERDICT,
                    attempts=1, limits=self.tools.models.verify, meter=self.tools.models.meter,
                )  # fmt: skip
                found = in_order(given, len(batch))
        except LLMError:
            logger.info("The verdict failed", exc_info=True)
        finally:
            inbox.put(Decided(batch, found))

    def _titled(self, ids: Sequence[str]) -> list[Line]:
        """Return lines under their page titles, which may name the department or person."""
        found = [(line, self.evidence.source_of(line)) for line in self.evidence.lines(ids)]
        over = [" › ".join(filter(None, (s.citation.title, line.above))) for line, s in found]
        return [replace(line, above=above) for (line, _), above in zip(found, over, strict=True)]

    def _release(self) -> None:
        """Show decided statements, in order."""
        while self._waiting and self._waiting[0].is_decided:
            pending = self._waiting.pop(0)
            self.done.append(pending)
            pending.fate = self._shown(pending)
            if pending.fate is Fate.LEFT_OUT:
                self._note_loss(pending)

    def _note_loss(self, pending: Pending) -> None:
        fault = pending.judgement.fault
        why = fault.detail if fault else "its lines do not say so"
        if not self.is_begun and not self.faults:
            self.faults = (f"“{pending.claim.text}”: {why}.",)
            raise FirstFailed(self.faults[0])
        self.is_partial = True

    def _shown(self, pending: Pending) -> Fate:
        """Show a statement or the lines that replace it; return its fate."""
        claim, judgement = pending.claim, pending.judgement
        lines = self.evidence.lines(claim.lines)
        if claim.form is Form.SHOW and not judgement.fault:
            return self._print(lines, Fate.SHOWN)
        if claim.form is Form.PAGE:
            self.show(self.written.refer(lines))
            return Fate.SHOWN if lines else Fate.LEFT_OUT
        if holds(pending.verdict, judgement):
            self.show(self.written.add_statement(claim.text, lines, claim.form))
            return Fate.SAID
        if not pending.lacks_verdict:
            known = self.tools.snapshot.derived(knowledge_of)
            stand_in = replacement(claim, self.evidence, self.asked, known)
            return self._print(stand_in, Fate.QUOTED)
        is_read = all(line.language == self.asked.language for line in lines)
        if is_read or judgement.is_risky or judgement.is_derived:
            return self._print(lines, Fate.QUOTED)
        remark = self.tools.phrases.say("unconfirmed", self.asked.language)
        self.show(self.written.add_statement(claim.text, lines, claim.form, f"*{remark}*"))
        return Fate.UNCONFIRMED

    def _print(self, lines: Sequence[Line], fate: Fate) -> Fate:
        """Show lines verbatim, each once."""
        if not lines:
            return Fate.LEFT_OUT
        self.show(self.written.show(lines, is_quotation=fate is Fate.QUOTED))
        return fate


def read(claims: Iterator[Claim], inbox: Inbox, is_left: Event) -> None:
    """Put statements into the inbox until the reader has left, then their end."""
    error: BaseException | None = None
    try:
        for claim in claims:
            if is_left.is_set():
                break
            inbox.put(claim)
    except BaseException as reason:  # noqa: BLE001 (raised again in the turn's own thread)
        error = reason
    finally:
        claims.close()  # type: ignore[attr-defined]
        inbox.put(Ended(error))
