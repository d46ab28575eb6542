"""Many visitors at a time, over real sockets: how soon they are answered, and what it costs.

    python -m tests.chat.load http://localhost:8000 zol/demo/pack/golden.jsonl --process 4711

Opens the sockets, keeps so many of them asking, and tells errors, times and the server's memory.
"""

import argparse
import asyncio
import json
import sys
from collections import Counter
from dataclasses import dataclass, field
from itertools import count, cycle
from pathlib import Path
from statistics import quantiles
from time import perf_counter
from typing import Any
from urllib.parse import urlsplit

import psutil
from websockets.asyncio.client import connect

MEBIBYTE = 1024 * 1024
#: Seconds for a socket to open and an answer to come, before it counts as an error.
LONGEST = 60.0


@dataclass
class Load:
    """What is asked of a server, and what came of it."""

    address: str
    questions: list[tuple[str, str]]
    process: int
    sockets: int = 200
    asking: int = 20
    seconds: float = 60.0
    errors: Counter = field(default_factory=Counter)
    times: list[float] = field(default_factory=list)
    cached: int = 0
    #: Seconds of a processor that the web processes took.
    worked: float = 0.0
    #: Mebibytes: with the sockets open, and during the second half of the run.
    memory: list[float] = field(default_factory=list)

    def processes(self):
        """Return the process that was named, and those that it has started."""
        named = psutil.Process(self.process)
        return [named, *named.children(recursive=True)]

    def processor(self):
        return sum(sum(each.cpu_times()[:2]) for each in self.processes())

    def resident(self):
        return sum(each.memory_info().rss for each in self.processes()) / MEBIBYTE

    async def run(self):
        questions = cycle(self.questions)
        lines = [opened_at(self.address) for _ in range(self.sockets)]
        opened = await asyncio.gather(*lines)
        self.memory.append(self.resident())
        before = self.processor()
        started = perf_counter()
        waiting = asyncio.Queue()
        for each in opened:
            waiting.put_nowait(each)

        async def keep_asking():
            while perf_counter() - started < self.seconds:
                line = await waiting.get()
                await self.ask(line, *next(questions))
                waiting.put_nowait(line)

        async def look_at_memory():
            while (passed := perf_counter() - started) < self.seconds:
                if passed > self.seconds / 2:
                    self.memory.append(self.resident())
                await asyncio.sleep(self.seconds / 60)

        await asyncio.gather(*(keep_asking() for _ in range(self.asking)), look_at_memory())
        self.worked = self.processor() - before
        await asyncio.gather(*(line.close() for line in opened))
        return self

    async def ask(self, line, question, language):
        started = perf_counter()
        try:
            await line.send(json.dumps({"type": "ask", "question": question, "language": language}))
            async with asyncio.timeout(LONGEST):
                frame = await last_frame(line)
        except (OSError, TimeoutError) as reason:
            self.errors[type(reason).__name__] += 1
            return
        if frame["type"] == "answer":
            self.times.append(perf_counter() - started)
            self.cached += frame["cached"]
        else:
            self.errors[frame["code"]] += 1

    def told(self):
        """Return the figures by name."""
        cuts = quantiles(self.times, n=100)
        late = self.memory[1:]
        return {
            "answers": len(self.times),
            "per second": round(len(self.times) / self.seconds, 1),
            "from memory": self.cached,
            "errors": dict(self.errors),
            "p50 ms": round(cuts[49] * 1_000),
            "p95 ms": round(cuts[94] * 1_000),
            "processor ms an answer": round(1_000 * self.worked / len(self.times), 1),
            "MiB with the sockets open": round(self.memory[0]),
            "MiB half-way": round(late[0]),
            "MiB at the end": round(late[-1]),
        }


_numbers = count()


def opened_at(address):
    """Return a socket as a page of that address opens it; names under localhost are this machine's."""
    parts = urlsplit(address)
    is_here = (parts.hostname or "").endswith(".localhost")
    there: dict[str, Any] = {}
    if is_here:
        # Of several addresses: one keeps a hundred sockets at most.
        there = {"host": "127.0.0.1", "port": parts.port}
        there["local_addr"] = (f"127.0.0.{next(_numbers) % 8 + 2}", 0)
    return connect(f"ws://{parts.netloc}/ws/chat/", origin=address, open_timeout=LONGEST, **there)


async def last_frame(line):
    while (frame := json.loads(await line.recv()))["type"] not in ("answer", "error"):
        pass
    return frame


def questions_of(path):
    rows = map(json.loads, Path(path).read_text(encoding="utf-8").splitlines())
    return [(row["question"], row["language"]) for row in rows if "question" in row]


def main():
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("address", help="where the server is, as a browser reaches it")
    asked.add_argument("questions", help="a file of golden questions")
    asked.add_argument(
        "--process", type=int, required=True, help="number of `serve`, or of the web process"
    )
    asked.add_argument("--sockets", type=int, default=200)
    asked.add_argument("--asking", type=int, default=20)
    asked.add_argument("--seconds", type=float, default=60.0)
    given = vars(asked.parse_args())
    load = Load(**given | {"questions": questions_of(given["questions"])})
    told = asyncio.run(load.run()).told()
    sys.stdout.write("".join(f"{name}: {value}\n" for name, value in told.items()))


if __name__ == "__main__":
    main()
