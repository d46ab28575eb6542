"""Of 32 questions on the start page two were answered well: it offers only what is answered well.

What is right was read from the pack's own sheets, not from an answer.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml
from django.conf import settings

from chat.services import take_turn
from chat.turn import Turn
from taxonomy.packs.folder import load_pack, read_pack
from taxonomy.publishing.versions import publish
from zol.records.versioned import default_rows, defaulted_models
from zol.tenancy import serving

DEMO = Path(settings.BASE_DIR) / "zol" / "demo" / "pack"
EXAMPLES = yaml.safe_load((DEMO / "hospital.yaml").read_text(encoding="utf-8"))["examples"]

NEUROLOGY = (
    "Neurologie", "Erik Vermeulen", "Liesbeth Van Damme", "Hakan Şahin", "Patrick Nijs",
    "Ingrid Schepers", "Paolo Conti", "Amélie Lefèvre", "089 00 51 35",
)  # fmt: skip
EYES = (
    "Oftalmologie", "Rita Hermans", "Pieter Wouters", "Sara Colombo", "Jeroen Van der Auwera",
    "Hatice Öztürk", "Maarten Renckens", "089 00 51 19",
)  # fmt: skip
#: The department, its doctors and its number.
EARS = (
    "Neus-keel-oorziekten", "Kurt Janssens", "Sabine Meyers", "Deniz Çetin", "Laura Fontana",
    "Joost Van Eynde", "089 00 51 83",
)  # fmt: skip
ENGLISH_HEARTS = (
    "Cardiologie", "Jan Van den Berg", "Ann Peeters", "Mehmet Yılmaz", "Giulia Rossi", "Wim Claes",
    "Sofie Vandenberghe", "Nikos Papadopoulos", "Loubna El Amrani", "François Lemaître",
    "089 00 51 03",
)  # fmt: skip
FRENCH_SKIN = (
    "Dermatologie", "Katrien Janssens", "Tom Van Hoof", "Elisa Bianchi", "Griet De Smet",
    "Youssef Benali", "089 00 51 11",
)  # fmt: skip
MIGRAINE = ("Neurologie", "089 00 51 35")
PEETERS = ("Ann Peeters", "8:30-12:00", "14:00-17:30", "13:30-17:00", "Maas en Kempen", "Sint-Jan")

#: What an answer has to hold; the first of it before anything else.
RIGHT = {
    "Welke dokter heb ik nodig voor oorsuizen?": EARS,
    "Welke cardiologen spreken Turks?": ("Cardiologie", "Mehmet Yılmaz", "089 00 51 03"),
    "Wanneer heeft dr. Ann Peeters raadpleging?": (*PEETERS, "dinsdag", "donderdag", "vrijdag"),
    "Welke artsen werken bij Neurologie?": NEUROLOGY,
    "Which doctor should I see for ringing in my ears?": EARS,
    "Is there a cardiologist who speaks English?": ENGLISH_HEARTS,
    "When does Dr. Ann Peeters see patients?": (*PEETERS, "Tuesday", "Thursday", "Friday"),
    "Which doctors work at Neurology?": NEUROLOGY,
    "Quels médecins travaillent en neurologie ?": NEUROLOGY,
    "Quel dermatologue parle français ?": FRENCH_SKIN,
    "Quand la Dre Ann Peeters consulte-t-elle ?": (*PEETERS, "mardi", "jeudi", "vendredi"),
    "Quels ophtalmologues travaillent à l'hôpital ?": EYES,
    "Welcher Arzt ist bei Ohrensausen zuständig?": EARS,
    "Gibt es einen Kardiologen, der Deutsch spricht?": (
        "Cardiologie", "Ann Peeters", "Hilde Van de Velde", "089 00 51 03",
    ),
    "Wann hat Dr. Schmitz Sprechstunde?": (
        "Herbert Schmitz", "Montag 13:30-17:00", "Mittwoch 8:30-12:00", "Freitag 14:00-17:30",
    ),
    "Welche Abteilung behandelt Migräne?": MIGRAINE,
    "Kulak çınlaması için hangi doktora gitmeliyim?": EARS,
    "Türkçe konuşan bir kardiyolog var mı?": ("Cardiologie", "Mehmet Yılmaz", "089 00 51 03"),
    "Nöroloji bölümünde hangi doktorlar çalışıyor?": NEUROLOGY,
    "C'è un cardiologo che parla italiano?": ("Cardiologie", "Giulia Rossi", "089 00 51 03"),
    "Quando visita la dottoressa Giulia Rossi?": (
        "Giulia Rossi", "mercoledì 13:00-16:30", "venerdì 9:30-12:30",
    ),
    "Quali oculisti lavorano in ospedale?": EYES,
    "C'è un ginecologo che parla italiano?": ("Gynaecologie", "Chiara Moretti", "089 00 51 27"),
    "Când are consultații dr. Ionescu?": (
        "Daria Ionescu", "marți 9:30-12:30", "vineri 13:00-16:30",
    ),
    "Ce oftalmologi lucrează în spital?": EYES,
    "Ποιο τμήμα θεραπεύει την ημικρανία;": MIGRAINE,
    "Υπάρχει καρδιολόγος που μιλάει ελληνικά;": (
        "Cardiologie", "Nikos Papadopoulos", "089 00 51 03",
    ),
    "Πότε δέχεται η δρ. Sofia Makris;": (
        "Sofia Makris", "Δευτέρα 14:00-17:30", "Τετάρτη 9:00-12:00", "Πέμπτη 8:30-12:00",
    ),
    "Ποιοι γιατροί εργάζονται στη νευρολογία;": NEUROLOGY,
}  # fmt: skip
#: Letters within which the answer has begun.
EARLY = 160
#: Letters of an answer that says nothing beside what was asked.
BRIEF = 900
_DOCTOR = re.compile(r"^- (?:Prof\. dr|Dr)\. ", re.MULTILINE)


def wrong_with(question: str, language: str) -> list[str]:
    ctx = take_turn(Turn(question, language=language)).context
    right = RIGHT[question]
    listed = sum(f"Dr. {name}" in ctx.answer or f"dr. {name}" in ctx.answer for name in right)
    found = [f"without {part}" for part in right if part not in ctx.answer]
    if right[0] not in ctx.answer[:EARLY]:
        found.append("late")
    if len(_DOCTOR.findall(ctx.answer)) > listed:
        found.append("other doctors")
    if len(ctx.answer) > BRIEF or "\n> " in ctx.answer:
        found.append("more than was asked")
    if (
        ctx.understanding.language != language
        or ctx.behaviour != "answer"
        or not ctx.reply.verified
    ):
        found.append(f"{ctx.understanding.language} {ctx.behaviour} {ctx.reply.verified}")
    return [f"{question}: {', '.join(found)}\n{ctx.answer}"] if found else []


def test_every_label_is_of_a_question_that_is_offered():
    offered = [question for questions in EXAMPLES.values() for question in questions]

    assert sorted(offered) == sorted(RIGHT)
    assert all(len(questions) <= 4 for questions in EXAMPLES.values())


@pytest.mark.django_db
def test_every_question_that_the_demonstration_offers_is_answered_completely_and_at_once():
    # Its answers are facts: they need what is published, and no page that is ingested.
    hospital, _changes = load_pack(read_pack(DEMO))
    with serving(hospital):
        for model in defaulted_models():
            model._default_manager.bulk_create(default_rows(model, hospital.pk))
        publish(hospital, by=None)
        wrong = [
            each
            for language, questions in EXAMPLES.items()
            for question in questions
            for each in wrong_with(question, language)
        ]

    assert wrong == []


def test_a_hospital_without_questions_of_its_own_offers_none():
    pack = read_pack(Path(settings.BASE_DIR) / "tests" / "elsewhere" / "pack")

    assert pack.profile.more["examples"] == {}
