"""A command finds its services and tables, or needs none and starts none."""

import psycopg
import pytest

from zol.devservices import locations, postgres, services
from zol.devservices.entrance import needs_services


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


def test_the_first_command_finds_its_tables_made_by_the_owner(empty_state_dir, manage):
    answered = manage(empty_state_dir, "shell", "-v", "0", "-c", COUNT)

    assert (answered.returncode, answered.stdout) == (0, "0 hospitals\n"), answered.stderr
    assert postgres.find(empty_state_dir) is not None
    assert owners(empty_state_dir) == [("zol_owner",)]


def test_a_migration_that_was_killed_is_finished_by_the_next_command(empty_state_dir, manage):
    services.start(empty_state_dir, ["postgres"])
    assert manage(empty_state_dir, "migrate", "contenttypes", "0001").returncode == 0
    (empty_state_dir / "migrating").touch()

    answered = manage(empty_state_dir, "shell", "-v", "0", "-c", COUNT)

    assert answered.stdout == "0 hospitals\n", answered.stderr
    assert not (empty_state_dir / "migrating").exists()
    services.stop(empty_state_dir)
