"""A model says what every message is; names, days and what nobody said stay with code."""

import json

import pytest

from chat import services
from chat.behaviours import Behaviour
from chat.channels import sessions
from chat.models import CachedAnswer
from chat.safety.emergencies.alarm import Strength
from chat.services import TurnRequest
from chat.turn import Exchange, Token
from retrieval.intents import Intent
from tests.chat.model.conftest import said
from tests.scripted import Line

ODD = "dat spul achter mijn oog is zo troebel, kunnen jullie daar iets mee?"
CATARACT = "Wat is cataract?"


def meaning(**fields):
    """What a model says of a question about cataract."""
    values = {
        "urgency": "none", "kind": "question", "intent": "condition_information",
        "confidence": 0.9, "advice": "none", "language": "nl", "follows": False,
        "rewritten": "Wat is cataract, een troebele lens in het oog?", "parts": [], "entities": [],
        "moment": None,
    }  # fmt: skip
    return values | fields


@pytest.fixture
def classified(stack):
    """A stack whose model says this of a message; the one that answers says a good sentence."""
    stack.play(
        said("Cataract is een vertroebeling van de ooglens.", "vertroebeling van de ooglens")
    )

    def ask(question, reply=None, *, raw=None, **fields):
        line = raw or Line(json.dumps(reply or meaning()))
        stack.endpoint.beside["tiny-standard"] = lambda request: line
        return stack.ask(question, **fields)

    stack.classified = ask
    return stack


def names(ctx):
    return [match.thing.name for match in ctx.understanding.matches]


def test_every_message_is_classified_also_what_code_is_sure_of_and_in_a_conversation(classified):
    classified.classified(CATARACT)
    classified.classified("en wat kost dat?", history=(Exchange(CATARACT, "Een troebele lens."),))

    assert len(classified.endpoint.asked_beside) == 2


def test_the_models_reading_is_taken_and_its_words_are_resolved_by_code(classified):
    ctx = classified.classified(ODD)

    assert ctx.understanding.intent is Intent.CONDITION_INFORMATION
    assert names(ctx)[:1] == ["Cataract"]
    assert classified.trace["intent_classification"].detail["understand"]["model"]["rewritten"]


def test_what_is_named_is_resolved_and_what_nobody_said_is_dropped(classified):
    invented = [{"kind": "condition", "said": "staar"}, {"kind": "condition", "said": "diabetes"}]

    ctx = classified.classified("mijn moeder heeft staar", meaning(entities=invented, rewritten=""))

    said = ctx.understanding.classification
    assert [each.said for each in said.entities] == ["staar"]
    assert names(ctx)[:1] == ["Cataract"]


def test_both_queries_are_searched_and_fused(classified):
    """Neither the visitor's words alone nor the model's find both pages first."""
    ctx = classified.classified(
        "Waar kan ik parkeren?", meaning(rewritten="Waar kan ik parkeren? Wat is cataract?")
    )

    titles = [passage.source.title for passage in ctx.passages[:6]]
    assert ctx.found.own.passages
    assert any("parking" in title for title in titles)
    assert any("ataract" in title for title in titles)


def test_a_rewritten_question_about_something_else_is_dropped(classified):
    ctx = classified.classified("Waar kan ik parkeren?")

    assert ctx.understanding.classification.rewritten == ""
    assert "Cataract" not in names(ctx)


@pytest.mark.parametrize(
    "asked", ["Göz merceğim bulanık, katarakt nedir?", "Τι είναι ο καταρράκτης;"]
)
def test_one_that_means_the_same_in_another_language_stays(classified, asked):
    ctx = classified.classified(asked, meaning(language="tr"))

    assert ctx.understanding.classification.rewritten


