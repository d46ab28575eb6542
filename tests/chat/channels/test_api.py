"""The turn as one HTTP request: whatever is sent, a refusal has a code and words."""

import json
from concurrent.futures import ThreadPoolExecutor
from time import monotonic, sleep

import pytest
from django.db import connections, transaction

from chat.models import Message
from retrieval.models import CategoryMismatch
from tests.answering import HOST
from tests.chat.asgi import called

QUESTION = "Wat zijn de bezoekuren?"


@pytest.mark.parametrize(
    ("body", "code"),
    [
        pytest.param("[" * 100_000, "bad_message", id="nested without end"),
        pytest.param("{", "bad_message", id="half of an object"),
        pytest.param("[]", "bad_message", id="a list"),
        pytest.param('{"question": "\\u0000"}', "bad_message", id="a zero byte"),
        pytest.param('{"question": {"a": 1}}', "bad_message", id="an object"),
        pytest.param('{"question": "\\ud800"}', "bad_message", id="half of a character"),
        pytest.param('{"question": "x", "\\ud800": 1}', "bad_message", id="half of one in a name"),
        pytest.param('{"question": "  "}', "empty", id="an empty question"),
        pytest.param(f'{{"question": "{"x" * 1001}"}}', "too_long", id="an endless question"),
        pytest.param("{}", "bad_message", id="no question"),
        pytest.param('{"question": "x", "mode": "quick"}', "bad_message", id="an unknown mode"),
        pytest.param('{"question": "\\u0001 "}', "empty", id="nothing that can be read"),
        pytest.param(
            '{"question": "x", "conversation": "x", "secret": "é"}',
            "unknown_conversation",
            id="a secret with an accent",
        ),
    ],
)
def test_what_is_no_question_is_refused_with_a_code_and_words(mini, client, body, code):
    before = Message.objects.count()

    reply = client.post(
        "/api/v1/chat", body, content_type="application/json", headers={"host": HOST}
    )

    assert 400 <= reply.status_code < 500
    assert reply.json()["code"] == code
    assert len(reply.json()["message"]) > 10
    assert Message.objects.count() == before


def test_another_form_than_json_is_refused_with_a_code_and_words(mini, client):
    reply = client.post(
        "/api/v1/chat", "question=x", content_type="text/plain", headers={"host": HOST}
    )

    assert (reply.status_code, reply.json()["code"]) == (415, "bad_message")


async def test_the_events_of_a_socket_come_as_a_stream_and_a_refusal_is_its_only_one(application):
    status, frames = await streamed(question=QUESTION, language="nl", categories=["Practical"])
    names = {name: frames[0][name] for name in ("conversation", "secret")}
    _, (accepted, *_) = await streamed(question=QUESTION, **names)
    refused, only = await streamed(question=QUESTION, categories=["Nonsense"])

    kinds = [frame["type"] for frame in frames]
    assert (status, kinds[0], kinds[-1]) == (200, "accepted", "answer")
    assert "progress" in kinds
    assert "".join(f["text"] for f in frames if f["type"] == "token") == frames[-1]["text"]
    assert accepted["conversation"] == frames[0]["conversation"]
    assert (refused, [(f["type"], f["code"]) for f in only]) == (400, [("error", "bad_message")])


async def streamed(**asked):
    """Return the status of a stream and its events."""
    headers = [(b"content-type", b"application/json"), (b"accept", b"text/event-stream")]
    reply = await called("POST", "/api/v1/chat", json.dumps(asked).encode(), headers)
    lines = [event.split("\n") for event in reply["body"].decode().strip().split("\n\n")]
    assert all(name == f"event: {json.loads(data[6:])['type']}" for name, data in lines)
    return reply["status"], [json.loads(data[6:]) for _, data in lines]


def test_the_answer_does_not_wait_for_what_is_left_to_do_after_it(mini, client):
    """Nothing can be measured while the table is locked; the reply comes none the less."""
    before = CategoryMismatch.objects.count()
    with ThreadPoolExecutor() as pool:
        with transaction.atomic(using="owner"), connections["owner"].cursor() as cursor:
            cursor.execute("LOCK TABLE retrieval_categorymismatch IN SHARE MODE")
            reply = pool.submit(ask, client).result(timeout=60)

        assert reply["text"]
        assert CategoryMismatch.objects.count() == before
    assert comes_true(lambda: CategoryMismatch.objects.count() == before + 1)


def ask(client):
    try:
        return client.post(
            "/api/v1/chat",
            {"question": "Wat kost parkeren in campus Oever?"},
            content_type="application/json",
            headers={"host": HOST},
        ).json()
    finally:
        connections.close_all()


def comes_true(claim):
    deadline = monotonic() + 30
    while not claim() and monotonic() < deadline:
        sleep(0.05)
    return claim()
