"""So many compute at once, in the order in which they came; who waits for somebody else makes room."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from zol.permits import Permits

#: Seconds within which whatever has to happen does.
LONGEST = 30


@pytest.fixture
def threads():
    with ThreadPoolExecutor(max_workers=8) as pool:
        yield pool


def begin(permits, threads, work):
    """Have work done with a permit; return what becomes of it."""

    def compute():
        with permits.held():
            work()

    begun = threading.Event()
    found = []

    def go():
        found.append(threads.submit(compute))
        begun.set()

    permits.when_free(go)
    return begun, found


def test_no_more_compute_at_once_than_there_are_permits(threads):
    permits, may_end = Permits(2, 8), threading.Event()
    entered = threading.Semaphore(0)

    def work():
        entered.release()
        may_end.wait(LONGEST)

    first, second, third = (begin(permits, threads, work) for _ in range(3))
    assert entered.acquire(timeout=LONGEST)
    assert entered.acquire(timeout=LONGEST)

    assert first[0].is_set()
    assert second[0].is_set()
    assert not third[0].is_set()
    may_end.set()
    assert third[0].wait(LONGEST)
    for _, found in (first, second, third):
        found[0].result(LONGEST)


def test_they_are_given_in_the_order_in_which_they_were_asked_for():
    permits, order = Permits(1, 8), []
    permits.when_free(lambda: order.append(0))
    for number in range(1, 6):
        permits.when_free(lambda number=number: order.append(number))

    for _ in range(6):
        permits.give_back()

    assert order == [0, 1, 2, 3, 4, 5]


def test_one_that_fails_gives_its_permit_back():
    permits, gone = Permits(1, 8), []
    permits.when_free(lambda: None)

    with pytest.raises(RuntimeError), permits.held():
        raise RuntimeError
    permits.when_free(lambda: gone.append(1))

    assert gone == [1]


def test_whoever_waits_for_a_model_lets_the_next_compute_and_the_third_waits_for_both(threads):
    permits, order = Permits(1, 8), []
    model_answers, may_end, second_may_end = (threading.Event() for _ in range(3))
    model_answered = threading.Event()

    def asks_a_model():
        with permits.lent():
            model_answers.wait(LONGEST)
        model_answered.set()
        may_end.wait(LONGEST)
        order.append("asked a model")

    def second():
        model_answers.set()
        second_may_end.wait(LONGEST)
        order.append("second")

    one = begin(permits, threads, asks_a_model)
    two = begin(permits, threads, second)
    three = begin(permits, threads, lambda: order.append("third"))
    assert two[0].wait(LONGEST)
    assert model_answered.wait(LONGEST)
    second_may_end.set()
    two[1][0].result(LONGEST)
    assert not three[0].is_set()
    may_end.set()

    for begun, found in (one, two, three):
        assert begun.wait(LONGEST)
        found[0].result(LONGEST)
    assert order == ["second", "asked a model", "third"]


def test_whoever_comes_back_from_a_model_waits_for_nobody_who_waits_for_it(threads):
    permits, at_the_model = Permits(2, 8), threading.Lock()

    def asks_a_model():
        # As a circuit breaker does: it holds its lock while its endpoint is asked.
        with at_the_model, permits.lent():
            threading.Event().wait(0.05)

    begun = [begin(permits, threads, asks_a_model) for _ in range(5)]

    for gone, found in begun:
        assert gone.wait(LONGEST)
        found[0].result(LONGEST)
    assert permits.take()
    assert permits.take()
    assert not permits.take()


def test_an_answer_that_is_not_read_to_its_end_gives_no_permit_twice(threads):
    permits = Permits(1, 8)

    def streamed():
        with permits.lent():
            yield "a piece"
            yield "another"

    kept = []

    def is_stopped():
        kept.append(streamed())
        next(kept[0])

    (_, found) = begin(permits, threads, is_stopped)
    found[0].result(LONGEST)
    assert permits.take()
    assert not permits.take()
    # What was left of it is thrown away later, by whoever: it neither waits nor takes a permit.
    kept[0].close()
    permits.give_back()
    assert permits.take()
    assert not permits.take()


def wait_until(claim):
    for _ in range(LONGEST * 100):
        if claim():
            return
        threading.Event().wait(0.01)
    raise AssertionError("It never came to that")


def test_no_more_begin_than_there_are_places_so_that_those_who_come_back_get_on(threads):
    """Whoever began keeps a thread: were all threads waiting for permits that turns without a
    thread hold, nobody would ever be answered."""
    permits, model_answers = Permits(2, 8), threading.Event()

    def asks_a_model():
        with permits.lent():
            model_answers.wait(LONGEST)

    begun = [begin(permits, threads, asks_a_model) for _ in range(8)]
    assert all(each.wait(LONGEST) for each, _ in begun)
    wait_until(lambda: permits._free == 2)
    waiting = [begin(permits, threads, lambda: None) for _ in range(4)]

    assert not permits.is_free
    assert not permits.take()
    assert not any(each.is_set() for each, _ in waiting)
    model_answers.set()
    for each, found in (*begun, *waiting):
        assert each.wait(LONGEST)
        found[0].result(LONGEST)
    assert permits._free == 2
    assert permits._places == 8


def test_without_a_permit_there_is_nothing_to_lend():
    permits, given = Permits(1, 8), []
    permits.when_free(lambda: given.append("taken"))

    with permits.lent():
        permits.when_free(lambda: given.append("next"))

    assert given == ["taken"]
