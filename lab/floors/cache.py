"""Pairs of questions that may, or must not, share a remembered answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from chat.answer_cache import store
from chat.answer_cache.key import gist_of
from chat.turn import Context, Turn
from chat.wiring import read_by_code, tools
from lab.floors.figures import Tally
from lab.floors.sets import CACHE_PAIRS, progress, rows_of
from taxonomy.publishing.live import live_snapshot


def measure() -> Mapping[str, Any]:
    """Remember an answer to each question of a pair, and look for it with the other."""
    tally = Tally()
    for at, row in enumerate(progress(rows_of(CACHE_PAIRS), "cache"), start=1):
        for one, other in ((row["one"], row["other"]), (row["other"], row["one"])):
            name = "shared" if row["shares"] else "wrongly shared"
            hit = is_shared(one, other)
            tally.add(name, hit=hit, where=str(at), want=row["shares"])
    return tally.report()


def is_shared(one: str, other: str) -> bool:
    """Tell whether the answer to one question is given to the other."""
    store.forget_answers()
    # All questions are alike, so that the guard alone tells them apart.
    cache, kit = store.AnswerCache(live_snapshot(), duplicate=-1.0), tools()

    def looked_up(question: str) -> tuple[Context, Any]:
        asked = Turn(question)
        ctx = Context(asked, question=question, understanding=read_by_code(asked, kit.snapshot))
        return ctx, cache.alike(ctx, gist_of(ctx, kit.snapshot))

    ctx, found = looked_up(one)
    ctx = ctx.learn(text="Dit is het antwoord.", ticket=found.ticket)
    store.keep(ctx, seconds=60, vector=store.vector_of(ctx))
    try:
        return looked_up(other)[1].answer is not None
    finally:
        store.forget_answers()
