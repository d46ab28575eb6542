"""Milliseconds of a turn, its stages and its parts, on the hospital's own example questions."""

from __future__ import annotations

import asyncio
import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from time import perf_counter, thread_time
from typing import Any, NamedTuple

from channels.testing import WebsocketCommunicator

from chat.answer_cache.store import forget_answers
from chat.channels.consumers import ChatConsumer
from chat.channels.startup import warm_up
from chat.pipeline import PIPELINE
from chat.safety.attacks import suffix_detector_of
from chat.services import take_turn
from chat.turn import Turn
from chat.wiring import read_by_code
from lab.benchmarks.searches import TimingRow
from retrieval.embedding import get_encoder
from retrieval.intents import Intent
from taxonomy.publishing.live import live_snapshot
from zol.models import Hospital
from zol.runtime.processor import collect_seldom
from zol.tenancy import required_hospital_id

#: Questions asked, and how often each.
QUESTIONS, ROUNDS = 40, 3
_NAMES = [step.name for step in PIPELINE]
#: The stages between the search and the writing: what puts passages in order and together.
BETWEEN = frozenset(_NAMES[_NAMES.index("reranking") : _NAMES.index("context_building") + 1])
#: Seconds that a frame is waited for.
PATIENCE = 60
#: Signs and parts of words, as a program finds them that searches for what misleads a model.
SUFFIX = " ]}((zorb.--> =={tellWERT@@ ; \\\\flarn)] ::(kvantPLOB **||drem~~"


def measured() -> Iterable[TimingRow]:
    """Give all rows of the chat, on a process that is made ready as a web process is (asgi.py)."""
    warm_up()
    collect_seldom()
    yield from stages()
    yield from parts()
    yield from over_a_socket()


def asked() -> list[tuple[str, str]]:
    """Return answerable example questions of every language, and their languages."""
    found = [
        (row["text"], row["language"])
        for row in live_snapshot().rows_of("chat.intentexample")
        if not Intent(row["intent"]).is_blocked and "{" not in row["text"]
    ]
    return found[:: max(1, len(found) // QUESTIONS)]


def stages() -> Iterable[TimingRow]:
    """Ask, warm, and return the times of every stage; each time as if it was never asked before."""
    times: dict[str, list[float]] = defaultdict(list)
    for warm in range(ROUNDS + 1):
        for text, language in asked():
            get_encoder().forget()
            answered = take_turn(Turn(text, language=language))
            if not warm:
                continue
            times["whole turn"].append(answered.seconds)
            between = [record for record in answered.trace if record.stage in BETWEEN]
            if between:
                times["from boosts to assembly"].append(sum(each.seconds for each in between))
            for record in answered.trace:
                times[f"stage {record.stage}"].append(record.seconds)
    return [TimingRow.of(name, seconds) for name, seconds in times.items()]


def parts() -> Iterator[TimingRow]:
    """Time understanding, and the detector of machine-made suffixes.

    In processor time: nothing is waited for here.
    """
    snapshot = live_snapshot()
    detector = snapshot.derived(suffix_detector_of)
    turns = [Turn(text, language=language) for text, language in asked()]
    yield TimingRow.of("understanding", timed(lambda turn: read_by_code(turn, snapshot), turns))
    texts = [text for turn in turns for text in (turn.question, turn.question + SUFFIX)]
    yield TimingRow.of("suffix detector", timed(detector.check, texts))


def timed(work: Callable[[Any], object], values: Iterable[Any]) -> list[float]:
    taken = []
    for value in list(values) * ROUNDS:
        started = thread_time()
        work(value)
        taken.append(thread_time() - started)
    return taken


class TurnTiming(NamedTuple):
    """When the first words of an answer came and when all of it, in seconds; whether it was
    remembered."""

    first: float
    whole: float
    is_remembered: bool


def over_a_socket() -> list[TimingRow]:
    """Ask over sockets, each question anew: until its first words, and until all of its answer.
    Then each again, by others: until all of what is given again.

    What was remembered is forgotten first, so that nothing is given again the first time.
    """
    forget_answers()
    hospital = Hospital.objects.get(pk=required_hospital_id())
    anew, after = asyncio.run(_asked_twice(hospital, asked()))
    again = [each.whole for each in after if each.is_remembered]
    return [
        TimingRow.of("first words over a socket", [each.first for each in anew]),
        TimingRow.of("whole answer over a socket", [each.whole for each in anew]),
        *([TimingRow.of("answer given again over a socket", again)] if again else []),
    ]


async def _asked_twice(
    hospital: Hospital, questions: Sequence[tuple[str, str]]
) -> tuple[list[TurnTiming], list[TurnTiming]]:
    """Ask every question, then every one again; only then what was said is forgotten, and with it
    what was remembered of it."""
    opened: list[WebsocketCommunicator] = []
    heard: tuple[list[TurnTiming], list[TurnTiming]] = ([], [])
    for answers in heard:
        for place, (text, language) in enumerate(questions):
            opened.append(await _opened(hospital, f"198.51.100.{place % 250}"))
            answers.append(await _heard(opened[-1], text, language))
    for socket in opened:
        await socket.send_json_to({"type": "forget"})
        await socket.receive_from(timeout=PATIENCE)
        await socket.disconnect()
    return heard


async def _opened(hospital: Hospital, visitor: str) -> WebsocketCommunicator:
    socket = WebsocketCommunicator(ChatConsumer.as_asgi(), "/ws/chat/")
    socket.scope |= {"hospital": hospital, "visitor": visitor, "headers": []}
    await socket.connect(timeout=PATIENCE)
    return socket


async def _heard(socket: WebsocketCommunicator, text: str, language: str) -> TurnTiming:
    get_encoder().forget()
    started = perf_counter()
    await socket.send_json_to({"type": "ask", "question": text, "language": language})
    first = 0.0
    frame: dict[str, Any] = {}
    while frame.get("type") not in ("answer", "error"):
        frame = json.loads(await socket.receive_from(timeout=PATIENCE))
        if frame["type"] == "token":
            first = first or perf_counter() - started
    whole = perf_counter() - started
    return TurnTiming(first or whole, whole, bool(frame.get("cached")))
