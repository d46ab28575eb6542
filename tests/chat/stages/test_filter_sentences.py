"""A model reads no more than it needs; names that answer are never taken from it."""

from __future__ import annotations

import pytest

from chat.services import take_turn
from chat.turn import Turn


def by_stage(answered):
    return {record.stage: record.detail for record in answered.trace}


def asked(question, *, filco=True):
    return take_turn(Turn(question), flags={"filco": filco, "cache": False})


def test_the_context_gets_shorter_and_keeps_what_answers(mini):
    answered = asked("Wat kost parkeren?")

    detail = by_stage(answered)["filter_sentences"]
    read = "\n".join(block.text for block in answered.context.dossier.blocks)
    assert detail["tokens"] < detail["tokens_before"]
    assert "1,50 euro" in read


def test_names_of_doctors_stay_in_what_is_read(mini):
    whole = asked("Wat doet de dienst longziekten?", filco=False).context.dossier.blocks
    sifted = asked("Wat doet de dienst longziekten?").context.dossier.blocks

    named = {name for name in ("Van der Aa", "D'Hondt", "Lauwers") for b in whole if name in b.text}
    kept = {name for name in named for block in sifted if name in block.text}
    documents = {block.best.source.url for block in sifted}
    assert kept == named or not documents


@pytest.mark.parametrize(
    "question",
    ["alle artsen van longziekten aub", "Quels sont les pneumologues ?", "alle oogartsen aub"],
)
def test_a_roster_is_whole_with_the_filter_on(mini, question):
    context = asked(question).context

    assert context.roster
    assert all(doctor.name in context.answer for doctor in context.roster)


def test_off_it_leaves_everything(mini):
    assert "filter_sentences" not in by_stage(asked("Wat kost parkeren?", filco=False))
