"""Questions with two parts, in other words than the pages, and from the start page are answered."""

import logging
from pathlib import Path

import pytest
import yaml
from django.conf import settings

from chat.behaviours import Behaviour, Certainty
from chat.models import CuratedAnswer
from chat.services import take_turn
from chat.turn import Turn
from taxonomy.packs.folder import load_pack, read_pack
from taxonomy.publishing.versions import publish
from tests.builders import told
from tests.factories import with_defaults
from zol.tenancy import serving

# A question with a practical and a medical part was taken for practical; the other half was lost.
BOTH = [
    ("nl", "Wat kost parkeren en welke artsen werken bij longziekten?"),
    ("tr", "Otopark ücreti ne kadar ve göğüs hastalıklarında hangi doktorlar çalışıyor?"),
    ("el", "Πόσο κοστίζει το πάρκινγκ και ποιοι γιατροί εργάζονται στην πνευμονολογία;"),
]
PARKING = "https://www.azm-mini.example/praktisch/bereikbaarheid"
DOCTORS = ("Lotte Van der Aa", "Zoë D'Hondt", "Sam Lauwers")


@pytest.mark.parametrize(("language", "question"), BOTH)
def test_both_parts_are_answered_with_one_list_of_sources(mini, language, question):
    answered = take_turn(Turn(question, language))

    text = answered.context.answer
    assert PARKING in [citation.url for citation in answered.context.citations]
    assert all(doctor in text for doctor in DOCTORS)
    numbers = [citation.n for citation in answered.context.citations]
    assert numbers == list(range(1, len(numbers) + 1))
    assert all(f"[{number}]" in text for number in numbers)


@pytest.mark.parametrize("switched_on", [True, False])
def test_it_is_the_taking_apart_that_does_it(mini, switched_on):
    context = take_turn(Turn(BOTH[0][1]), flags={"decomposition": switched_on}).context

    assert bool(context.parts) is switched_on


def test_a_part_that_nothing_answers_leaves_the_other_answered(mini):
    question = "Welke artsen werken bij longziekten en wat kost een kerstboom in de winkel?"
    text = take_turn(Turn(question)).context.answer

    assert "Lotte Van der Aa" in text


def test_a_part_that_leans_on_the_other_is_understood_from_it(mini):
    answered = take_turn(
        Turn("Welke artsen behandelen astma en wat is het telefoonnummer daarvan?")
    )

    assert "011 00 11 10" in answered.context.answer


def test_a_part_that_must_be_refused_leaves_the_question_whole(mini):
    context = take_turn(Turn("Wat kost parkeren en wie wint de voetbalmatch?")).context

    assert context.parts == ()


# The synonyms of a question went missing between two stages for thirteen days; nobody saw it.
def test_the_operator_sees_how_much_was_appended_every_time(mini, caplog):
    with caplog.at_level(logging.DEBUG, logger="chat.question.rewrite"):
        named = take_turn(Turn("Waar kan ik terecht met grauwe staar?")).trace
        unnamed = take_turn(Turn("Waar is de cafetaria?")).trace

    query = told("retrieval", named)["query"]
    assert told("enrichment", named)["layers"]["routing"] == ["Oogziekten"]
    assert query.endswith(("Oogziekten, Cataracta)", "Oogziekten)"))
    assert told("enrichment", named)["letters"] > 0
    assert told("enrichment", unnamed)["letters"] == 0
    assert len([m for m in caplog.messages if m.startswith("Enriched by")]) == 2


# Of 32 questions on the start page two were answered well: it offers only what is answered well.
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


@pytest.mark.slow
@pytest.mark.django_db
def test_every_question_that_the_demonstration_offers_is_answered_from_facts_and_briefly():
    # Its answers are facts: they need what is published, and no page that is ingested. No curated
    # answer is one of them; to learn the wordings of all takes longer than the test.
    hospital, _changes = load_pack(read_pack(DEMO))
    with serving(hospital):
        CuratedAnswer.objects.all().delete()
        with_defaults(hospital)
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


# Who asked what parking costs per minute was given the price of a kWh.
def test_whose_price_per_minute_is_unknown_is_told_so(mini):
    turn = Turn("Wat kost parkeren per minuut?", language="nl")
    answer = take_turn(turn, flags={"cache": False}).context.answer

    assert "u vraagt een bedrag per minuut" in answer
    assert "per dag en per kWh" in answer
