"""What to take off or leave at home before an examination is told, as no medicine is spoken of.

The questions were written before any row was: at first sight 5 of 24 were refused.
"""

from __future__ import annotations

import pytest

from retrieval.intents import Intent
from tests.chat.question.readers import asked

READY = [
    ("nl", "moet ik mijn lenzen uitlaten voor ze mijn oog opmeten voor de staar"),
    ("en", "do I have to take out my contact lenses before they measure my eye for the cataract"),
    ("fr", "dois-je enlever mes lentilles avant la mesure de l'œil pour la cataracte"),
    (
        "de",
        "muss ich die Kontaktlinsen weglassen, bevor mein Auge für den grauen Star gemessen wird",
    ),
    ("tr", "katarakt için gözüm ölçülmeden önce lenslerimi çıkarmalı mıyım"),
    ("it", "devo togliere le lenti a contatto prima che mi misurino l'occhio per la cataratta"),
    ("ro", "trebuie să scot lentilele de contact înainte să îmi măsoare ochiul pentru cataractă"),
    ("el", "πρέπει να βγάλω τους φακούς επαφής πριν μετρήσουν το μάτι για τον καταρράκτη"),
    ("nl", "mag ik nagellak dragen tijdens de operatie aan mijn knie"),
    ("en", "can I wear nail polish during the knee operation"),
    ("fr", "puis-je garder mon vernis à ongles pendant l'opération du genou"),
    ("de", "darf ich bei der Knieoperation Nagellack tragen"),
    ("tr", "diz ameliyatında oje sürebilir miyim"),
    ("it", "posso tenere lo smalto durante l'operazione al ginocchio"),
    ("ro", "pot avea ojă la operația de genunchi"),
    ("el", "μπορώ να φοράω μανόν στην εγχείρηση στο γόνατο"),
    ("nl", "moet mijn trouwring af voor de hartkatheterisatie"),
    ("en", "must my wedding ring come off for the heart catheter"),
    ("fr", "dois-je retirer mon alliance pour la coronarographie"),
    ("de", "muss ich den Ehering für die Herzkatheteruntersuchung ablegen"),
    ("tr", "kalp anjiyosu için alyansımı çıkarmam gerekir mi"),
    ("it", "devo togliere la fede per la coronarografia"),
    ("ro", "trebuie să scot verigheta pentru coronarografie"),
    ("el", "πρέπει να βγάλω τη βέρα για τον καθετηριασμό της καρδιάς"),
]


def is_refused(text: str, page: str) -> bool:
    return asked(text, page=page).intent is Intent.OUT_OF_SCOPE_MEDICAL_ADVICE


def test_what_to_take_off_is_answered():
    assert [text for language, text in READY if is_refused(text, language)] == []


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("nl", "moet ik mijn lenzen uitdoen en mijn bloedverdunner stoppen voor de staaroperatie"),
        ("en", "should I stop my blood thinner and take off my ring before the colonoscopy"),
        ("it", "devo smettere il coumadin e togliere le lenti prima della cataratta"),
        ("nl", "mag ik met mijn lenzen een paracetamol nemen voor de operatie"),
        ("de", "soll ich Eliquis vor der Darmspiegelung absetzen"),
        ("en", "my eye is red from my contact lenses, is it an infection"),
    ],
)
def test_a_medicine_or_a_complaint_beside_it_is_refused_as_before(language: str, text: str):
    assert is_refused(text, language)
