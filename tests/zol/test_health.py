"""Readiness without any published hospital; the rest is tested with one, in `tests/chat/channels/test_views.py`."""

from __future__ import annotations

import pytest
from django.urls import reverse

from tests import factories
from zol import __version__

pytestmark = pytest.mark.django_db


def test_nothing_published_is_not_ready(client):
    factories.hospital(slug="nieuw", name="Ziekenhuis Nieuw", phone="089 11 11 11")
    client.defaults["HTTP_HOST"] = "nieuw.localhost"

    reply = client.get(reverse("health-ready"))

    assert reply.status_code == 503
    assert not reply.json()["checks"]["published"]["ok"]
    assert reply.json()["version"] == __version__


@pytest.mark.parametrize(
    "asker",
    [
        pytest.param({"REMOTE_ADDR": "192.0.2.7"}, id="from the internet"),
        pytest.param(
            {"REMOTE_ADDR": "127.0.0.1", "HTTP_X_FORWARDED_FOR": "192.0.2.7"},
            id="through a proxy that nobody declared",
        ),
    ],
)
def test_a_stranger_learns_only_whether_it_is_ready(client, asker):
    reply = client.get(reverse("health-ready"), **asker)

    assert reply.json() == {"ready": False}
