"""Strangers who hold sockets, guess passwords and read what is the staff's: a row for each fault.

    python -m tests.soak.rights http://localhost:8000 --process 4711 --name operator --password …

`before` is what 1.1.0 did, measured by this script on the demonstration with one web process.
"""

from __future__ import annotations

import argparse
import asyncio
import http.client
import json
import re
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from operator import itemgetter
from time import monotonic, perf_counter
from urllib.parse import quote, urlencode, urlsplit

import psutil
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidMessage, InvalidStatus

MEBIBYTE = 1024 * 1024
#: Addresses of this machine: one of strangers each, and one of a patient or of staff.
HOLDER, GUESSER, READER, OTHER = (f"127.0.0.{each}" for each in (21, 22, 23, 31))
SOCKETS, AT_ONCE = 1_200, 50
NAMES, WRONG = 40, 200
READERS, READERS_AT_ONCE = 90, 30
#: Seconds for anything to happen before it counts as never.
LONGEST = 60.0
EMERGENCY = "mijn vader ligt op de grond en ademt niet meer"


@dataclass(frozen=True, slots=True)
class Row:
    fault: str
    before: str
    after: str
    good: bool

    def __str__(self) -> str:
        verdict = "ok" if self.good else "NOT MET"
        return f"{self.fault:<46} {self.before:<34} {self.after:<34} {verdict}"


@dataclass(frozen=True, slots=True)
class Site:
    """A server, as an address of this machine reaches it."""

    host: str
    port: int
    process: int

    def ask(self, path, *, source=OTHER, method="GET", **more):
        """Return status, headers, text and seconds of a request."""
        started = perf_counter()
        line = http.client.HTTPConnection(
            "127.0.0.1", self.port, timeout=LONGEST, source_address=(source, 0)
        )
        try:
            headers = {"Host": f"{self.host}:{self.port}", **more.get("headers", {})}
            line.request(method, path, more.get("body"), headers)
            reply = line.getresponse()
            text = reply.read().decode(errors="replace")
            return reply.status, reply.headers, text, perf_counter() - started
        finally:
            line.close()

    def socket(self, path="/ws/chat/", source=OTHER):
        address = f"ws://{self.host}:{self.port}{path}"
        return connect(
            address, host="127.0.0.1", local_addr=(source, 0), open_timeout=LONGEST,
            ping_interval=None,
        )  # fmt: skip

    def resident(self):
        named = psutil.Process(self.process)
        web = [named, *named.children(recursive=True)]
        return sum(each.memory_info().rss for each in web) / MEBIBYTE


def rows(site, name, password):
    """Yield what became of each fault; the name is one of staff, with its password."""
    yield from asyncio.run(idle_sockets(site))
    yield wrong_passwords(site, name, password)
    yield many_names(site)
    yield from descriptions(site)
    yield asyncio.run(another_socket(site))
    yield control_characters(site)


async def idle_sockets(site):
    """1,200 sockets of one address that ask nothing, and a patient at another."""
    alone, waits, is_over = [], [], asyncio.Event()
    for _ in range(10):  # Warm, as a server is that patients use.
        alone += await visits(site)
    before, held, room = site.resident(), [], asyncio.Semaphore(AT_ONCE)

    async def hold():
        # One that a busy server has not opened in time is no idle socket.
        async with room:
            with suppress(InvalidMessage, TimeoutError, OSError):
                held.append(await site.socket(source=HOLDER))

    async def visit():
        while not is_over.is_set():
            waits.extend(await visits(site))

    visitor = asyncio.create_task(visit())
    await asyncio.gather(*(hold() for _ in range(SOCKETS)))
    await asyncio.sleep(2)
    is_over.set()
    await visitor
    waits += await visits(site)
    grown = site.resident() - before
    open_now = sum(await asyncio.gather(*map(is_open, held)))
    await asyncio.gather(*(each.close() for each in held))
    longest = max(waits, key=itemgetter(1))
    told = f"{longest[0]} {longest[1]:.2f} (alone {max(wait for _, wait in alone[4:]):.2f})"
    return [
        Row("1,200 idle sockets: open afterwards", "1200", str(open_now), open_now <= 100),
        Row("… another address waits, seconds", "page 1.80", told, longest[1] <= 1),
        Row("… memory of the web processes, MiB", "+27", f"+{grown:.0f}", grown <= 20),
    ]


async def visits(site):
    """Return how long a patient waits, in seconds: for a page, a probe and two answers."""
    return [
        ("page", (await asyncio.to_thread(site.ask, "/"))[3]),
        ("probe", (await asyncio.to_thread(site.ask, "/health/ready"))[3]),
        ("chat", await answered(site, "Wat zijn de bezoekuren?")),
        ("emergency", await answered(site, EMERGENCY)),
    ]


