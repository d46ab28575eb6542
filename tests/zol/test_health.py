"""Readiness without a published hospital; `tests/chat/channels/test_views.py` has the rest."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest
import urllib3
from django.urls import reverse

from tests import factories
from tests.chat.server import LONGEST
from zol import __version__, health
from zol.health import Watcher
from zol.runtime import processes


@pytest.fixture
def nobody_looked(monkeypatch):
    monkeypatch.setattr(health, "watcher", Watcher())


pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("nobody_looked")]


def test_nothing_published_is_not_ready(client):
    factories.hospital(slug="nieuw", name="Ziekenhuis Nieuw", phone="089 11 11 11")
    client.defaults["HTTP_HOST"] = "nieuw.localhost"

    reply = client.get(reverse("health-ready"))

    assert reply.status_code == 503
    assert not reply.json()["checks"]["published"]["ok"]
    assert reply.json()["version"] == __version__


def test_without_collected_static_files_it_is_not_ready(client, settings, tmp_path):
    settings.STATIC_ROOT = tmp_path
    settings.STORAGES = settings.STORAGES | {
        "staticfiles": {"BACKEND": "zol.staticfiles.HashedFiles"}
    }

    reply = client.get(reverse("health-ready"))

    assert reply.status_code == 503
    assert "collectstatic" in reply.json()["checks"]["static files"]["detail"]


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

    assert reply.json() == {"ready": False, "degraded": False}


def test_while_another_probe_looks_the_last_look_is_told(client, monkeypatch):
    during = []

    def slow():
        during.append(client.get(reverse("health-ready")).json())
        return health.HealthCheck("redis", ok=True)

    monkeypatch.setattr(health, "broker", slow)

    client.get(reverse("health-ready"))

    assert during[0]["checks"] == {"watcher": {"ok": False, "detail": "not checked yet"}}


def test_an_old_look_is_not_believed(client, monkeypatch):
    client.get(reverse("health-ready"))
    health.watcher._is_running = True
    monkeypatch.setattr(health, "STALE", 0.0)

    reply = client.get(reverse("health-ready"))

    assert reply.status_code == 503
    assert "no results for" in reply.json()["checks"]["watcher"]["detail"]


@pytest.mark.slow
def test_however_many_probes_come_each_is_answered_at_once(server):
    address = f"http://127.0.0.1:{server.port}/health/ready"
    pool = urllib3.PoolManager(maxsize=25, block=False, retries=False, timeout=30)

    def probe(_):
        started = time.monotonic()
        reply = pool.request("GET", address)
        return reply.status, time.monotonic() - started

    def is_looked():
        return "redis" in pool.request("GET", address).json().get("checks", {})

    assert processes.wait_until(is_looked, LONGEST)
    with ThreadPoolExecutor(max_workers=25) as probes:
        told = [answer for _ in range(4) for answer in probes.map(probe, range(25))]

    assert len({status for status, _ in told}) == 1
    # One processor answers 25 at a time: the last waits for the others, and for nothing else.
    assert sorted(seconds for _, seconds in told)[len(told) // 2] < 1
