"""Pairs of questions that may, or must not, share a remembered answer."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from chat.answer_cache import store
from chat.answer_cache.reuse import CachedReply, gist_of, has_wording
from chat.turn import Context, Turn
from chat.wiring import read_by_code, tools
from lab.floors.figures import Tally
from lab.floors.sets import CACHE_PAIRS, NEAR_PAIRS, progress, rows_of
from taxonomy.publishing.live import live_snapshot

#: Questions in other words that ask the same, of the near pairs' file; all others must not share.
PARAPHRASE = "paraphrase"
#: A cosine that any two questions have, so that the guard alone tells them apart.
ALL_ALIKE = -1.0


def measure() -> Mapping[str, Any]:
    """Remember an answer to each question of a pair, and look for it with the other."""
    tally = Tally()
    for at, row in enumerate(progress(rows_of(CACHE_PAIRS), "cache"), start=1):
        for one, other in ((row["one"], row["other"]), (row["other"], row["one"])):
            name = "shared" if row["shares"] else "wrongly shared"
            hit = is_shared(one, other)
            tally.add(name, hit=hit, where=str(at), want=row["shares"])
    with NEAR_PAIRS.open(encoding="utf-8", newline="") as file:
        for row in progress(list(csv.DictReader(file)), "near pairs"):
            _add_near(row, tally)
    return tally.report()


def _add_near(row: Mapping[str, str], tally: Tally) -> None:
    """Count what a pair shares: a near one by the guard alone, a paraphrase by cosine as well."""
    is_same = row["kind"] == PARAPHRASE
    for one, other in ((row["one"], row["other"]), (row["other"], row["one"])):
        said = one, other, row["language"]
        likeness = store.DUPLICATE if is_same else ALL_ALIKE
        served = {
            "cached, by code": is_shared(*said, likeness=likeness),
            "cached, beside a model": is_shared(*said, likeness=likeness, by_model=True),
            "curated, beside a model": is_approved(*said),
        }
        for engine, hit in served.items():
            name = f"{'paraphrase' if is_same else 'near pair'} served {engine}"
            tally.add(name, hit=hit, where=f"{one} | {other}", want=is_same)
            if not is_same:
                tally.add(f"{name}: {row['kind']}", hit=hit)


def _understood(question: str, language: str, *, by_model: bool) -> Context:
    """Return a turn as code reads it; as a model's, by the same reading."""
    asked = Turn(question, language)
    read = read_by_code(asked, tools().snapshot)
    return Context(asked, question=question, understanding=replace(read, by_model=by_model))


def is_approved(one: str, other: str, language: str) -> bool:
    """Whether an answer that staff approved for one question is given to the other by a model."""
    asked = _understood(other, language, by_model=True)
    return has_wording(asked, [(language, one)], live_snapshot())


def is_shared(
    one: str,
    other: str,
    language: str = "nl",
    *,
    likeness: float = ALL_ALIKE,
    by_model: bool = False,
) -> bool:
    """Whether the answer to one question is given to the other; a model takes them for the same
    intent."""
    store.forget_answers()
    cache, snapshot = store.AnswerCache(live_snapshot(), duplicate=likeness), tools().snapshot
    first = _understood(one, language, by_model=by_model)
    found = cache.similar(first, gist_of(first, snapshot))
    kept = first.learn(text="Dit is het antwoord.", ticket=found)
    store.store(kept, seconds=60, vector=store.vector_of(kept))
    second = _understood(other, language, by_model=by_model)
    if by_model:
        meant = replace(second.understanding, intent=first.understanding.intent)
        second = replace(second, understanding=meant)
    try:
        return isinstance(cache.similar(second, gist_of(second, snapshot)), CachedReply)
    finally:
        store.forget_answers()
