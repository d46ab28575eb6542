"""Measure what visitors wait beyond their model: `python -m lab times`.

A scripted endpoint takes as long as it is told to and keeps the clock of each call, so that what
the product adds is known whatever else the machine does. Every visitor asks at the same moment.
"""

from __future__ import annotations

import json
import re
import socket
import subprocess
import threading
from argparse import ArgumentParser
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median, quantiles
from time import monotonic
from typing import Any

import psutil
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from websockets.sync.client import connect
from websockets.sync.connection import Connection
from websockets.typing import Origin

from lab.floors import hospitals
from lab.recorded.endpoint import Reply, emptiest, endpoint
from lab.recorded.requests import Request
from lab.spoil.players import STATEMENT, verdicts_of
from lab.spoil.product import PATIENCE, product
from lab.spoil.runs import CLOCK

QUESTION = "Wat kost parkeren in Genk, en is {number} minuten gratis?"
_NUMBER = re.compile(r"(\d+) minuten gratis")
#: What every message is classified as; and what is said beside a line, so that it takes a verdict.
MEANT: Mapping[str, Any] = {
    "urgency": "none", "kind": "question", "intent": "navigation_or_practical_info",
    "confidence": 0.9, "advice": "none", "language": "nl", "follows": False,
    "rewritten": "Wat kost parkeren op campus Sint-Jan en hoe lang is het gratis?", "parts": [],
    "entities": [], "moment": None,
}  # fmt: skip
BESIDE = "Wie met de wagen langskomt leest hier hoe het zit:"
#: Letters of the lines that are copied; statements of an answer.
COPIED, STATEMENTS = range(60, 250), 4
SILENT = Reply("", is_silent=True)


@dataclass(frozen=True, slots=True)
class Pace:
    """Seconds of a model: a classification, the first and the last statement, verdicts."""

    classify: float
    first: float
    last: float
    verdict: float


#: A turn of three seconds of model time, and three seconds for every call.
TURN = Pace(0.5, 0.8, 2.1, 0.4)
CALL = Pace(3.0, 3.0, 3.0, 3.0)


@dataclass(frozen=True, slots=True)
class Call:
    """One request: when it came, its first statement was whole, and it ended."""

    purpose: str
    begun: float
    first: float
    ended: float


@dataclass
class Model:
    """Plays a model at a pace, and keeps the clock of each call by the number in its question."""

    pace: Pace
    is_silent: bool = False
    calls: dict[int, list[Call]] = field(default_factory=lambda: defaultdict(list))

    def __call__(self, request: Request) -> Reply:
        begun, found = monotonic(), _NUMBER.search(request.last)
        if self.is_silent:
            return SILENT
        reply, first = self.reply(request)
        call = Call(request.purpose, begun, begun + first, begun + reply.delay + reply.lasts)
        self.calls[int(found[1]) if found else 0].append(call)
        return reply

    def reply(self, request: Request) -> tuple[Reply, float]:
        """Return a reply, and after how many seconds its first statement is whole."""
        if request.purpose == "classify":
            return Reply(json.dumps(MEANT), delay=self.pace.classify), self.pace.classify
        if request.purpose == "verdict":
            held = [True] * len(STATEMENT.findall(request.last))
            said = json.dumps(verdicts_of(held, request.schema))
            return Reply(said, delay=self.pace.verdict), self.pace.verdict
        if request.purpose == "answer":
            return self.answer(request), self.pace.first
        return Reply(json.dumps(emptiest(request.schema))), 0.0

    def answer(self, request: Request) -> Reply:
        """Return an answer of lines of the evidence, every other one in more words."""
        lines = [
            (each, line) for each, line in request.lines.items()
            if not each.startswith("1.") and len(line) in COPIED and ": " not in line
        ]  # fmt: skip
        said = [
            {"lines": [each], "form": "sentence", "text": f"{BESIDE} {line}" if at % 2 else line}
            for at, (each, line) in enumerate(lines[:STATEMENTS])
        ]
        text = json.dumps({"status": "complete", "statements": said, "missing": []})
        share = text.find("}") / len(text)
        lasts = (self.pace.last - self.pace.first) / (1 - share)
        return Reply(text, delay=self.pace.last - lasts, lasts=lasts)


@dataclass(frozen=True, slots=True)
class Waited:
    """When somebody asked, read the first words and had the whole answer; what it was."""

    number: int
    asked: float
    first: float
    whole: float
    is_of_model: bool


def opened(base: str) -> Connection:
    slug, port = next(iter(hospitals.PACKS)), base.rpartition(":")[2]
    host = f"{slug}.localhost:{port}"
    sock, origin = socket.create_connection(("127.0.0.1", int(port))), Origin(f"http://{host}")
    return connect(f"ws://{host}/ws/chat/", sock=sock, origin=origin, open_timeout=PATIENCE)


def frames(line: Connection) -> Iterator[Mapping[str, Any]]:
    while True:
        yield json.loads(line.recv(timeout=PATIENCE))


def ask(base: str, number: int) -> Waited:
    with opened(base) as line:
        asked, first = monotonic(), 0.0
        question = QUESTION.format(number=number)
        line.send(json.dumps({"type": "ask", "question": question, "language": "nl"}))
        for frame in frames(line):
            if frame["type"] == "token" and not first:
                first = monotonic()
            if frame["type"] in ("answer", "error"):
                break
        whole, is_good = monotonic(), not frame.get("degraded", True)
        return Waited(number, asked, first or whole, whole, is_good)


