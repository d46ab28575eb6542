"""`python -m tests.soak.inputs`: what one input cost everybody in 1.1.0, and what it costs now."""

from __future__ import annotations

import io
import json
import os
import socket
import subprocess
import sys
import threading
import time
import zipfile
from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple

import django
import psutil
from openpyxl import Workbook

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
django.setup()

# ruff: noqa: E402  (settings are there once Django is)
from retrieval.ingestion.prepare import DocumentDescription, prepare
from taxonomy.packs.files.table import read_table
from zol.errors import BadInput, UnreadableDocument

LARGE, AT_ONCE = 400 * 1024**2, 10
PIECE = b"x" * 65_536


class Fault(NamedTuple):
    """An input, what it cost before, and what it may cost: seconds, and MiB of our own process."""

    name: str
    before: str
    do: Callable[[], tuple[str, float]]
    seconds: float
    mib: float = 50


def workbook(area: str) -> bytes:
    """Return a workbook of 5 kB with a merged area."""
    made, file = Workbook(), io.BytesIO()
    made.active.append(["key", "name"])
    made.save(file)
    merged = f'</sheetData><mergeCells count="1"><mergeCell ref="{area}"/></mergeCells>'
    out = io.BytesIO()
    with zipfile.ZipFile(file) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for part in old.namelist():
            text = old.read(part)
            if part == "xl/worksheets/sheet1.xml":
                text = text.replace(b"</sheetData>", merged.encode())
            new.writestr(part, text)
    return out.getvalue()


def page(body: str, pattern: str = "negeer") -> tuple[str, float]:
    known = json.dumps([[], [], [pattern]])
    data = f"<html><body><main><h1>T</h1>{body}</main></body></html>".encode()
    try:
        made = prepare(data, DocumentDescription("Pagina", "text/html"), known, print)
    except UnreadableDocument as error:
        return str(error), 0
    return f"{len(made.drafts)} pieces", 0


def table(data: bytes) -> tuple[str, float]:
    try:
        read_table(data, "a.xlsx")
    except BadInput as error:
        return str(error), 0
    return "read", 0


def bodies(*, chunked: bool) -> tuple[str, float]:
    """Send ten bodies at once to the product's own server; return how they ended and its growth."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = subprocess.Popen([sys.executable, "-m", "tests.soak.inputs", "serve", str(port)])
    try:
        while True:
            with suppress(OSError), socket.create_connection(("127.0.0.1", port)):
                break
            time.sleep(0.1)
        process = psutil.Process(server.pid)
        before, most, answers = process.memory_info().rss, 0, []
        senders = [
            threading.Thread(target=lambda: answers.append(send(port, chunked=chunked)))
            for _ in range(AT_ONCE)
        ]
        for thread in senders:
            thread.start()
        while any(thread.is_alive() for thread in senders):
            most = max(most, process.memory_info().rss)
            time.sleep(0.02)
    finally:
        server.kill()
        server.wait()
    refused = sum(b" 413 " in answer for answer in answers)
    return f"{refused} of {AT_ONCE} told 413", max(0, most - before) / 1024**2


def send(port: int, *, chunked: bool) -> bytes:
    """Send a body as long as nobody answers; return the answer."""
    length = "Transfer-Encoding: chunked" if chunked else f"Content-Length: {LARGE}"
    with socket.create_connection(("127.0.0.1", port), timeout=30) as line:
        line.sendall(f"POST /zoek HTTP/1.1\r\nHost: a\r\n{length}\r\n\r\n".encode())
        line.settimeout(0.02)
        for _ in range(LARGE // len(PIECE)):
            with suppress(TimeoutError):
                line.sendall(b"%x\r\n%s\r\n" % (len(PIECE), PIECE) if chunked else PIECE)
                return line.recv(1_000)
        line.settimeout(60)
        return line.recv(1_000)


def serve(port: int) -> None:
    """Be the product's own server, with an application that reads what it is given."""
    from zol.web.server import DrainingServer

    async def application(scope, receive, send):
        while (await receive()).get("more_body"):
            pass
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    endpoints = [f"tcp:port={port}:interface=127.0.0.1"]
    DrainingServer(application, endpoints=endpoints, signal_handlers=False, verbosity=0).run()


ROWS = "<table>{}</table>".format("<tr><td>Dienst</td><td>Route 3</td></tr>" * 20_000)
FAULTS = (
    Fault(
        "workbook of 5 kB, merged A1:J100000",
        "58 s, 1 GiB",
        lambda: table(workbook("A1:J100000")),
        10,
    ),
    Fault("workbook of 5 kB, all merged", "5.3 GiB", lambda: table(workbook("A1:XFD1048576")), 10),
    Fault("page of 100,000 items", "over 20 min", lambda: page("<li>Punt</li>" * 100_000), 120),
    Fault("page of 20,000 times “Nr.”", "297 s", lambda: page(f"<p>{'Nr. ' * 20_000}</p>"), 20),
    Fault("page with 20,000 rows", "over 60 s", lambda: page(ROWS), 60),
    Fault("pattern (x+x+)+y", "20 s, doubling", lambda: page("x" * 60 + "!", "(x+x+)+y"), 20),
    Fault("pattern (a|aa)+$", "for ever", lambda: page("a" * 60 + "!", "(a|aa)+$"), 20),
    Fault("10 bodies of 400 MB", "4 GB", lambda: bodies(chunked=False), 30, 20),
    Fault("the same, in pieces", "4 GB", lambda: bodies(chunked=True), 30, 20),
)


def main() -> int:
    own, missed = psutil.Process(), 0
    print(f"{'input':38} {'1.1.0':16} {'now':>8} {'MiB':>6}  what became of it")
    for fault in FAULTS:
        before, started = own.memory_info().rss, time.monotonic()
        ended, theirs = fault.do()
        seconds = time.monotonic() - started
        mib = max((own.memory_info().rss - before) / 1024**2, theirs)
        is_kept = seconds <= fault.seconds and mib <= fault.mib
        missed += not is_kept
        mark = "" if is_kept else "  MISSED"
        print(
            f"{fault.name:38} {fault.before:16} {seconds:6.1f} s {mib:6.0f}  {ended}{mark}",
            flush=True,
        )
    return missed


if __name__ == "__main__":
    if sys.argv[1:2] == ["serve"]:
        serve(int(sys.argv[2]))
    else:
        sys.exit(main())
