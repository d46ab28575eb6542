"""Every service of compose.yaml has a command that runs, beside a real PostgreSQL and a real Redis.

There is no container runtime here: the commands are run, not the image.
"""

import os
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest
import redis
import yaml
from django.conf import settings

from tests.chat.server import free_port
from zol.celery import app
from zol.devservices.locations import database_url
from zol.devservices.redis import _binary
from zol.runtime.processes import wait_until

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
COMPOSE = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
#: Seconds for whatever has to happen.
LONGEST = 180.0
OURS = {name: each for name, each in COMPOSE["services"].items() if "build" in each}
#: What each says once it does its work.
SAYS = {
    "live": "live@",
    "ingest": "ingest@",
    "evaluation": "evaluation@",
    "scheduler": "beat: Starting",
}


@pytest.fixture
def begin(services, tmp_path):
    """Start the command of a service as compose does; return the process and where its words go."""
    started = []
    with app.connection_for_write() as broker:
        for queue in SAYS:  # A worker that is told to end would first do what other tests left.
            broker.default_channel.queue_purge(queue)

    def start(name, **more):
        command = [part.replace("/var/lib/zol", str(tmp_path)) for part in OURS[name]["command"]]
        log = tmp_path / f"{name}.log"
        environment = os.environ | {
            "DJANGO_SETTINGS_MODULE": "zol.settings",
            "STATE_DIR": str(settings.STATE_DIR),
            "WEB_PROCESSES": "1",
            **more,
        }
        with log.open("wb") as words:
            command = [sys.executable, *command[1:]]
            process = subprocess.Popen(
                command, cwd=ROOT, env=environment, stdout=words, stderr=words
            )
        started.append(process)
        return process, log

    yield start
    for process in started:
        process.terminate()
    for process in started:
        process.wait(timeout=LONGEST)


def test_every_service_has_a_command_waits_for_the_tables_and_every_queue_is_taken():
    assert set(OURS) == {"migrate", "web", *SAYS}
    for name, each in OURS.items():
        assert each["command"][0] == "python"
        assert name == "migrate" or "migrate" in each["depends_on"]
        # Only who makes the tables knows the owner of the database.
        assert ("zol_owner" in each["environment"]["DATABASE_URL"]) == (name == "migrate")
    commands = [each["command"] for each in OURS.values() if "-Q" in each["command"]]
    routed = {route["queue"] for route in settings.CELERY_TASK_ROUTES.values()}
    taken = {command[command.index("-Q") + 1] for command in commands}
    assert {*routed, settings.CELERY_TASK_DEFAULT_QUEUE} <= taken


@pytest.fixture
def guarded_redis(tmp_path):
    """The address of a Redis that was started as compose does."""
    port, compose = free_port(), COMPOSE["services"]["redis"]["command"]
    options = [part.replace("${REDIS_PASSWORD}", "geheim4711") for part in compose[1:]]
    server = subprocess.Popen(
        [_binary(), *options, "--port", str(port), "--dir", str(tmp_path), "--save", ""]
    )
    yield f"127.0.0.1:{port}/0"
    server.terminate()
    server.wait(timeout=LONGEST)


def test_the_web_answers_once_the_tables_are_there_without_the_owners_password(
    begin, guarded_redis
):
    process, made = begin("migrate")
    assert process.wait(timeout=LONGEST) == 0, made.read_text()
    port, place = free_port(), database_url(settings.STATE_DIR).partition("@")[2]
    redis_url = f"redis://:geheim4711@{guarded_redis}"
    _, log = begin("web", PORT=str(port), DATABASE_URL=f"postgresql://{place}", REDIS_URL=redis_url)

    def answers():
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/health/live", timeout=5) as page:
                return page.status == 200
        except OSError:
            return False

    assert wait_until(answers, LONGEST), log.read_text()
    with pytest.raises(redis.AuthenticationError):
        redis.Redis.from_url(f"redis://{guarded_redis}").ping()
    assert redis.Redis.from_url(redis_url).ping()


def test_workers_and_scheduler_come_up(begin):
    logs = {name: begin(name)[1] for name in SAYS}

    for name, log in logs.items():

        def is_up(name=name, log=log):
            words = log.read_text()
            return SAYS[name] in words and ("ready." in words or name == "scheduler")

        assert wait_until(is_up, LONGEST), log.read_text()
