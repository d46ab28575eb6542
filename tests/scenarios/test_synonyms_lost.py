"""The synonyms of a question went missing between two stages for thirteen days; nobody saw it."""

from __future__ import annotations

import logging

from chat.services import take_turn, trace_of
from chat.turn import Turn


def test_the_operator_sees_how_much_was_appended_every_time(mini, caplog):
    with caplog.at_level(logging.DEBUG, logger="chat.question.query_expansion"):
        named = trace_of(take_turn(Turn("Waar kan ik terecht met grauwe staar?")))
        unnamed = trace_of(take_turn(Turn("Waar is de cafetaria?")))

    searched = [
        next(stage["detail"] for stage in trace["stages"] if stage["stage"] == "search")
        for trace in (named, unnamed)
    ]
    assert searched[0]["enrichment"]["layers"]["routing"] == ["Oogziekten"]
    assert searched[0]["query"].endswith("Oogziekten, Cataracta)") or searched[0]["query"].endswith(
        "Oogziekten)"
    )
    assert searched[0]["enrichment"]["letters"] > 0
    assert searched[1]["enrichment"]["letters"] == 0
    assert len([m for m in caplog.messages if m.startswith("Enriched by")]) == 2
