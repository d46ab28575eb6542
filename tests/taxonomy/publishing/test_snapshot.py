"""A value is derived from a snapshot once, however many threads ask for it."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from taxonomy.publishing.snapshot import Snapshot


def test_who_comes_while_it_is_made_waits_for_it():
    made, together = [], Barrier(4)
    known = Snapshot(1, 1)

    def slowly(snapshot):
        made.append(snapshot)
        return object()

    def ask(_):
        together.wait(30)
        return known.derived(slowly)

    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(ask, range(4)))

    assert len(made) == 1
    assert len(set(map(id, found))) == 1


def test_what_is_made_may_need_what_else_is_made():
    def part(snapshot):
        return snapshot.version

    def whole(snapshot):
        return [snapshot.derived(part)]

    assert Snapshot(1, 7).derived(whole) == [7]


def test_what_could_not_be_made_is_tried_again_by_the_next():
    tried = []

    def brittle(snapshot):
        tried.append(snapshot)
        if len(tried) == 1:
            raise ValueError
        return "made"

    known = Snapshot(1, 1)
    with ThreadPoolExecutor(2) as threads:
        one, other = threads.submit(known.derived, brittle), threads.submit(known.derived, brittle)
        results = sorted(str(each.exception() or each.result()) for each in (one, other))

    assert results == ["", "made"]
