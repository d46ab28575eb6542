"""The embedded Redis keeps its queues, whether it is stopped or killed."""

import time
from contextlib import closing

import pytest
from redis import Redis

from zol.devservices import locations, redis, services
from zol.runtime import processes


@pytest.fixture
def held(state_dir):
    services.start(state_dir, ["redis"])
    yield
    services.stop(state_dir)


def client(state_dir):
    return closing(Redis.from_url(locations.redis_url(state_dir)))


@pytest.mark.parametrize("killed", [False, pytest.param(True, marks=pytest.mark.soak)])
def test_a_key_survives_a_stop_at_once_and_a_kill_after_a_second(state_dir, held, killed):
    with client(state_dir) as connection:
        connection.set("wachtrij", "inname")
    if killed:
        time.sleep(1.5)  # the promise is one second
        redis.find(state_dir).kill()
        assert processes.wait_until(lambda: redis.find(state_dir) is None, 5)
    else:
        services.stop(state_dir)

    services.restore(state_dir, ["redis"])

    with client(state_dir) as connection:
        assert connection.get("wachtrij") == b"inname"


def test_only_its_owner_may_open_the_socket(state_dir, held):
    assert locations.redis_socket(state_dir).stat().st_mode & 0o077 == 0
    assert locations.socket_directory(state_dir).stat().st_mode & 0o077 == 0
