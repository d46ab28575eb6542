"""Who thanks is thanked; who wants a human gets one; who asks something besides is answered."""

from __future__ import annotations

import pytest

from retrieval.intents import Intent
from tests.chat.question.readers import asked

THANKED = (
    ("nl", "dank u, tot ziens"),
    ("nl", "ok merci"),
    ("nl", "super, bedankt voor de uitleg!"),
    ("nl", "bedankt voor de uitleg over de MRI"),
    ("nl", "top, dat is duidelijk, dank je wel"),
    ("en", "great, thanks for your help"),
    ("en", "ok perfect thanks bye"),
    ("fr", "merci beaucoup docteur, bonne journée"),
    ("de", "Alles klar, danke schön"),
    ("tr", "açıklama için teşekkür ederim"),
    ("it", "perfetto, grazie mille"),
    ("ro", "ok, mulțumesc pentru informații"),
    ("el", "ωραία, ευχαριστώ πολύ"),
)
PERSON = (
    ("nl", "kan ik met een mens spreken"),
    ("nl", "ik wil een echte persoon aan de lijn"),
    ("nl", "kan ik iemand spreken?"),
    ("en", "can I talk to a human please"),
    ("fr", "je voudrais parler à une vraie personne"),
    ("de", "Kann ich mit einem Menschen sprechen?"),
    ("tr", "gerçek bir insanla konuşabilir miyim"),
    ("it", "posso parlare con una persona?"),
    ("ro", "pot vorbi cu un om?"),
    ("el", "μπορώ να μιλήσω με έναν άνθρωπο;"),
)
IDENTITY = (
    ("nl", "wie ben je"),
    ("nl", "ben jij een robot of een mens"),
    ("en", "are you a robot?"),
    ("en", "who are you"),
    ("fr", "vous êtes un robot ?"),
    ("fr", "qui êtes-vous"),
    ("de", "Bist du ein Roboter?"),
    ("tr", "sen robot musun"),
    ("it", "sei un robot o una persona?"),
    ("ro", "ești robot?"),
    ("el", "είσαι ρομπότ;"),
)


@pytest.mark.parametrize(
    ("kind", "language", "text"),
    [
        (kind, *said)
        for kind, texts in (("thanks", THANKED), ("person", PERSON), ("identity", IDENTITY))
        for said in texts
    ],
)
def test_what_asks_the_hospital_nothing_is_answered_in_kind(kind, language, text):
    meant = asked(text, page=language)

    assert (meant.intent, meant.greeting) == (Intent.VAGUE_INPUT, kind)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("nl", "bedankt, en waar kan ik parkeren?"),
        ("nl", "dank u, hoeveel kost een MRI"),
        ("nl", "merci, nummer van cardiologie aub"),
        ("nl", "bedankt voor uw hulp, ik heb hoofdpijn"),
        ("en", "thanks, what about visiting hours"),
        ("fr", "merci de me donner le numéro de la radiologie"),
        ("nl", "ik wil iemand spreken van cardiologie"),
        ("nl", "kan ik iemand spreken over mijn factuur"),
        ("nl", "wie opereert prostaatkanker met een robot"),
    ],
)
def test_who_asks_something_as_well_is_answered(language, text):
    assert asked(text, page=language).greeting == ""
