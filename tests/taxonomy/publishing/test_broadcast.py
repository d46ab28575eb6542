"""Whoever listens for publications goes on without Redis, and says so once."""

import logging
from itertools import count
from threading import Event

from taxonomy.publishing import versions


def test_that_nothing_is_heard_is_logged_once_and_not_at_every_attempt(
    settings, monkeypatch, caplog, tmp_path
):
    settings.REDIS_URL = f"unix://{tmp_path}/nobody.sock"
    monkeypatch.setattr(versions, "PAUSE", 0.01)
    attempts, tried_often = count(1), Event()
    monkeypatch.setattr(versions, "look", lambda: next(attempts) >= 5 and tried_often.set())
    listener = versions.ReleaseListener()

    with caplog.at_level(logging.WARNING, logger=versions.__name__):
        listener.start()
        assert tried_often.wait(30)
        listener.end()

    assert ["cannot be heard" in line for line in caplog.messages] == [True]
