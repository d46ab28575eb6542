"""PostgreSQL is away: whoever asks is told so in words, with a 503, and is answered once it is back."""

from __future__ import annotations

import pytest
from django.db import connections

from chat.answer_cache.store import forget_answers
from tests.answering import HOST
from zol.hosts import forget_hosts

BODY = {"question": "Welke oogartsen werken hier?"}
PAGES = ["/", "/zoek?q=oogarts", "/admin/login/", "/api/v1/chat"]


@pytest.fixture
def away(mini):
    """Point the application at a port where no database listens; return how to bring it back."""
    connection = connections["default"]
    real = dict(connection.settings_dict)

    def leave():
        connection.close()
        connection.settings_dict.update(HOST="127.0.0.1", PORT="1")

    def come_back():
        connection.close()
        connection.settings_dict.update(HOST=real["HOST"], PORT=real["PORT"])
        forget_hosts()

    leave.come_back = come_back
    yield leave
    come_back()


def ask(client, path, **headers):
    headers = {"host": HOST, "accept-language": "fr", **headers}
    if path.startswith("/api/"):
        return client.post(path, BODY, content_type="application/json", headers=headers)
    return client.get(path, headers=headers)


@pytest.mark.parametrize("path", PAGES)
def test_every_address_says_in_the_visitor_s_language_that_the_database_is_away(client, away, path):
    forget_hosts()
    away()

    reply = ask(client, path)

    assert reply.status_code == 503
    assert reply.headers["Retry-After"]
    told = reply.json()["message"] if path.startswith("/api/") else reply.content.decode()
    assert "momentanément indisponible" in told


def test_a_database_that_left_after_the_hospital_was_known_is_told_as_well(client, away):
    ask(client, "/api/v1/chat")
    away()

    assert ask(client, "/api/v1/chat").status_code == 503


def test_a_page_answers_from_what_it_has_in_memory_or_says_what_is_wrong(client, away):
    ask(client, "/zoek?q=oogarts")
    away()

    assert ask(client, "/zoek?q=oogarts").status_code in (200, 503)


def test_a_connection_that_broke_unnoticed_is_no_bug(client, away):
    """As after a restart of PostgreSQL: the process still holds what it takes for a connection."""
    forget_answers()
    connections["default"].ensure_connection()
    connections["default"].connection.close()

    assert ask(client, "/api/v1/chat").status_code in (200, 503)


def test_readiness_says_which_check_fails_and_recovers(client, away):
    away()
    reply = client.get("/health/ready")
    assert reply.status_code == 503
    assert reply.json()["checks"]["database"] == {"ok": False, "detail": "does not answer"}

    away.come_back()

    assert client.get("/health/ready").status_code == 200
    assert ask(client, "/api/v1/chat").json()["text"]
