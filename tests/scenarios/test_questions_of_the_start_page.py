"""Of 32 questions on the start page two were answered well: it offers only what is answered well."""

from pathlib import Path

import pytest
import yaml
from django.conf import settings

from chat.behaviours import Behaviour, Certainty
from chat.services import take_turn
from chat.turn import Turn
from taxonomy.packs.folder import load_pack, read_pack
from taxonomy.publishing.versions import publish
from zol.records.versioned import default_rows, defaulted_models
from zol.tenancy import serving

DEMO = Path(settings.BASE_DIR) / "zol" / "demo" / "pack"
EXAMPLES = yaml.safe_load((DEMO / "hospital.yaml").read_text(encoding="utf-8"))["examples"]
#: What an answer has to hold, one question of each kind; the golden set of the pack has the others.
RIGHT = {
    "Welke cardiologen spreken Turks?": ("Cardiologie", "Mehmet Yılmaz", "089 00 51 03"),
    "Welche Abteilung behandelt Migräne?": ("Neurologie", "089 00 51 35"),
    "Πότε δέχεται η δρ. Sofia Makris;": (
        "Sofia Makris", "Δευτέρα 14:00-17:30", "Τετάρτη 9:00-12:00", "Πέμπτη 8:30-12:00",
    ),
}  # fmt: skip
#: Letters of an answer that says nothing beside what was asked.
BRIEF = 900


def wrong_with(question: str, language: str) -> list[str]:
    answered = take_turn(Turn(question, language=language))
    ctx = answered.context
    found = [f"without {part}" for part in RIGHT.get(question, ()) if part not in ctx.answer]
    if len(ctx.answer) > BRIEF or "\n> " in ctx.answer:
        found.append("more than was asked")
    kept = (ctx.understanding.language, ctx.behaviour, answered.certainty)
    if kept != (language, Behaviour.ANSWER, Certainty.FACT):
        found.append(str(kept))
    return [f"{question}: {', '.join(found)}\n{ctx.answer}"] if found else []


@pytest.mark.django_db
def test_every_question_that_the_demonstration_offers_is_answered_from_facts_and_briefly():
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
    assert set(RIGHT) <= {question for questions in EXAMPLES.values() for question in questions}


def test_a_hospital_without_questions_of_its_own_offers_none():
    pack = read_pack(Path(settings.BASE_DIR) / "tests" / "elsewhere" / "pack")

    assert pack.profile.more["examples"] == {}