def ends(base: str, kind: str, number: int) -> float:
    """Return after how many seconds a turn ends that waits for a silent model, once it is stopped
    or its conversation forgotten."""
    with opened(base) as line:
        question = QUESTION.format(number=number)
        line.send(json.dumps({"type": "ask", "question": question, "language": "nl"}))
        message = next(f["message"] for f in frames(line) if f["type"] == "accepted")
        threading.Event().wait(1.0)
        asked = monotonic()
        line.send(json.dumps({"type": kind, "message": message}))
        over = {"stop": "stopped", "forget": "forgotten"}[kind]
        next(frame for frame in frames(line) if frame["type"] == over)
        return monotonic() - asked


@dataclass
class Crowd:
    """Visitors who ask at once; no number comes twice, so that no answer is remembered."""

    base: str
    say: Callable[[str], None]
    process: psutil.Process
    number: int = 100

    def asks(self, count: int) -> Sequence[Waited]:
        numbers = range(self.number, self.number + count)
        self.number += count
        with ThreadPoolExecutor(count) as pool:
            return list(pool.map(lambda number: ask(self.base, number), numbers))

    def computed(self) -> float:
        """Return the seconds of processors that the web processes had."""
        return sum(sum(each.cpu_times()[:2]) for each in self.process.children(recursive=True))

    def measure(self, name: str, model: Model, count: int, most: str) -> None:
        """Print what so many wait, and how much of it is the product's own."""
        before = self.computed()
        waited = self.asks(count)
        own = (self.computed() - before) / count
        told = [each for each in waited if model.calls[each.number]]
        whole = [each.whole - each.asked for each in waited]
        first = [each.first - each.asked for each in waited]
        beyond = [each.whole - each.asked - path(model.calls[each.number]) for each in told]
        words = [
            each.first - each.asked - to_first(model.calls[each.number], each) for each in told
        ]
        self.say(
            f"{name}: {count} at once; by the model {sum(each.is_of_model for each in waited)}\n"
            f"  whole {figures(whole)}; first words {figures(first)}\n"
            f"  beyond the model: whole {figures(beyond)}; first words {figures(words)}\n"
            f"  processor {own * 1000:.0f} ms a turn; must hold: {most}"
        )


def figures(seconds: Sequence[float]) -> str:
    if len(seconds) < 2:
        return ", ".join(f"{each:.2f} s" for each in seconds) or "none"
    return (
        f"p50 {median(seconds):.2f}, p95 {quantiles(seconds, n=20, method='inclusive')[-1]:.2f} s"
    )


def path(calls: Sequence[Call]) -> float:
    """Return the seconds in which at least one call of a turn ran."""
    total, upto = 0.0, 0.0
    for call in sorted(calls, key=lambda each: each.begun):
        total += max(0.0, call.ended - max(upto, call.begun))
        upto = max(upto, call.ended)
    return total


def to_first(calls: Sequence[Call], waited: Waited) -> float:
    """Return the seconds of the calls that the first words waited for."""
    before = [call for call in calls if call.begun < waited.first and call.purpose != "verdict"]
    return sum(call.first - call.begun for call in before)


class Command(BaseCommand):
    help = (
        "Measure how long visitors wait beside a scripted model over real HTTP, how much of it is "
        "the product's own, what a silent endpoint costs, and how soon stop and forget end."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--crowds", default="1,20,50", help="visitors at once")

    def handle(self, *args: Any, **options: Any) -> None:
        state = Path(settings.STATE_DIR)
        try:
            hospitals.ready(state)
        except subprocess.CalledProcessError as error:
            raise CommandError("A hospital could not be loaded; see above.") from error
        crowds = [int(each) for each in options["crowds"].split(",")]
        self.stdout.write(f"load of the machine before: {psutil.getloadavg()[0]:.1f}")
        model, second = Model(TURN), Model(TURN)
        with ExitStack() as stack:
            addresses = [stack.enter_context(endpoint(each)) for each in (model, second)]
            environment = {
                "CLOCK_AT": CLOCK, "OPENAI_FALLBACK_BASE_URL": addresses[1],
                "OPENAI_FALLBACK_API_KEY": "scripted",
            }  # fmt: skip
            base = stack.enter_context(product(state, addresses[0], environment))
            crowd = Crowd(base, self.stdout.write, psutil.Process())
            crowd.asks(1)
            for count in crowds:
                most = "whole p95 3.8 at 20, 4.5 at 50; beyond .8, 1.5; first .15 alone, 1.3 at 50"
                crowd.measure("a turn of 3 s", model, count, most)
            model.pace = second.pace = CALL
            crowd.measure("every call 3 s", model, crowds[-1], "whole p95 9; all by the model")
            model.pace = second.pace = TURN
            model.is_silent = True
            crowd.measure("primary silent", second, 20, "first words ≤ those of 20 above + 3 s")
            second.is_silent = True
            for kind in ("stop", "forget"):
                seconds = [ends(base, kind, 900 + at) for at in range(5)]
                self.stdout.write(f"{kind} at a silent endpoint: {figures(seconds)} (≤ .3)")
