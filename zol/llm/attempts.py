"""Attempts at a request to models: race the endpoints, filter the stream, record each attempt."""

from __future__ import annotations

import asyncio
import re
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from operator import itemgetter
from time import monotonic
from typing import TYPE_CHECKING, Any

from zol.errors import LLMError, LLMTimeout, LLMUnavailable, UnusableReply
from zol.llm.base import Call, Limits, Message, Meter
from zol.runtime.breaker import EndpointLeftAlone

if TYPE_CHECKING:  # The client takes over a second to import.
    from zol.llm.openai import OpenAIModel

THOUGHT, THOUGHT_ENDS = "<think>", "</think>"
#: Maximum length of an answer in characters, so that an endless one does not fill the memory.
LONGEST = 100_000
_HALF = re.compile("[\ud800-\udfff]")


class TooLong(ValueError):
    """The answer is longer than `LONGEST`."""


class Words:
    """Filter for the pieces of an answer: removes reasoning, NUL, and text around JSON."""

    def __init__(self, *, is_json: bool) -> None:
        self._object = JsonObject() if is_json else None
        #: First half of a surrogate pair whose second half is in the next piece.
        self._half = ""
        #: Text received while it is unknown whether the answer begins with reasoning.
        self._before: str | None = ""
        self._letters = 0

    @property
    def is_complete(self) -> bool:
        """Return whether the JSON object has ended."""
        return self._object is not None and self._object.has_ended

    def feed(self, piece: str) -> str:
        """Take a piece; return the text that can be shown now.

        :raises TooLong: when the answer is too long.
        """
        self._letters += len(piece)
        if self._letters > LONGEST:
            raise TooLong
        text = self._after_thought(self._joined(piece).replace("\0", ""))
        return self._object.feed(text) if self._object else text

    def rest(self) -> str:
        """Return the text that is still held back at the end."""
        before, self._before = self._before or "", None
        return "" if self._object or before.startswith(THOUGHT) else before

    def _joined(self, piece: str) -> str:
        """Return a piece with complete surrogate pairs only."""
        text, self._half = self._half + piece, ""
        if not _HALF.search(text):
            return text
        if "\ud800" <= text[-1] <= "\udbff":
            text, self._half = text[:-1], text[-1]
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "ignore")

    def _after_thought(self, text: str) -> str:
        if self._before is None:
            return text
        found = self._before = (self._before + text).lstrip()
        if found.startswith(THOUGHT):
            _, end, found = found.partition(THOUGHT_ENDS)
            found = found.lstrip()
            if not end or not found:
                return ""
        elif THOUGHT.startswith(found):
            return ""
        self._before = None
        return found


class JsonObject:
    """Filter that passes only the first JSON object of a text, character by character."""

    def __init__(self) -> None:
        self._depth = 0
        self._in_text = False
        #: Incomplete escape sequence, and an escaped first half of a surrogate pair.
        self._escape = self._half = ""
        self.has_ended = False

    def feed(self, text: str) -> str:
        return "".join(map(self._let_through, text))

    def _let_through(self, letter: str) -> str:
        if self.has_ended or (not self._depth and letter != "{"):
            return ""
        if self._escape:
            return self._escaped(letter)
        if self._in_text and letter == "\\":
            self._escape = letter
            return ""
        self._half = ""
        if letter == '"':
            self._in_text = not self._in_text
        elif not self._in_text and letter in "{}":
            self._depth += 1 if letter == "{" else -1
            self.has_ended = not self._depth
        return letter

    def _escaped(self, letter: str) -> str:
        """Return an escape sequence once it is complete; drop NUL and lone surrogates."""
        self._escape += letter
        if len(self._escape) < (6 if self._escape[1] == "u" else 2):
            return ""
        whole, before = self._escape, self._half
        self._escape = self._half = ""
        sort = whole[2:4].lower()
        if whole[1] == "u" and "d8" <= sort <= "db":
            self._half = whole
            return ""
        if whole[1] == "u" and "dc" <= sort <= "df":
            return before and before + whole
        return "" if whole == r"\u0000" else whole


#: Seconds to wait for the token usage after the answer is complete.
LAST_WORD = 0.5
#: Minimum time limit, in seconds, of a call whose time-out counts as a failure of the endpoint:
#: shorter ones, as for verdicts, also expire at an endpoint that is only slow.
PATIENT = 3.0
#: Characters per token, to estimate the usage that an endpoint does not report.
LETTERS = 4


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """A request with its deadlines (as `monotonic` counts)."""

    messages: Sequence[Message]
    schema: Mapping[str, Any] | None
    limits: Limits
    meter: Meter
    #: Whether the answer comes in one piece instead of a stream.
    is_whole: bool
    first_by: float
    ends_at: float

    @property
    def purpose(self) -> str:
        return str(self.schema.get("title", "answer")) if self.schema else "text"


