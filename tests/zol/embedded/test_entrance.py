"""A command finds its services and tables, or needs none and starts none."""

from __future__ import annotations

import psycopg
import pytest

from zol.embedded import lease, locations, postgres
from zol.embedded.entrance import needs_services


@pytest.mark.parametrize(
    ("line", "needed"),
    [
        pytest.param("", False, id="no command at all"),
        pytest.param("help", False, id="help"),
        pytest.param("ask --help", False, id="help about a command"),
        pytest.param("version", False, id="version"),
        pytest.param("check", False, id="check"),
        pytest.param("check --deploy", False, id="check for production"),
        pytest.param("check --database default", True, id="check of the database"),
        pytest.param("makemigrations --check", False, id="are there migrations to make"),
        pytest.param("stop_services", False, id="stop"),
        pytest.param("migrate", True, id="migrate"),
        pytest.param("ask Waar?", True, id="a question"),
    ],
)
def test_which_commands_need_services(line, needed):
    assert needs_services(line.split()) is needed


COUNT = "from zol.models import Hospital; print(Hospital.objects.count(), 'hospitals')"


def owners(state_dir):
    """Those whose tables stand in the database."""
    held = lease.join(state_dir, ["postgres"])
    with psycopg.connect(locations.database_url(state_dir)) as database:
        rows = database.execute(
            "SELECT DISTINCT tableowner FROM pg_tables WHERE schemaname = 'public'"
        ).fetchall()
    held.leave()
    return rows


def test_the_first_command_finds_its_tables_made_by_the_owner(empty_state_dir, manage):
    answered = manage(empty_state_dir, "shell", "-v", "0", "-c", COUNT)

    assert (answered.returncode, answered.stdout) == (0, "0 hospitals\n"), answered.stderr
    assert postgres.find(empty_state_dir) is None
    assert owners(empty_state_dir) == [("zol_owner",)]


def test_a_migration_that_was_killed_is_finished_by_the_next_command(empty_state_dir, manage):
    held = lease.join(empty_state_dir, ["postgres"])
    assert manage(empty_state_dir, "migrate", "contenttypes", "0001").returncode == 0
    (empty_state_dir / "migrating").touch()

    answered = manage(empty_state_dir, "shell", "-v", "0", "-c", COUNT)

    assert answered.stdout == "0 hospitals\n", answered.stderr
    assert not (empty_state_dir / "migrating").exists()
    held.leave()


def test_looking_for_help_starts_nothing(empty_state_dir, manage):
    assert manage(empty_state_dir, "help").returncode == 0
    assert not (empty_state_dir / "postgres").exists()
