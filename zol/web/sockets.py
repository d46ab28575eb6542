"""Sockets at one port, each a process's own: the system shares visitors out among them evenly.

With one socket for all, whichever process wakes up first takes the visitor, on a quiet machine
nearly always the same; and a socket of a process that died would keep visitors waiting.
"""

from __future__ import annotations

import socket


def bound(host: str, port: int) -> socket.socket:
    """Return a socket at a port that more sockets may have; it does not listen yet."""
    made = socket.socket()
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        made.bind((host, port))
    except BaseException:
        made.close()
        raise
    return made


def refuse_listened(host: str, port: int) -> None:
    """Raise `OSError` where somebody listens already, be it another such process."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind((host, port))
