"""Being asked to end: every way counts like Ctrl-C, and once is enough."""

from __future__ import annotations

import signal
from typing import NoReturn

ENDINGS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def end_like_ctrl_c() -> None:
    """Raise `KeyboardInterrupt` in this process, however it is asked to end."""
    for ending in ENDINGS:
        signal.signal(ending, _interrupt)


def ignore_endings() -> None:
    """Finish stopping, however impatient the keyboard."""
    for ending in ENDINGS:
        signal.signal(ending, signal.SIG_IGN)


def _interrupt(number: int, frame: object) -> NoReturn:
    raise KeyboardInterrupt
