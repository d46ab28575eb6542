"""Looking for garbage, or not: what is built to stay holds none."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

#: New values, and looks at the young, after which the next generation is looked through.
SELDOM = (20_000, 20, 50)


@contextmanager
def nothing_thrown_away(*, for_good: bool = False) -> Iterator[None]:
    """Build what stays without looking for garbage in it: a third to half of the time.

    Within another such block it changes nothing. `for_good`: nor is it looked through later.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if for_good:
            gc.freeze()
        if was_on:
            gc.enable()


def look_seldom() -> None:
    """Look for garbage seldom, in a process that answers: an answer makes thousands of small values
    and hardly ever a circle of them, and looking took a tenth of its time."""
    gc.set_threshold(*SELDOM)
