"""Milliseconds of looking an answer up among very many that are remembered."""

from __future__ import annotations

import secrets
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from time import perf_counter

from django.db import connection, connections

from chat import remembering
from chat.cache import Cache, Recalled
from chat.gist import Gist, gist_of
from chat.live import cache_of
from chat.models import CachedAnswer
from chat.services import take_turn
from chat.turn import Context, Turn
from evaluation.lab.benchmarks.searches import Row
from evaluation.lab.benchmarks.turns import asked
from taxonomy.selectors import live_snapshot
from zol.clock import hospital_now

#: How often each question is looked up, after a time that does not count.
ROUNDS = 5
#: Seconds for which the answers of a measurement may be given; none outlives it.
SECONDS = 3_600
#: Rows of others beside an answer that was given: its room and words, keys of their own, and a
#: vector somewhere else.
MANY = """
    INSERT INTO chat_cachedanswer (hospital_id, knowledge, exact, reworded, room, content, vector,
        question, query, intent, language, answer, citations, contact, follow_ups, verified, engine,
        created_at, expires_at)
    SELECT c.hospital_id, c.knowledge, md5(c.id || 'e' || n), md5(c.id || 'r' || n), c.room,
        c.content, v.vector, c.question, c.query, c.intent, c.language, c.answer, c.citations,
        c.contact, c.follow_ups, c.verified, c.engine, c.created_at, c.expires_at
    FROM chat_cachedanswer c CROSS JOIN generate_series(1, %s) n CROSS JOIN LATERAL (
        SELECT array_agg(random() - 0.5 + 0 * (n + place))::halfvec AS vector
        FROM generate_series(1, vector_dims(c.vector)) place
    ) v
    WHERE c.id = ANY(%s)"""


@dataclass(frozen=True, slots=True)
class Kept:
    """A question that was answered and remembered, as it is looked up again."""

    asked: Context
    meant: Context
    gist: Gist


def measure(answers: int) -> tuple[int, list[Row]]:
    """Return how many answers were remembered, `answers` or a few more, and how long each way to
    find one takes, by the clock: by its own words, rewritten, and by nearness among the latest of
    its sense. Embedding is no part of it.

    They are remembered under a switch that nobody else has, and forgotten in the end; what a killed
    measurement leaves is forgotten with the hour.
    """
    switches = {"cache": True, f"benchmark {secrets.token_hex(4)}": True}
    rooms: list[str] = []
    try:
        kept = _answered(rooms, switches)
        if not kept:
            return 0, []
        size = _multiplied(answers, rooms)
        return size, [Row.of(name, taken) for name, taken in _timed(kept, switches).items()]
    finally:
        CachedAnswer.objects.filter(room__in=rooms).delete()
        _count()


def _answered(rooms: list[str], switches: Mapping[str, bool]) -> list[Kept]:
    """Answer example questions, and remember what may be remembered; tell where, as it happens."""
    snapshot = live_snapshot()
    kept = []
    for text, language in asked():
        ctx = take_turn(Turn(text, language=language), flags=switches).context
        rooms += [ctx.ticket.room] if ctx.ticket and ctx.ticket.room else []
        vector = remembering.vector_of(ctx)
        if ctx.cached or not remembering.keep(ctx, seconds=SECONDS, vector=vector):
            continue
        before = Context(ctx.turn, question=ctx.question)
        meant = before.learn(understanding=ctx.understanding)
        kept.append(Kept(before, meant, gist_of(meant, snapshot)))
    return kept


def _multiplied(answers: int, rooms: Sequence[str]) -> int:
    """Put others beside the answers that were given, until there are so many; return how many."""
    own = CachedAnswer.objects.filter(room__in=rooms)
    given = list(own.values_list("pk", flat=True))
    each = max(0, -(-(answers - len(given)) // len(given)))
    with connection.cursor() as cursor:
        cursor.execute(MANY, [each, given])
    _count()
    return own.count()


def _count() -> None:
    """Have PostgreSQL count the rows, as autovacuum does while they become more."""
    with connections["owner"].cursor() as cursor:
        cursor.execute("ANALYZE chat_cachedanswer")


def _timed(kept: Sequence[Kept], switches: Mapping[str, bool]) -> Mapping[str, list[float]]:
    cache = cache_of(live_snapshot(), switches, hospital_now())
    taken = defaultdict[str, list[float]](list)
    for warm in range(ROUNDS + 1):
        for each in kept:
            for name, seconds in _looked_up(cache, each):
                if warm:
                    taken[name].append(seconds)
    return taken


def _looked_up(cache: Cache, kept: Kept) -> list[tuple[str, float]]:
    """Return how long it took in each way, named for what was found."""
    # Words that nobody used: only nearness is left.
    meant = kept.meant.understanding
    other = kept.meant.learn(understanding=replace(meant, query=f"{meant.query} ?"))
    ways: tuple[Callable[[], Recalled], ...] = (
        partial(cache.exact, kept.asked),
        partial(cache.alike, kept.meant, kept.gist),
        partial(cache.alike, other, kept.gist),
    )
    found = []
    for look_up in ways:
        started = perf_counter()
        recalled = look_up()
        found.append((_way(recalled), perf_counter() - started))
    return found


def _way(recalled: Recalled) -> str:
    return recalled.answer.tier if recalled.answer else "compared, none near"
