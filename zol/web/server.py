"""One web process: Daphne at a port where other processes take visitors too.

    python -m zol.web.server --host 127.0.0.1 --port 8000

Asked to end, it takes nobody new and finishes the answers that it is giving. Whoever only had a
socket open comes back, and another process takes the conversation up.
"""

from __future__ import annotations

import argparse
import os
import signal
from contextlib import suppress
from importlib import import_module
from time import monotonic
from typing import Any

import daphne.server
from daphne.http_protocol import WebRequest
from daphne.server import Server
from twisted.internet import reactor as twisted  # Daphne's own, once that was imported

from zol.postgres.pool import share_connections
from zol.runtime import bridge
from zol.web.bodies import LimitedFactory
from zol.web.programs import bound

#: Seconds that answers being given may still take; less than a supervisor's patience.
PATIENCE = 10.0
#: Seconds between two looks whether all were given.
TICK = 0.05
#: Seconds for a socket to be opened by us.
OPENING = 5
#: Visitors who may wait to be taken.
BACKLOG = 1_024
reactor: Any = twisted


class DrainingServer(Server):  # type: ignore[misc]
    """Daphne, except that it ends only once nobody waits for an answer any more."""

    ending = False

    def run(self) -> None:
        daphne.server.HTTPFactory = LimitedFactory  # It takes no other way to name one.
        for number in (signal.SIGTERM, signal.SIGINT):
            reactor._asyncioEventloop.add_signal_handler(number, self.drain)
        super().run()

    def drain(self) -> None:
        """Take nobody new, and end after the last answer; asked twice, end at once."""
        if self.ending:
            self.stop()
            return
        self.ending = True
        for listener in self.listeners:
            listener.addCallback(lambda port: port.stopListening())
        self.end_when_done(monotonic() + PATIENCE)

    def end_when_done(self, latest: float) -> None:
        if monotonic() < latest and self.is_answering():
            reactor.callLater(TICK, self.end_when_done, latest)
        else:
            self.stop()

    def is_answering(self) -> bool:
        """Whether an answer is being streamed or a page is being served."""
        return bridge.is_telling() or any(
            isinstance(protocol, WebRequest) and not told["application_instance"].done()
            for protocol, told in self.connections.items()
            if told.get("application_instance")
        )


def serve(host: str, port: int, ready: int | None) -> None:
    """Take visitors until asked to end; write a byte to `ready` at the start.

    The port opens now and not earlier, so that nobody waits for a process that is still loading.
    """
    share_connections()
    application = import_module("zol.asgi").application
    import_module("zol.health").watcher.start()
    listening = bound(host, port)
    listening.listen(BACKLOG)
    DrainingServer(
        application,
        endpoints=[f"fd:fileno={listening.detach()}"],
        signal_handlers=False,
        # Neither Twisted's log nor one of requests: it would hold questions of the results page.
        verbosity=0,
        websocket_connect_timeout=OPENING,
        websocket_handshake_timeout=OPENING,
        ready_callable=lambda: _say_ready(ready),
    ).run()


def _say_ready(ready: int | None) -> None:
    if ready is not None:
        # Whoever started us may be gone, or may not look any more.
        with suppress(OSError):
            os.write(ready, b".")
        os.close(ready)


def main() -> None:
    asked = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    asked.add_argument("--host", default="127.0.0.1", help="the IPv4 address to listen on")
    asked.add_argument("--port", type=int, default=8000)
    asked.add_argument("--ready", type=int, help="where to write a byte once visitors are taken")
    given = asked.parse_args()
    serve(given.host, given.port, given.ready)


if __name__ == "__main__":
    main()
