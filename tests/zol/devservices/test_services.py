"""The first command starts the services and creates the tables; they run until stopped."""

import os

import psutil
import psycopg
import pytest

from zol.devservices import locations, postgres, redis, services
from zol.devservices.services import needs_services
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
    assert (
        len([p for p in processes.starting_with("/") if f"-D {data}" in " ".join(p.cmdline())]) == 1
    )


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


@pytest.mark.parametrize(
    ("line", "needed"),
    [
        pytest.param("", False, id="no command at all"),
        pytest.param("ask --help", False, id="help about a command"),
        pytest.param("check --deploy", False, id="check for production"),
        pytest.param("check --database default", True, id="check of the database"),
        pytest.param("makemigrations --check", False, id="are there migrations to make"),
        pytest.param("migrate", True, id="migrate"),
        pytest.param("ask Waar?", True, id="a question"),
    ],
)
def test_which_commands_need_services(line, needed):
    assert needs_services(line.split()) is needed


def test_a_folder_that_cannot_be_used_is_told_in_a_sentence(manage, tmp_path):
    file = tmp_path / "file"
    file.touch()

    answered = manage(file / "state", "check")

    assert (answered.returncode, answered.stdout) == (1, "")
    assert answered.stderr == (
        f"STATE_DIR {file / 'state'} cannot be used: "
        f"Not a directory: {file / 'state' / 'secrets.json'}\n"
    )


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        pytest.param("postgresql://a:b@127.0.0.1:1/zol", "PostgreSQL does not answer", id="away"),
        pytest.param("mysql://a:b@127.0.0.1/zol", "DATABASE_URL and DATABASE_APP", id="another"),
    ],
)
def test_a_database_that_is_away_is_told_in_a_sentence(
    manage, empty_state_dir, monkeypatch, url, sentence
):
    monkeypatch.setenv("DATABASE_URL", url)
    monkeypatch.delenv("DATABASE_APP_URL", raising=False)

    answered = manage(empty_state_dir, "ask", "Waar?")

    assert answered.returncode == 1
    assert sentence in answered.stderr
    assert "Traceback" not in answered.stderr


COUNT = "from zol.models import Hospital; print(Hospital.objects.count(), 'hospitals')"


def owners(state_dir):
    """Those whose tables stand in the database."""
    with psycopg.connect(locations.database_url(state_dir)) as database:
        return database.execute(
            "SELECT DISTINCT tableowner FROM pg_tables WHERE schemaname = 'public'"
        ).fetchall()


def test_the_first_command_makes_the_tables_as_the_owner_also_after_one_that_was_killed(
    empty_state_dir, manage
):
    services.start(empty_state_dir, ["postgres"])
    assert services.is_empty(empty_state_dir)
    assert manage(empty_state_dir, "migrate", "contenttypes", "0001").returncode == 0
    assert not services.is_empty(empty_state_dir)
    (empty_state_dir / "migrating").touch()

    answered = manage(empty_state_dir, "shell", "-v", "0", "-c", COUNT)

    assert (answered.returncode, answered.stdout) == (0, "0 hospitals\n"), answered.stderr
    assert redis.find(empty_state_dir) is not None
    assert owners(empty_state_dir) == [("zol_owner",)]
    assert not (empty_state_dir / "migrating").exists()