async def is_open(socket):
    try:
        await asyncio.wait_for(socket.ping(), LONGEST)
    except ConnectionClosed:
        return False
    return True


async def answered(site, question):
    """Return the seconds from opening a socket to the whole answer."""
    started = perf_counter()
    async with site.socket() as line:
        await line.send(json.dumps({"type": "ask", "question": question, "language": "nl"}))
        async with asyncio.timeout(LONGEST):
            while json.loads(await line.recv())["type"] not in ("answer", "error"):
                pass
    return perf_counter() - started


class Form:
    """The form of the back office as one address fills it in."""

    def __init__(self, site, source):
        self.site, self.source = site, source
        _, headers, text, _ = site.ask("/admin/login/", source=source)
        self.token = re.search(r'csrfmiddlewaretoken" value="([^"]+)"', text)[1]
        cookie = re.search(r"csrftoken=[^;]+", headers["Set-Cookie"])[0]
        self.headers = {"Cookie": cookie, "Content-Type": "application/x-www-form-urlencoded"}

    def sign_in(self, name, password):
        """Return status and seconds: 302 is in, 200 looked at and wrong, 429 not looked at."""
        said = {"csrfmiddlewaretoken": self.token, "username": name, "password": password}
        body = urlencode(said | {"next": "/admin/"})
        reply = self.site.ask(
            "/admin/login/", source=self.source, method="POST", body=body, headers=self.headers
        )
        return reply[0], reply[3]


def wrong_passwords(site, name, password):
    """200 wrong passwords of one address for a name; its owner comes from another."""
    guesser = Form(site, GUESSER)
    looked = Counter(guesser.sign_in(name, f"wrong-{each}")[0] for each in range(WRONG))[200]
    status, seconds = Form(site, OTHER).sign_in(name, password)
    told = f"{status} in {seconds:.2f} s; {looked} looked at"
    good = status == 302 and seconds <= 2
    return Row(
        "200 wrong passwords: the right one elsewhere", "429: shut out everywhere", told, good
    )


def many_names(site):
    """40 names of one address, all at the same moment."""
    guesser = Form(site, READER)
    with ThreadPoolExecutor(NAMES) as many:
        tried = many.map(lambda each: guesser.sign_in(f"name-{each}", "wrong")[0], range(NAMES))
        looked = Counter(tried)[200]
    return Row("40 names of one address: tries looked at", "36", str(looked), looked <= 30)


def descriptions(site):
    """90 strangers read the description of the API, 30 at a time."""
    with ThreadPoolExecutor(READERS_AT_ONCE) as many:
        told = [*many.map(lambda _: site.ask("/api/v1/schema", source=READER), range(READERS))]
    failed = sum(reply[0] != 200 for reply in told)
    of_staff = max(reply[2].count("/api/v1/admin/") for reply in told)
    slowest = max(reply[3] for reply in told)
    after = f"{failed} failed, slowest {slowest:.2f} s"
    return [
        Row(
            "API schema, 90 strangers, 30 at a time", "29 failed after a start", after, failed == 0
        ),
        Row("… addresses of staff in it", "9", str(of_staff), of_staff == 0),
    ]


async def another_socket(site):
    status = 101
    try:
        async with site.socket("/ws/other/"):
            pass
    except InvalidStatus as refused:
        status = refused.response.status_code
    return Row("a socket at /ws/other/", "500 and a traceback", str(status), status == 404)


def control_characters(site):
    """A question with an escape and an override of the direction of writing, on its page."""
    text = site.ask(f"/zoek?q={quote('bezoek' + chr(27) + '[31m uren' + chr(0x202E))}")[2]
    raw = sorted({f"U+{ord(each):04X}" for each in text if each in "\x1b\u202e"})
    return Row("control characters on the results page", "U+202E", " ".join(raw) or "none", not raw)


def main():
    asked = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    asked.add_argument("address")
    asked.add_argument("--process", type=int, required=True)
    asked.add_argument("--name", default="operator")
    asked.add_argument("--password", required=True)
    given = asked.parse_args()
    place = urlsplit(given.address)
    site = Site(place.hostname, place.port, given.process)
    print(f"{'fault':<46} {'before':<34} after")
    started = monotonic()
    for row in rows(site, given.name, given.password):
        print(row, flush=True)
    print(f"{monotonic() - started:.0f} s")


if __name__ == "__main__":
    main()
