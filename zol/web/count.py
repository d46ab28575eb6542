"""How many processes serve the web."""

from __future__ import annotations

import os

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

#: Without a number of one's own: one for each core, up to so many. Each holds what it answers from
#: in its own memory, so that more are a decision.
MOST_UNASKED = 4
MOST = 64


def web_processes() -> int:
    """Return how many web processes `WEB_PROCESSES` asks for; one for each core, if it is empty."""
    written = str(settings.WEB_PROCESSES).strip()
    if not written:
        return max(1, min(cores(), MOST_UNASKED))
    if not (written.isascii() and written.isdecimal() and 1 <= int(written[:9]) <= MOST):
        raise ImproperlyConfigured(
            f"WEB_PROCESSES is a number from 1 to {MOST}, or empty for one process for each core "
            f"(at most {MOST_UNASKED}); it is “{written[:40]}”."
        )
    return int(written)


def cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
