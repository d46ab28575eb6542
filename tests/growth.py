"""How work grows with its input, in processor time, which other programs do not add to."""

import gc
import time
from collections.abc import Callable
from typing import Any

FEW, MANY, MOST = 10_000, 20_000, 2.5
#: Seconds below which nobody can tell noise from growth.
NOTHING = 0.05


def growth(work: Callable[[Any], object], made: Callable[[int], Any]) -> float:
    """Return how much longer twice as much takes, of each the least of up to three times."""
    few, many = made(FEW), made(MANY)
    work(made(100))  # What is imported and compiled first is no part of it.
    least, most = float("inf"), float("inf")
    for _ in range(3):
        least, most = min(least, _seconds(work, few)), min(most, _seconds(work, many))
        if most <= MOST * max(least, NOTHING):
            break
    return most / max(least, NOTHING)


def _seconds(work: Callable[[Any], object], given: Any) -> float:
    gc.collect()
    gc.disable()
    started = time.process_time()
    try:
        work(given)
        return time.process_time() - started
    finally:
        gc.enable()
