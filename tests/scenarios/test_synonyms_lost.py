"""The synonyms of a question went missing between two stages for thirteen days; nobody saw it."""

import logging

from chat.services import take_turn
from chat.turn import Turn
from tests.builders import told


def test_the_operator_sees_how_much_was_appended_every_time(mini, caplog):
    with caplog.at_level(logging.DEBUG, logger="chat.question.query_expansion"):
        named = take_turn(Turn("Waar kan ik terecht met grauwe staar?")).trace
        unnamed = take_turn(Turn("Waar is de cafetaria?")).trace

    query = told("retrieval", named)["query"]
    assert told("enrichment", named)["layers"]["routing"] == ["Oogziekten"]
    assert query.endswith(("Oogziekten, Cataracta)", "Oogziekten)"))
    assert told("enrichment", named)["letters"] > 0
    assert told("enrichment", unnamed)["letters"] == 0
    assert len([m for m in caplog.messages if m.startswith("Enriched by")]) == 2