def test_texts_are_cleaned_and_cut(classified):
    long = "Wat is cataract\u0000\u202e? " + "lens " * 100

    ctx = classified.classified(CATARACT, meaning(rewritten=long, confidence=7))
    nothing = classified.classified(CATARACT, meaning(confidence=float("nan")))

    said = ctx.understanding.classification
    assert nothing.understanding.confidence == 0.0
    assert said.rewritten.startswith("Wat is cataract")
    assert said.rewritten.isprintable()
    assert len(said.rewritten) <= 300
    assert said.confidence == 1.0


def test_the_rules_are_the_same_for_all_turns_and_what_changes_comes_last(classified):
    answer = "> Uit een pagina\nHet is een troebele lens [1]."
    history = [Exchange(f"Vraag {number}?", answer) for number in range(7)]

    classified.classified(CATARACT)
    classified.classified("what does it cost?", history=tuple(history), language="en")

    first, second = (request["messages"] for request in classified.endpoint.asked_beside)
    assert first[0] == second[0]
    told = second[1]["content"]
    assert "Vraag 1?" not in told
    assert told.count("Visitor: Vraag") == 5
    assert told.count("Assistant: Uit een pagina Het is een troebele lens.") == 3
    assert "[1]" not in told
    assert told.endswith("Message: what does it cost?")


@pytest.mark.parametrize(
    ("asked", "advice"),
    [
        ("Mag ik eten voor een MRI?", "rule"),
        ("Moet ik mijn bloedverdunners gewoon doornemen?", "rule"),
        ("Welke dosis paracetamol moet ik mijn kind geven?", "none"),
    ],
)
def test_a_published_rule_is_no_advice_whatever_code_takes_it_for(classified, asked, advice):
    ctx = classified.classified(asked, meaning(advice=advice, rewritten=asked))

    assert ctx.behaviour is Behaviour.ANSWER


def test_what_code_takes_for_advice_and_a_model_does_not_is_risky(classified):
    asked = "Welke dosis paracetamol moet ik mijn kind geven?"

    assert classified.classified(asked, meaning(advice="rule", rewritten=asked)).safety.is_risky
    assert not classified.classified(CATARACT).safety.is_risky


@pytest.mark.parametrize(
    ("confidence", "behaviour"), [(0.70, Behaviour.REFUSE_MEDICAL), (0.69, Behaviour.ANSWER)]
)
def test_personal_advice_is_refused_from_the_limit_on_whatever_the_intent(
    classified, confidence, behaviour
):
    said = meaning(advice="personal", confidence=confidence)

    assert classified.classified(CATARACT, said).behaviour is behaviour


def test_what_seems_none_of_ours_is_refused_only_where_nothing_is_found(classified):
    off = {"intent": "off_topic", "confidence": 0.99}
    song = "Wie won het laatste songfestival?"

    found = classified.classified(CATARACT, meaning(**off, rewritten=CATARACT))
    unfound = classified.classified(song, meaning(**off, rewritten=song))

    assert found.behaviour is Behaviour.ANSWER
    assert unfound.behaviour is Behaviour.REFUSE_OFFTOPIC


def test_what_is_no_question_gets_its_text(classified):
    ctx = classified.classified("dank je wel hoor, fantastisch", meaning(kind="thanks"))

    assert ctx.understanding.greeting == "thanks"
    assert ctx.answer
    assert not classified.endpoint.requests


def test_a_days_words_that_code_has_read_are_codes_and_others_are_both(classified):
    def days(asked, said):
        moment = {"from": "2026-12-24T00:00", "to": "2026-12-25T00:00", "said": said}
        ctx = classified.classified(asked, meaning(moment=moment, rewritten=asked))
        return [each.from_ for each in ctx.understanding.moments]

    assert days("Is cataract op 26 december mogelijk?", "26 december") == ["2026-12-26T00:00"]
    both = days("Kan ik op 26 december of zowat komen?", "26 december of zowat")
    assert both == ["2026-12-26T00:00", "2026-12-24T00:00"]
    assert days("Wat is cataract?", "morgen") == []


