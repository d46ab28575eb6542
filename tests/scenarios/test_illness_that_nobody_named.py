"""Somebody described complaints, and the answer quoted the page of an illness that nobody had named.

What is told to who describes complaints is where to go; never what they may have.
"""

from chat.pipeline import run
from chat.turn import Turn
from retrieval.intents import Intent
from taxonomy.vocabulary import Kind
from tests.builders import (
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
LEXICON = [{"concept": "gp", "kind": "person", "nl": "huisarts", "fr": "médecin traitant"}]
TEXTS = phrases(
    ask_gp="Bespreek uw klachten met uw huisarts.",
    lead_complaint_department="Met zulke klachten kunt u terecht bij {department}.",
    lead_department_contact="Zo bereikt u {department}:",
    phone_label="Telefoon",
    uncertain_contact="Zoekt u iets anders, bel {desk}.",
    not_on_pages="Dat vond ik niet. Bel {desk} op {desk_phone}.",
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


def answered(*passages, question=TIRED, understanding=None):
    heard = understanding or meant(intent=COMPLAINT, language="nl", query=question)
    kit = tools(
        finds=passages,
        snapshot=snapshot(WORDS, taxonomy__lexiconconcept=LEXICON),
        phrases=TEXTS,
        read=lambda turn, snapshot: heard,
        likeness=lambda question, texts: [0.9] * len(texts),
    )
    return run(Turn(question), kit)[0].answer


def test_a_page_about_an_illness_is_not_quoted_to_who_did_not_name_it():
    answer = answered(ILLNESS, GUIDANCE)

    assert "suikerziekte" not in answer
    assert "begint bij zijn huisarts" in answer


def test_where_only_such_pages_were_found_a_doctor_and_the_telephone_are_told():
    answer = answered(ILLNESS)

    assert answer.startswith("Bespreek uw klachten met uw huisarts.\n\nDat vond ik niet.")


def test_the_department_that_complaints_lead_to_comes_first():
    led = match(INTERNAL, by="department_from_condition")
    heard = type(meant())(matches=(led,), intent=COMPLAINT, language="nl", query=TIRED)

    answer = answered(ILLNESS, understanding=heard)

    assert "Met zulke klachten kunt u terecht bij Interne ziekten." in answer
    assert "Telefoon 089 00 11 22" in answer
    assert "suikerziekte" not in answer