class Race:
    """Race of models to the first word of an answer.

    The next model is started when one fails, or has sent nothing for `hedge` seconds. When all have
    failed, the one that asks for the shortest pause is tried once more.
    """

    def __init__(
        self, models: Sequence[OpenAIModel], request: ModelRequest, hedge: float | None
    ) -> None:
        self._request, self._hedge = request, hedge
        self._waiting = deque(models)
        self._running: dict[asyncio.Task[str], Attempt] = {}
        #: Models that may be retried, with their pause in seconds; None after the retry.
        self._again: list[tuple[float, OpenAIModel]] | None = []
        self._failed: LLMError = LLMTimeout("No model answered in time")

    async def first(self) -> tuple[Attempt, str]:
        """Return the attempt that answers first, and its first piece.

        :raises LLMError: of the last model that failed; `LLMTimeout` when none answered.
        """
        failure = "LLMTimeout"
        try:
            async with asyncio.timeout_at(self._request.first_by):
                while await self._start_next():
                    if found := await self._first_answer():
                        failure = "Overtaken"
                        return found
            raise self._failed
        except TimeoutError:
            raise self._failed from None
        except asyncio.CancelledError as error:
            failure = failure_of(error, self._request)
            raise
        finally:
            for task, attempt in self._running.items():
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)
                await attempt.close(failure)

    async def _start_next(self) -> bool:
        """Start the next attempt, if any; return whether one is running."""
        if not (self._waiting or self._running):
            await self._wait_to_ask_again()
        if self._waiting:
            attempt = Attempt(self._waiting.popleft(), self._request)
            self._running[asyncio.create_task(attempt.first())] = attempt
        return bool(self._running)

    async def _wait_to_ask_again(self) -> None:
        again, self._again = self._again, None
        if again:
            pause, model = min(again, key=itemgetter(0))
            if monotonic() + pause < self._request.first_by:
                await asyncio.sleep(pause)
                self._waiting.append(model)

    async def _first_answer(self) -> tuple[Attempt, str] | None:
        """Wait until an attempt answers or fails, or the next is due; return one that answered."""
        patience = self._hedge if self._waiting else None
        ended, _ = await asyncio.wait(
            self._running, timeout=patience, return_when=asyncio.FIRST_COMPLETED
        )
        for task in ended:
            attempt = self._running.pop(task)
            try:
                return attempt, task.result()
            except LLMError as error:
                self._failed = error
                await attempt.close(failure_of(error, self._request))
                pause = getattr(error, "retry_after", None)
                if pause is not None and self._again is not None:
                    self._again.append((pause, attempt.model))
        return None


class Attempt:
    """A request to one model, which is recorded in the meter however it ends."""

    def __init__(self, model: OpenAIModel, request: ModelRequest) -> None:
        self.model = model
        self.words = Words(is_json=request.schema is not None)
        self._request = request
        self._pieces = model.pieces(request, self._note)
        self._started = monotonic()
        self._first_word = 0.0
        self._letters = 0
        self._tokens = (0, 0)
        self._was_asked = False

    async def first(self) -> str:
        """Return the first piece.

        :raises UnusableReply: when the answer is empty.
        """
        breaker = self.model.endpoint.breaker
        try:
            breaker.refuse_while_open()
        except EndpointLeftAlone as error:
            raise LLMUnavailable(str(error)) from error
        self._was_asked = True
        try:
            piece = await self.next()
            if not piece:
                raise UnusableReply(f"{self.model.model} gave an empty answer")
        except LLMUnavailable:
            breaker.note_failure()
            raise
        except LLMError:
            breaker.note_answer()
            raise
        breaker.note_answer()
        self._first_word = monotonic() - self._started
        return piece

    async def next(self) -> str:
        """Return the next piece; an empty text at the end."""
        try:
            async for piece in self._pieces:
                if text := self.words.feed(piece):
                    self._letters += len(text)
                    return text
        except TooLong:
            raise UnusableReply(f"{self.model.model} does not end") from None
        return self.words.rest()

    async def close(self, failure: str) -> None:
        """End the request and record it."""
        if self.words.is_complete:
            with suppress(TimeoutError, LLMError, TooLong):
                async with asyncio.timeout(LAST_WORD):
                    async for _ in self._pieces:
                        pass
        await self._pieces.aclose()  # type: ignore[attr-defined]
        if not self._was_asked:
            return
        is_patient = self._request.limits.seconds >= PATIENT
        if failure in ("LLMTimeout", "Overtaken") and not self._first_word and is_patient:
            self.model.endpoint.breaker.note_failure()
        self._request.meter.record(self._account(failure))

    def _note(self, usage: Any) -> None:
        if usage:
            self._tokens = usage.get("prompt_tokens") or 0, usage.get("completion_tokens") or 0

    def _account(self, failure: str) -> Call:
        tokens = self._tokens
        if not any(tokens) and self._first_word:
            read = sum(len(message.text) for message in self._request.messages)
            tokens = read // LETTERS, self._letters // LETTERS
        return Call(
            endpoint=self.model.endpoint.name,
            model=self.model.model,
            seconds=monotonic() - self._started,
            tokens_in=tokens[0],
            tokens_out=tokens[1],
            failure=failure,
            purpose=self._request.purpose,
            first_word=self._first_word,
        )


def failure_of(error: BaseException, request: ModelRequest) -> str:
    """Return why a call ended: time-out, cancelled by its caller, or the kind of error."""
    match error:
        case asyncio.CancelledError() if monotonic() < request.ends_at:
            return "LeftOff"
        case asyncio.CancelledError() | TimeoutError():
            return "LLMTimeout"
        case _:
            return type(error).__name__
