"""Who asked to come without an appointment was told how one is made."""

from __future__ import annotations

import pytest

from chat.lookup.lookup_question import asked_of
from tests.chat.question.readers import asked, snapshot


@pytest.mark.parametrize(
    ("language", "question"),
    [
        ("nl", "kan ik zonder afspraak een foto van mijn longen laten trekken"),
        ("en", "can I walk in without an appointment"),
        ("fr", "puis-je venir sans rendez-vous ?"),
        ("de", "Kann ich ohne Termin kommen?"),
        ("it", "posso venire senza appuntamento?"),
        ("ro", "pot veni fără programare?"),
        ("tr", "randevusuz gelebilir miyim?"),
        ("el", "μπορώ να έρθω χωρίς ραντεβού;"),
    ],
)
def test_who_would_rather_come_without_one_is_heard(language, question):
    assert asked_of(asked(question, page=language), snapshot(), question).without_appointment


@pytest.mark.parametrize(
    "question", ["Ik heb een afspraak nodig bij cardiologie.", "Hoe maak ik een afspraak?"]
)
def test_who_wants_one_is_told_how(question):
    assert not asked_of(asked(question), snapshot(), question).without_appointment
