"""Permits to compute, and the garbage collector of a process."""

import gc
import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from zol.runtime.processor import Permits, gc_paused

ASKED = """
import zol, numpy, scipy.linalg
from threadpoolctl import threadpool_info
print(*(each["num_threads"] for each in threadpool_info() if each["user_api"] == "blas"))
"""


def test_a_process_computes_products_in_the_thread_that_asks() -> None:
    """Each library of linear algebra has one thread, in a process that has just started."""
    kept = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    found = subprocess.check_output([sys.executable, "-c", ASKED], env=kept, text=True)

    assert set(found.split()) == {"1"}


#: Seconds within which whatever has to happen does.
LONGEST = 30


@pytest.fixture
def threads():
    with ThreadPoolExecutor(max_workers=8) as pool:
        yield pool


def begin(permits, threads, work):
    """Have work done with a permit; return when it has one, and what becomes of it."""
    begun = threading.Event()

    def compute():
        with permits.held():
            begun.set()
            work()

    return begun, threads.submit(compute)


def left(permits):
    """How many permits nobody has."""
    count = 0
    while permits._free.acquire(blocking=False):
        count += 1
    permits._free.release(count)
    return count


def test_no_more_compute_at_once_than_there_are_permits(threads):
    permits, may_end = Permits(2), threading.Event()
    first, second = (begin(permits, threads, lambda: may_end.wait(LONGEST)) for _ in range(2))
    assert first[0].wait(LONGEST)
    assert second[0].wait(LONGEST)

    third = begin(permits, threads, lambda: None)

    assert not third[0].wait(0.1)
    may_end.set()
    for _, found in (first, second, third):
        found.result(LONGEST)
    assert left(permits) == 2


def test_one_that_fails_gives_its_permit_back():
    permits = Permits(1)

    with pytest.raises(RuntimeError), permits.held():
        raise RuntimeError

    assert left(permits) == 1


def test_whoever_waits_for_a_model_lets_the_next_compute(threads):
    permits, model_answers = Permits(1), threading.Event()

    def asks_a_model():
        with permits.lent():
            model_answers.wait(LONGEST)

    one = begin(permits, threads, asks_a_model)
    two = begin(permits, threads, model_answers.set)

    for _, found in (one, two):
        found.result(LONGEST)
    assert left(permits) == 1


def test_whoever_comes_back_from_a_model_waits_for_nobody_who_waits_for_it(threads):
    permits, at_the_model = Permits(2), threading.Lock()

    def asks_a_model():
        with at_the_model, permits.lent():
            threading.Event().wait(0.05)

    begun = [begin(permits, threads, asks_a_model) for _ in range(5)]

    for _, found in begun:
        found.result(LONGEST)
    assert left(permits) == 2


def test_an_answer_that_is_not_read_to_its_end_gives_no_permit_twice(threads):
    permits, kept = Permits(1), []

    def streamed():
        with permits.lent():
            yield "a piece"
            yield "another"

    def is_stopped():
        kept.append(streamed())
        next(kept[0])

    begin(permits, threads, is_stopped)[1].result(LONGEST)
    assert left(permits) == 1
    # What was left of it is thrown away later, by whoever: it neither waits nor takes a permit.
    kept[0].close()
    assert left(permits) == 1


def test_nothing_is_looked_for_until_the_outer_block_ends() -> None:
    with gc_paused():
        with gc_paused():
            assert not gc.isenabled()
        assert not gc.isenabled()

    assert gc.isenabled()
