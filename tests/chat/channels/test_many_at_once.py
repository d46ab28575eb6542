"""Fifty visitors at once, and a model of three seconds a call: nobody waits for another's model."""

from __future__ import annotations

import asyncio
import json
import os
from statistics import quantiles
from time import perf_counter

import psutil
import pytest
from django.db import connections

from tests.chat.channels.test_stops import last_frame, opened
from tests.chat.model.conftest import purpose_of, show, verdicts, written
from tests.chat.server import Servers
from tests.scripted import Line, scripted_endpoint

pytestmark = [
    pytest.mark.soak,
    pytest.mark.alone,
    pytest.mark.slow,
    pytest.mark.skipif(not os.environ.get("SOAK"), reason="a load: for make soak"),
]

VISITORS, SECONDS = 50, 3.0
#: Seconds: two calls, one after the other, and what the product may add to them.
MOST = 9.0
MEANS = {
    "urgency": "none", "kind": "question", "intent": "navigation_or_practical_info",
    "confidence": 0.9, "advice": "none", "language": "nl", "follows": False, "parts": [],
    "rewritten": "Waar kan ik parkeren en hoe lang is het gratis?", "entities": [], "moment": None,
}  # fmt: skip
BUSY = "SELECT count(*) FROM pg_stat_activity WHERE usename = 'zol_app' AND state <> 'idle'"


@pytest.fixture
def slow(mini, tmp_path):
    """A web process whose model takes three seconds for every call."""

    def reply(request):
        told = {"classify": json.dumps(MEANS), "verdict": verdicts(request)}
        answer = written(request, show("parkeren"))
        return Line(told.get(purpose_of(request), answer), delay=SECONDS)

    with scripted_endpoint(reply) as llm:
        servers = Servers(
            tmp_path, WEB_PROCESSES="1", RATE_LIMITS="10000/hour", OPENAI_BASE_URL=llm.url,
            TEST_OPENAI_API_KEY="none",
        )  # fmt: skip
        servers.llm = llm
        servers.collect()
        servers.start()
        yield servers
        servers.stop()


async def timed(line, number):
    started = perf_counter()
    frame = await last_frame(line, f"Waar kan ik parkeren, en is {number} minuten gratis?")
    return frame, perf_counter() - started


async def asked_by_all(servers):
    lines = await asyncio.gather(*(opened(servers) for _ in range(VISITORS)))
    asked = asyncio.gather(*(timed(line, number) for number, line in enumerate(lines)))
    await asyncio.sleep(SECONDS)
    busy = await asyncio.to_thread(busy_connections)
    told = await asked
    await asyncio.gather(*(line.close() for line in lines))
    return told, busy


def computed(servers):
    """Return the seconds of the processor that the web process has had."""
    times = servers.web[0].cpu_times()
    return times.user + times.system


def busy_connections():
    with connections["owner"].cursor() as cursor:
        cursor.execute(BUSY)
        found = cursor.fetchone()[0]
    connections.close_all()
    return found


def test_fifty_wait_for_a_model_and_not_for_each_other(slow, capsys):
    before = computed(slow)
    told, busy = asyncio.run(asked_by_all(slow))
    own = (computed(slow) - before) / VISITORS

    seconds = sorted(each for _, each in told)
    by_model = sum(not frame.get("degraded", True) for frame, _ in told)
    with capsys.disabled():
        print(  # noqa: T201
            f"\n{len(slow.llm.requests)} calls, {by_model} of {VISITORS} by the model, "
            f"p50 {seconds[VISITORS // 2]:.1f} s, p95 {quantiles(seconds, n=20)[-1]:.1f} s, "
            f"{busy} connections busy, {own * 1000:.0f} ms of the processor a turn, "
            f"load {psutil.getloadavg()[0]:.0f}"
        )
    assert by_model == VISITORS
    assert quantiles(seconds, n=20)[-1] <= MOST
