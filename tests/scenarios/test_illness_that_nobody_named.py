"""Somebody described complaints, and the answer quoted the page of an illness that nobody had named.

What is told to who describes complaints is where to go; never what they may have.
"""

from __future__ import annotations

import pytest

from chat.answering.composition import compose
from chat.pipeline import run
from chat.sources.quotation.candidates import describes_complaints, pool_of
from chat.stages.graph_enrichment import graph_enrichment
from chat.turn import Turn
from retrieval.intents import Intent
from retrieval.query import SearchResult
from retrieval.tuning import Steering
from taxonomy.kinds import Kind
from tests.builders import (
    context,
    match,
    meant,
    passage,
    phrases,
    snapshot,
    source,
    thing,
    tools,
    vocabulary,
)

TIRED = "Mijn man is altijd moe en vermagert. Waar beginnen we?"
COMPLAINT = Intent.AMBIGUOUS_SYMPTOM_DESCRIPTION
DIABETES = thing(Kind.CONDITION, "Diabetes", "suikerziekte")
INTERNAL = thing(Kind.DEPARTMENT, "Interne ziekten", phone="089 00 11 22")
WORDS = vocabulary(DIABETES, INTERNAL)
LEXICON = [
    {"concept": "gp", "kind": "person", "nl": "huisarts", "fr": "médecin traitant"},
    {"concept": "where", "kind": "function", "nl": "waar"},
    {"concept": "how_long", "kind": "function", "nl": "hoe lang"},
    {"concept": "must", "kind": "function", "nl": "moet", "it": "devo"},
    {"concept": "who", "kind": "function", "nl": "wie", "it": "chi"},
    {"concept": "when", "kind": "function", "nl": "wanneer"},
    {"concept": "can", "kind": "function", "nl": "kan"},
    {"concept": "i", "kind": "function", "nl": "ik"},
    {"concept": "corns", "kind": "condition", "nl": "eksteroog"},
]
TEXTS = phrases(
    ask_gp="Bespreek uw klachten met uw huisarts.",
    lead_symptom_general="Bespreek uw klachten met uw huisarts. Dit vindt u:",
    lead_uncertain="Dit komt er het dichtst bij:",
    lead_complaint_department="Met zulke klachten kunt u terecht bij {department}.",
    lead_department_contact="Zo bereikt u {department}:",
    phone_label="Telefoon",
    complaint_contact="Weet u niet waar u terecht kunt? Bel {phone}.",
    uncertain_contact="Bel {phone}.",
    no_answer="Hierover vond ik niets. Bel {phone}.",
)
ILLNESS = passage(
    "Moe zijn en vermageren komt voor bij suikerziekte.",
    0.9,
    source=source("Diabetes", category="Condition"),
)
GUIDANCE = passage(
    "Wie moe is en vermagert, begint bij zijn huisarts.",
    0.4,
    source=source("Welke dienst bij welke klacht?", category="Appointment"),
)


def kit(*finds, **fields):
    shot = snapshot(WORDS, taxonomy__lexiconconcept=LEXICON)
    return tools(finds=finds, snapshot=shot, phrases=TEXTS, **fields)


def answered(*passages, question=TIRED, understanding=None):
    heard = understanding or meant(intent=COMPLAINT, language="nl", query=question)
    ctx = context(question, understanding=heard, passages=passages)
    values = kit(*passages)
    return compose(graph_enrichment(ctx, values).context, values).text


def test_a_page_about_an_illness_is_not_quoted_to_who_did_not_name_it():
    answer = answered(ILLNESS, GUIDANCE)

    assert "suikerziekte" not in answer
    assert "begint bij zijn huisarts" in answer


def test_where_only_such_pages_were_found_a_doctor_and_the_telephone_are_told():
    assert answered(ILLNESS) == (
        "Bespreek uw klachten met uw huisarts.\n\n"
        "Weet u niet waar u terecht kunt? Bel 089 00 00 00."
    )


def test_the_department_that_complaints_lead_to_comes_first():
    led = match(INTERNAL, by="department_from_condition")
    heard = type(meant())(matches=(led,), intent=COMPLAINT, language="nl", query=TIRED)

    answer = answered(ILLNESS, understanding=heard)

    assert answer.startswith(
        "Bespreek uw klachten met uw huisarts.\n\n"
        "Met zulke klachten kunt u terecht bij Interne ziekten."
    )
    assert "Telefoon 089 00 11 22" in answer
    assert "suikerziekte" not in answer


def test_a_department_that_somebody_names_is_only_told_how_to_reach():
    heard = meant(INTERNAL, intent=COMPLAINT, language="nl", query=TIRED)

    assert "Zo bereikt u Interne ziekten:" in answered(understanding=heard)


def test_a_page_of_a_department_does_not_name_an_illness_either():
    text = "Wie moe is en vermagert, heeft misschien suikerziekte. Moe en vermagerd? Kom langs."
    welcome = passage(text, source=source("Interne ziekten", category="Department"))

    answer = answered(welcome)

    assert "suikerziekte" not in answer


def test_a_page_of_an_illness_is_known_by_the_taxonomy_too():
    page = source("Suiker", url=DIABETES.url, category="Miscellaneous")

    assert "suikerziekte" not in answered(passage(ILLNESS.text, source=page))


def test_who_names_the_illness_reads_its_page():
    heard = meant(DIABETES, intent=COMPLAINT, language="nl")
    ctx = context("Komt moe zijn door mijn suikerziekte?", understanding=heard, passages=(ILLNESS,))

    assert pool_of(ctx, kit()) == (ILLNESS,)


@pytest.mark.parametrize(
    ("question", "language", "is_described"),
    [
        (TIRED, "nl", True),
        ("Mijn knie doet pijn als ik trap loop", "nl", True),
        ("Ho delle macchie, a chi mi devo rivolgere?", "it", True),
        ("Hoe lang duurt de pijn na de operatie aan mijn knie?", "nl", False),
        ("Moet mijn knie nog behandeld worden?", "nl", False),
        ("Eksteroog, bij wie moet ik zijn?", "nl", False),
    ],
)
def test_who_asks_something_else_than_where_to_go_gets_every_page(question, language, is_described):
    heard = meant(intent=COMPLAINT, language=language)

    assert describes_complaints(context(question, understanding=heard), kit()) is is_described


def test_what_tells_where_to_go_is_searched_for_by_itself():
    asked = []

    def search(query):
        asked.append(query.categories)
        return SearchResult((GUIDANCE,) if query.categories else (ILLNESS,))

    kinds = frozenset({"Condition", "Brochure", "Appointment", "Department"})
    steering = Steering(page_categories={COMPLAINT: kinds})
    heard = meant(intent=COMPLAINT, language="nl", query=TIRED)
    values = kit(search=search, steering=steering, read=lambda turn, snapshot: heard)

    ctx, _ = run(Turn(TIRED), values)

    assert frozenset({"Appointment", "Department"}) in asked
    assert [p.entered_by for p in ctx.passages if p.text == GUIDANCE.text] == ["guidance"]
    assert "begint bij zijn huisarts" in ctx.answer


@pytest.mark.parametrize(
    ("question", "is_described"),
    [
        ("mijn knie doet zeer wanneer ik de trap neem", True),
        ("mijn knie doet zeer, wanneer kan ik langskomen", False),
    ],
)
def test_when_a_complaint_comes_is_told_with_it_and_no_hour_is_asked(question, is_described):
    heard = meant(intent=COMPLAINT, language="nl", query=question)

    assert describes_complaints(context(question, understanding=heard), kit()) is is_described
