"""The turn as one HTTP request: whatever is sent, a refusal has a code and words."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from time import monotonic, sleep

import pytest
from django.db import connections, transaction

from retrieval.models import CategoryMismatch
from tests.answering import HOST


@pytest.mark.parametrize(
    ("body", "code"),
    [
        pytest.param("[" * 100_000, "bad_message", id="nested without end"),
        pytest.param("{", "bad_message", id="half of an object"),
        pytest.param("[]", "bad_message", id="a list"),
        pytest.param('{"question": "\\u0000"}', "bad_message", id="a zero byte"),
        pytest.param('{"question": {"a": 1}}', "bad_message", id="an object"),
        *(
            pytest.param(body, "bad_message", id=f"half of a character in {name}")
            for name, body in {
                "question": '{"question": "\\ud800"}',
                "mode": '{"question": "x", "mode": "\\ud800"}',
                "categories": '{"question": "x", "categories": ["\\udfff"]}',
                "a name": '{"question": "x", "\\ud800": 1}',
            }.items()
        ),
        pytest.param('{"question": "\\u0001 "}', "empty", id="nothing that can be read"),
        pytest.param(
            '{"question": "x", "conversation": "x", "secret": "é"}',
            "unknown_conversation",
            id="a secret with an accent",
        ),
    ],
)
def test_what_is_no_question_is_refused_with_a_code_and_words(mini, client, body, code):
    reply = client.post(
        "/api/v1/chat", body, content_type="application/json", headers={"host": HOST}
    )

    assert 400 <= reply.status_code < 500
    assert reply.json()["code"] == code
    assert reply.json()["message"]


def test_another_form_than_json_is_refused_with_a_code_and_words(mini, client):
    reply = client.post(
        "/api/v1/chat", "question=x", content_type="text/plain", headers={"host": HOST}
    )

    assert (reply.status_code, reply.json()["code"]) == (415, "bad_message")


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
