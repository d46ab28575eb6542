"""Milliseconds of a turn and its stages, on the hospital's own example questions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from chat.services import take_turn
from chat.turn import Turn
from retrieval.benchmarks.speed import Row
from retrieval.intents import Intent
from taxonomy.selectors import live_snapshot

#: Questions asked, and how often each.
QUESTIONS, ROUNDS = 40, 3


def stages() -> Iterable[Row]:
    """Ask answerable example questions, warm, and return the times of every stage."""
    snapshot = live_snapshot()
    asked = [
        (row["text"], row["language"])
        for row in snapshot.rows_of("chat.intentexample")
        if not Intent(row["intent"]).is_blocked and "{" not in row["text"]
    ]
    chosen = asked[:: max(1, len(asked) // QUESTIONS)]
    times: dict[str, list[float]] = defaultdict(list)
    for warm in range(ROUNDS + 1):
        for text, language in chosen:
            answered = take_turn(Turn(text, language=language))
            if not warm:
                continue
            times["whole turn"].append(answered.seconds)
            for record in answered.trace:
                times[f"stage {record.stage}"].append(record.seconds)
    return [Row.of(name, seconds) for name, seconds in times.items()]
