"""Two hundred visitors with a socket, twenty of them asking at any moment, for a minute: no error,

in time, and no memory that grows. `python -m tests.chat.load` does the same to a server of one's own.
"""

import asyncio
import json

import pytest

from tests.chat.load import Load, questions_of
from tests.packs import MINI

pytestmark = [pytest.mark.browser, pytest.mark.soak, pytest.mark.alone]

#: Seconds within which all but a few have their answer.
LATEST = 1.0


def test_nobody_is_refused_or_forgotten_and_memory_stays_flat(server, address, tmp_path, capsys):
    questions = questions_of(MINI / "golden.jsonl")
    warm = Load(address, questions, server.process.pid, sockets=20, seconds=10)
    asyncio.run(warm.run())

    load = asyncio.run(Load(address, questions, server.process.pid).run())

    told = load.told()
    with capsys.disabled():
        print("\n" + json.dumps(told))  # noqa: T201 (to be read)
    assert told["errors"] == {}
    assert told["MiB at the end"] <= told["MiB half-way"] * 1.05
    # What a question waits for is the work of the others: on a processor of one's own, p95 is this.
    assert told["processor ms an answer"] * load.asking / 1_000 <= LATEST
