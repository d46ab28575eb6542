"""Services start with their first user and stop with their last, however they come and go."""

from __future__ import annotations

import psycopg
import pytest

from zol.embedded import lease, locations, postgres, processes, redis


def running(state_dir):
    """The numbers of the servers of a state directory."""
    servers = (postgres.find(state_dir), redis.find(state_dir))
    return tuple(server.pid for server in servers if server)


def remember(state_dir, word):
    with psycopg.connect(locations.database_url(state_dir)) as database:
        database.execute("CREATE TABLE remembered (word text)")
        database.execute("INSERT INTO remembered VALUES (%s)", [word])


def remembered(state_dir):
    with psycopg.connect(locations.database_url(state_dir)) as database:
        return database.execute("SELECT word FROM remembered").fetchone()[0]


def test_processes_that_start_at_once_share_their_servers(state_dir, user):
    users = [user() for _ in range(3)]

    assert all(each.is_ready() for each in users)
    assert len(running(state_dir)) == 2
    data = str(state_dir / "postgres")
    assert len([p for p in processes.bearing("/") if f"-D {data}" in " ".join(p.cmdline())]) == 1


def test_the_last_user_stops_what_the_first_started(state_dir, user):
    first, last = user(), user()
    assert first.is_ready()
    assert last.is_ready()
    before = running(state_dir)

    assert first.leave() == 0
    assert running(state_dir) == before
    assert last.leave() == 0
    assert running(state_dir) == ()


def test_nothing_of_ours_runs_once_the_last_user_has_left(state_dir, user):
    only = user()
    assert only.is_ready()
    only.leave()

    commands = [" ".join(process.cmdline()) for process in processes.bearing("")]

    assert not [command for command in commands if str(state_dir) in command]


@pytest.mark.soak
def test_a_killed_last_user_leaves_nothing_running(state_dir, user):
    only = user()
    assert only.is_ready()

    only.kill()

    assert processes.wait_until(lambda: not running(state_dir), 15)


def test_a_new_user_finds_what_a_killed_one_wrote(state_dir, user):
    killed = user()
    assert killed.is_ready()
    remember(state_dir, "hartkloppingen")
    killed.kill()

    assert user().is_ready()
    assert remembered(state_dir) == "hartkloppingen"


def test_users_that_come_and_go_never_meet_a_stopping_server(state_dir, user):
    for _ in range(2):
        leaving, joining = user(), user()
        assert leaving.is_ready()
        leaving.start_leaving()

        assert joining.is_ready()
        with psycopg.connect(locations.database_url(state_dir)) as database:
            assert database.execute("SELECT 1").fetchone() == (1,)
        joining.leave()


def test_a_service_that_died_is_restored(state_dir):
    held = lease.join(state_dir)
    redis.find(state_dir).kill()
    assert processes.wait_until(lambda: redis.find(state_dir) is None, 5)

    assert held.restore() == ["redis"]
    assert len(running(state_dir)) == 2
    assert held.restore() == []
    held.leave()


def test_one_service_alone_is_possible(state_dir):
    held = lease.join(state_dir, ["redis"])

    assert postgres.find(state_dir) is None
    assert redis.find(state_dir) is not None
    held.leave()


def test_a_long_state_directory_works_too(long_state_dir):
    held = lease.join(long_state_dir)

    with psycopg.connect(locations.database_url(long_state_dir)) as database:
        assert database.execute("SELECT 1").fetchone() == (1,)
    held.leave()
    assert running(long_state_dir) == ()


def test_stopping_by_hand_does_not_ask_the_users(state_dir, user, manage):
    assert user().is_ready()

    stopped = manage(state_dir, "stop_services")

    assert stopped.stdout == "Stopped: postgres, redis.\n"
    assert running(state_dir) == ()


def test_stopping_what_does_not_run_is_no_mistake(state_dir, manage):
    stopped = manage(state_dir, "stop_services")

    assert (stopped.returncode, stopped.stdout) == (0, "Nothing was running.\n")
