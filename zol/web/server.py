"""One web process: Daphne at a port that it shares with other processes.

    python -m zol.web.server --host 127.0.0.1 --port 8000

On SIGTERM it accepts no new connections and finishes running answers. Clients of idle sockets
reconnect, and another process continues their conversations.
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

#: Seconds for running answers to finish; less than the supervisor waits.
PATIENCE = 10.0
#: Seconds between two checks whether they have.
TICK = 0.05
#: Time-out of opening a WebSocket, in seconds.
OPENING = 5
#: Maximum number of connections that wait to be accepted.
BACKLOG = 1_024
reactor: Any = twisted


class DrainingServer(Server):  # type: ignore[misc]
    """Daphne's server, which finishes running answers before it ends."""

    ending = False

    def run(self) -> None:
        daphne.server.HTTPFactory = LimitedFactory  # Daphne has no option for it.
        for number in (signal.SIGTERM, signal.SIGINT):
            reactor._asyncioEventloop.add_signal_handler(number, self.drain)
        super().run()

    def drain(self) -> None:
        """Stop accepting connections, and end after the last answer; called twice, end at once."""
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
        """Return whether an answer is being streamed or a page served."""
        return bridge.is_streaming() or any(
            isinstance(protocol, WebRequest) and not state["application_instance"].done()
            for protocol, state in self.connections.items()
            if state.get("application_instance")
        )


def serve(host: str, port: int, ready: int | None) -> None:
    """Serve until SIGTERM; write a byte to `ready` once connections are accepted.

    The port opens only now, so that no connection waits for a process that is still loading.
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
        # No request log: URLs of the results page contain questions.
        verbosity=0,
        websocket_connect_timeout=OPENING,
        websocket_handshake_timeout=OPENING,
        ready_callable=lambda: _say_ready(ready),
    ).run()


def _say_ready(ready: int | None) -> None:
    if ready is not None:
        # The supervisor may be gone.
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
