"""Staff withdraw a page, or give it other content: within five seconds nothing tells the old one."""

import json
import time

import pytest

from chat import services as chat
from chat.channels import sessions
from chat.services import TurnRequest, take_turn
from chat.turn import Turn
from retrieval import services
from retrieval.ingestion.process import keep_original
from retrieval.models import Document
from tests.answering import ingest
from tests.builders import SEARCHING
from tests.chat.model.conftest import QUESTION, hospital_with_doses, said, stack, written
from tests.chat.sources.curated import EXAMPLES, curated
from tests.taxonomy.releases import publish_draft

__all__ = ["hospital_with_doses", "stack"]
pytestmark = pytest.mark.django_db

URL = "https://www.azm-mini.example/zorg/pijnstilling"
OLD = "Na een ingreep krijgt uw kind pijnstilling mee."
NEW = "<main><h1>Pijnstilling na een ingreep</h1><p>Wij bellen u over de pijnstilling.</p></main>"
SECONDS = 5
OFFERED = "Wat kost de siroop in de apotheek?"


def withdraw(hospital):
    services.withdraw(hospital, list(Document.objects.filter(url=URL)))


def replace(hospital):
    page = Document.objects.get(url=URL)
    page.original = keep_original(hospital.pk, NEW.encode(), "text/html")
    page.save()
    ingest(hospital, url=URL)


@pytest.fixture(params=[withdraw, replace], ids=["withdrawn", "replaced"])
def take_away(request, hospital_with_doses):
    return lambda: request.param(hospital_with_doses)


def in_time(is_gone):
    """Say whether something is gone within the time that is promised."""
    until = time.monotonic() + SECONDS
    while not (done := is_gone()) and time.monotonic() < until:
        time.sleep(0.1)
    return done


def test_search_finds_it_no_more(stack, take_away):
    def is_found():
        found = take_turn(Turn(QUESTION), flags={"cache": False}, stages=SEARCHING).context.passages
        return any(OLD in each.text for each in found)

    assert is_found()
    take_away()

    assert in_time(lambda: not is_found())


def test_no_remembered_answer_tells_it(stack, take_away, hospital_with_doses):
    stack.play(said(OLD, OLD))

    def tells():
        return (
            OLD
            in chat.answer(sessions.start(hospital_with_doses, "nl"), TurnRequest(QUESTION)).answer
        )

    assert tells()
    asked = len(stack.asked())
    assert tells()
    assert len(stack.asked()) == asked
    take_away()

    assert in_time(lambda: not tells())


def test_no_curated_answer_gives_it_as_its_source(stack, hospital_with_doses):
    curated(hospital_with_doses, sources=[URL])
    publish_draft(hospital_with_doses)

    def sources():
        context = take_turn(Turn(EXAMPLES["nl"][1])).context
        return [each.url for each in context.citations]

    assert sources() == [URL]
    withdraw(hospital_with_doses)

    assert in_time(lambda: URL not in sources())


def test_no_question_that_it_answers_is_suggested(stack, take_away, hospital_with_doses):
    def suggest(request):
        price = json.loads(written(request, said("", "De siroop kost")))["statements"][0]["lines"]
        return json.dumps({"suggestions": [{"lines": price, "question": OFFERED}]})

    stack.play(said(OLD, OLD), suggest=suggest)

    def suggested():
        message = chat.answer(sessions.start(hospital_with_doses, "nl"), TurnRequest(QUESTION))
        message.refresh_from_db()
        return message.follow_ups

    assert suggested() == [OFFERED]
    take_away()

    assert in_time(lambda: OFFERED not in suggested())
