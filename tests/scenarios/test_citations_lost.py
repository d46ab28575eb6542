"""For a day an answer's citations were stored as nothing, and nobody noticed."""

import json

import pytest
from django.test import Client

from chat.models import Message
from tests.answering import HOST

QUESTION = "Kan ik met mijn rolstoel binnen in campus Oever?"


@pytest.fixture
def answer(mini):
    visitor = Client(headers={"host": HOST, "accept-language": "nl"})
    asked = json.dumps({"question": QUESTION, "language": "nl"})
    return visitor.post("/api/v1/chat", asked, "application/json").json()


def test_what_was_cited_is_in_the_database(answer):
    kept = Message.objects.get(pk=answer["message"]).citations

    assert kept
    assert [citation["n"] for citation in kept] == list(range(1, len(kept) + 1))
    # Of a page that only bears out what we say ourselves, nothing is quoted.
    assert any(citation["passage"] for citation in kept)
    for citation in kept:
        assert citation["updated_on"]
        assert citation["url"].startswith("https://www.azm-mini.example/")
        assert f"[{citation['n']}]" in answer["text"]


def test_what_was_cited_is_shown(answer, mini):
    visitor = Client(headers={"host": HOST, "accept-language": "nl"})
    page = visitor.get("/zoek", {"q": QUESTION}).text

    for citation in answer["citations"]:
        assert f'href="#bron-{citation["n"]}"' in page
        assert f'id="bron-{citation["n"]}"' in page
        assert citation["url"] in page
        if citation["viewer"]:
            viewer = visitor.get(citation["viewer"]).text
            assert ('id="passage"' in viewer) is bool(citation["passage"])
            assert citation["updated"] in page
