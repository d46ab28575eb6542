"""What a process has no time for, another takes; each side sees at once when the other is gone."""

from __future__ import annotations

import asyncio
import socket
from contextlib import suppress

import pytest

from zol.permits import Permits
from zol.sharing import BETWEEN_LOOKS, AskerGone, Counter, Left, Queue, Taken

#: Seconds within which whatever has to happen does.
LONGEST = 30


class Tidy(Queue):
    """Closes every line that went through it."""

    def __init__(self):
        self.open = [*socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)]
        super().__init__(*self.open)

    def kept(self, line):
        self.open += [] if line is None else [line]
        return line

    def offer(self, work):
        return self.kept(super().offer(work))

    def take(self):
        return self.kept(super().take())


@pytest.fixture
def queue():
    made = Tidy()
    yield made
    while made.take() is not None:
        pass
    for each in made.open:
        each.close()


async def all_told(left):
    return [each async for told in left.told() for each in told]


async def test_what_was_left_is_done_by_who_takes_it_and_told_in_order(queue):
    left = Left(queue.offer({"question": "Wat zijn de bezoekuren?"}))

    taken = Taken(queue.take())
    assert taken.work() == {"question": "Wat zijn de bezoekuren?"}
    for number in range(3):
        taken.emit({"number": number, "text": "één\ntwee"})
    taken.close()

    assert await all_told(left) == [{"number": n, "text": "één\ntwee"} for n in range(3)]


async def test_half_a_letter_of_a_model_is_told_like_any_other(queue):
    left = Left(queue.offer({}))
    taken = Taken(queue.take())
    taken.work()
    taken.emit({"text": "\ud83d"})
    taken.close()

    assert await all_told(left) == [{"text": "\ud83d"}]


async def test_a_long_answer_arrives_whole(queue):
    left = Left(queue.offer({}))
    taken = Taken(queue.take())
    taken.work()

    def tell():
        taken.emit({"text": "a" * 2_000_000})
        taken.close()

    telling = asyncio.to_thread(tell)
    found, _ = await asyncio.wait_for(asyncio.gather(all_told(left), telling), LONGEST)

    assert found == [{"text": "a" * 2_000_000}]


def test_what_waits_longest_is_taken_first(queue):
    lines = [queue.offer({"number": number}) for number in range(5)]

    assert [Taken(queue.take()).work()["number"] for _ in lines] == [0, 1, 2, 3, 4]
    assert queue.take() is None


async def test_a_stop_reaches_whoever_took_the_work(queue):
    left = Left(queue.offer({}))
    taken = Taken(queue.take())
    taken.work()

    assert not taken.is_stopped()
    left.stop()
    await asyncio.sleep(2 * BETWEEN_LOOKS)
    assert taken.is_stopped()


async def test_a_stop_before_anybody_took_it_is_not_lost(queue):
    left = Left(queue.offer({"question": "?"}))
    left.stop()

    taken = Taken(queue.take())

    assert taken.work() == {"question": "?"}
    assert taken.is_stopped()


async def test_who_waits_is_told_when_the_taker_ends(queue):
    left = Left(queue.offer({}))
    line = queue.take()
    Taken(line).emit({"number": 1})
    line.close()

    assert await asyncio.wait_for(all_told(left), LONGEST) == [{"number": 1}]
    left.stop()


def test_the_taker_sees_that_nobody_waits_any_more(queue):
    queue.offer({"question": "?"}).close()
    taken = Taken(queue.take())

    assert taken.work() == {"question": "?"}
    assert not taken.is_stopped()
    with pytest.raises(AskerGone):
        taken.emit({})


def test_when_nobody_comes_to_take_any_more_the_work_stays_here(queue):
    taken = 0
    while queue.offer({}) is not None:
        taken += 1
        assert taken < 10_000

    assert taken > 50


async def test_work_is_taken_only_with_a_permit_and_again_when_one_is_left_over(queue):
    permits, begun = Permits(1, 8), asyncio.Queue()
    counter = Counter(queue, permits, begun.put_nowait, asyncio.get_running_loop())
    lines = [queue.offer({"number": number}) for number in range(3)]

    for number in range(3):
        taken = Taken(await asyncio.wait_for(begun.get(), LONGEST))
        assert taken.work()["number"] == number
        assert not permits.is_free
        with suppress(TimeoutError):
            # The next has to wait, however long.
            await asyncio.wait_for(begun.get(), 0.2)
            pytest.fail("taken without a permit")
        await asyncio.to_thread(permits.give_back)

    assert counter
    assert len(lines) == 3
    asyncio.get_running_loop().remove_reader(queue.fileno())


async def test_who_waits_in_this_process_comes_before_what_others_left(queue):
    permits, begun = Permits(1, 8), asyncio.Queue()
    Counter(queue, permits, begun.put_nowait, asyncio.get_running_loop())
    assert permits.take()
    ours = asyncio.Event()
    permits.when_free(ours.set)
    queue.offer({})

    permits.give_back()
    await asyncio.wait_for(ours.wait(), LONGEST)

    assert begun.empty()
    permits.give_back()
    assert await asyncio.wait_for(begun.get(), LONGEST)
    asyncio.get_running_loop().remove_reader(queue.fileno())


def test_a_process_that_ends_leaves_what_waits_to_the_others(queue):
    permits, begun = Permits(1, 8), []

    async def ends_while_it_computes():
        Counter(queue, permits, begun.append, asyncio.get_running_loop())
        queue.offer({"number": 0})
        await asyncio.sleep(0.05)
        queue.offer({"number": 1})
        # It sees that there is more, and that it has no time.
        await asyncio.sleep(0.05)

    asyncio.run(ends_while_it_computes())
    permits.give_back()

    assert len(begun) == 1
    assert Taken(queue.take()).work() == {"number": 1}
