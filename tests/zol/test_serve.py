"""`serve` waits for the database, and says so."""

import threading

import pytest
from django.db import connections

from zol.management.commands import serve


@pytest.fixture
def database(mini, request):
    """Have PostgreSQL be away, or full of connections; yield how it is as it was."""
    default = connections.settings["default"]
    real = default["HOST"], default["PORT"]
    connections["default"].close()

    def allow(count):
        with connections["owner"].cursor() as cursor:
            cursor.execute(f"ALTER ROLE {default['USER']} CONNECTION LIMIT {count}")

    def come_back():
        default.update(HOST=real[0], PORT=real[1])
        allow(-1)

    if request.param == "full":
        allow(0)
    else:
        default.update(HOST="127.0.0.1", PORT="1")
    yield come_back
    come_back()


@pytest.mark.parametrize(
    ("database", "reason"),
    [("absent", "127.0.0.1"), ("full", "too many connections")],
    indirect=["database"],
)
def test_it_waits_for_the_database_and_says_so_once(database, reason, monkeypatch):
    monkeypatch.setattr(serve, "BETWEEN_ATTEMPTS", 0.05)
    said, waits = [], threading.Event()

    def say(text):
        said.append(text)
        waits.set()

    waiting = threading.Thread(target=serve.wait_for_database, args=[say])
    waiting.start()
    try:
        assert waits.wait(30)
        waiting.join(0.3)
        assert waiting.is_alive()
    finally:
        database()
    waiting.join(30)

    told, answers = said
    assert told.startswith("Waiting for the database: ")
    assert reason in told
    assert answers == "The database answers."
