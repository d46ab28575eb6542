"""The first command starts the services, and they stay until somebody stops them."""

import os

import psutil
import pytest

from zol.devservices import postgres, redis, services
from zol.errors import EmbeddedError
from zol.runtime import processes


def running(state_dir):
    """The numbers of the servers of a state directory."""
    servers = (postgres.find(state_dir), redis.find(state_dir))
    return tuple(server.pid for server in servers if server)


def test_processes_that_start_at_once_share_their_servers(state_dir, user):
    users = [user() for _ in range(3)]

    assert all(each.is_ready() for each in users)
    assert len(running(state_dir)) == 2
    data = str(state_dir / "postgres")
    assert len([p for p in processes.bearing("/") if f"-D {data}" in " ".join(p.cmdline())]) == 1


def test_nothing_of_ours_runs_once_they_are_stopped(state_dir, manage):
    services.start(state_dir)

    stopped = manage(state_dir, "stop_services")
    # Processes of others come and go while they are listed: those have no command line any more.
    commands = [each.info["cmdline"] or () for each in psutil.process_iter(["cmdline"])]

    assert stopped.stdout == "Stopped: postgres, redis.\n"
    assert not [command for command in commands if str(state_dir) in " ".join(command)]


def test_a_service_that_died_is_restored(state_dir):
    names = ["postgres", "redis"]
    services.start(state_dir)
    redis.find(state_dir).kill()
    assert processes.wait_until(lambda: redis.find(state_dir) is None, 5)

    assert services.restore(state_dir, names) == ["redis"]
    assert len(running(state_dir)) == 2
    assert services.restore(state_dir, names) == []


def test_there_is_one_demonstration_per_state_directory(tmp_path, monkeypatch):
    # The tests are no `manage.py demo`.
    monkeypatch.setattr(services, "SIGN", "python")
    with (
        services.demonstration(tmp_path),
        pytest.raises(EmbeddedError, match="already runs"),
        services.demonstration(tmp_path),
    ):
        pass

    assert services.find_demonstration(tmp_path) is None


def test_a_stranger_with_an_old_number_is_not_the_demonstration(tmp_path):
    (tmp_path / "demo.pid").write_text(f"{os.getpid()}\n")

    assert services.find_demonstration(tmp_path) is None
