"""Looking for garbage, or not: what is built to stay holds none."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


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