def test_a_model_alone_adds_a_notice_and_stops_nothing(classified):
    quiet = classified.classified(CATARACT)
    urgent = classified.classified(CATARACT, meaning(urgency="crisis"))

    assert not quiet.warning
    assert urgent.warning
    assert urgent.answer.startswith(urgent.warning)
    assert classified.seen == urgent.answer
    assert urgent.behaviour is Behaviour.ANSWER


#: What the network alone takes for danger, and what follows it: a line, no more.
FELL = "mijn man is van het dak gestuikt en ligt te kreunen op het terras"
WATER = "mag ik hem intussen water geven?"


@pytest.mark.parametrize(
    ("reply", "is_shown"),
    [
        (Line(json.dumps(meaning(urgency="none", rewritten=WATER))), False),
        (Line(json.dumps(meaning(urgency="soon", rewritten=WATER))), True),
        (Line("no json"), True),
    ],
    ids=["not urgent", "urgent", "failed"],
)
def test_a_line_of_the_network_waits_for_the_models_word(classified, reply, is_shown):
    ctx = classified.classified(WATER, raw=reply, history=(Exchange(FELL, "Bel 112."),))

    assert bool(ctx.warning) is is_shown
    assert bool(ctx.alarm) is is_shown
    assert ctx.answer.startswith(ctx.warning)
    assert classified.seen == ctx.answer


def test_a_line_of_the_network_becomes_the_full_text_where_the_model_sees_a_danger_too(classified):
    reply = Line(json.dumps(meaning(urgency="emergency", rewritten=WATER)))
    ctx = classified.classified(WATER, raw=reply, history=(Exchange(FELL, "Bel 112."),))

    assert ctx.alarm.strength is Strength.TEXT
    assert ctx.answer.startswith(ctx.warning)
    assert classified.seen.startswith(ctx.warning)


def test_a_text_of_the_network_stands_before_any_model_is_asked(classified):
    ctx = classified.classified(FELL, meaning(urgency="none", rewritten=FELL))

    first = next(event for event in classified.events if isinstance(event, Token))
    assert first.text == ctx.warning
    assert ctx.answer.startswith(ctx.warning)


@pytest.mark.parametrize(
    "reply",
    [
        Line(status=500),
        Line("no json"),
        Line(json.dumps(meaning(intent="nonsense"))),
        Line(json.dumps({k: v for k, v in meaning().items() if k != "advice"})),
        Line(raw="{}"),
    ],
    ids=["down", "prose", "unknown intent", "missing field", "malformed"],
)
def test_when_the_model_fails_code_understands_the_model_still_answers_and_the_trace_tells(
    classified, reply
):
    ctx = classified.classified(CATARACT, raw=reply)

    assert names(ctx)[:1] == ["Cataract"]
    assert classified.trace["intent_classification"].detail["understand"]["model_failure"]
    assert not ctx.understanding.by_model
    assert ctx.reply.engine == "model"


def test_what_a_model_understood_in_a_conversation_is_no_answer_for_others(
    classified, hospital_with_doses
):
    """It has read what was said before, though code writes the answer."""
    asked = "Welke artsen behandelen cataract?"
    meant = meaning(intent="doctor_lookup", rewritten=asked)
    classified.endpoint.beside["tiny-standard"] = lambda request: Line(json.dumps(meant))
    conversation = sessions.start(hospital_with_doses, "nl")
    services.answer(conversation, TurnRequest(asked))
    kept = CachedAnswer.objects.count()

    later = services.answer(conversation, TurnRequest("en wie doet dat spul achter mijn oog?"))

    assert later.behaviour is Behaviour.ANSWER
    assert (kept, CachedAnswer.objects.count()) == (1, 1)


def test_what_stops_a_turn_asks_no_model(classified):
    classified.classified("Ik heb pijn op de borst en krijg geen lucht")

    assert classified.endpoint.asked_beside == classified.endpoint.requests == []
