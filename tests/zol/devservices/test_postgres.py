"""The embedded PostgreSQL survives every kind of crash, and admits no other user."""

import os
import signal
import subprocess
import sys

import psycopg
import pytest

from tests.zol.devservices.conftest import PROJECT, START_AND_WAIT
from zol.devservices import locations, postgres, services
from zol.errors import EmbeddedError
from zol.runtime import processes


@pytest.fixture
def held(state_dir):
    services.start(state_dir, ["postgres"])
    yield
    services.stop(state_dir)


def ask(state_dir, question):
    with psycopg.connect(locations.database_url(state_dir), autocommit=True) as database:
        cursor = database.execute(question)
        return cursor.fetchone()[0] if cursor.description else None


def test_accents_are_letters_and_dashes_are_not(state_dir, held):
    text = "Hart\N{EN DASH}ÉTÉ ΚΑΡΔΙΆ"

    words = ask(state_dir, f"SELECT tsvector_to_array(to_tsvector('simple', '{text}'))")

    assert words == ["hart", "été", "καρδιά"]


def test_nobody_gets_in_without_the_password(state_dir, held):
    url = locations.database_url(state_dir).replace(
        locations.secret(state_dir, "postgres_password"), "guessed"
    )

    with pytest.raises(psycopg.OperationalError, match="authentication failed"):
        psycopg.connect(url)


@pytest.mark.soak
def test_a_killed_server_starts_again_with_its_rows(state_dir, held):
    ask(state_dir, "CREATE TABLE kept AS SELECT 'rij' AS word")
    busy = psycopg.connect(locations.database_url(state_dir))
    postgres.find(state_dir).send_signal(signal.SIGKILL)
    assert processes.wait_until(lambda: postgres.find(state_dir) is None, 5)

    assert services.restore(state_dir, ["postgres"]) == ["postgres"]
    busy.close()
    assert ask(state_dir, "SELECT word FROM kept") == "rij"


def test_an_old_number_that_now_belongs_to_a_stranger_does_not_matter(state_dir, held):
    services.stop(state_dir)
    stranger = subprocess.Popen(["/bin/sleep", "60"])
    note = (
        f"{stranger.pid}\n{state_dir / 'postgres'}\n1\n5432\n{state_dir / 'run'}\n\n 1 1\nready\n"
    )
    (state_dir / "postgres" / "postmaster.pid").write_text(note)

    services.start(state_dir, ["postgres"])

    assert ask(state_dir, "SELECT 1") == 1
    assert stranger.poll() is None
    services.stop(state_dir)
    assert stranger.poll() is None
    stranger.kill()
    stranger.wait()


def test_a_first_start_that_was_killed_is_done_again(empty_state_dir):
    state_dir = empty_state_dir
    command = [sys.executable, "-c", START_AND_WAIT, str(state_dir)]
    first = subprocess.Popen(command, cwd=PROJECT, stdin=subprocess.PIPE, start_new_session=True)
    begun = processes.wait_until(lambda: any(state_dir.glob("postgres-new-*/data/base")), 30)
    os.killpg(first.pid, signal.SIGKILL)
    first.communicate()
    assert begun
    assert not (state_dir / "postgres").exists()

    services.start(state_dir, ["postgres"])

    assert ask(state_dir, "SELECT 1") == 1
    assert not list(state_dir.glob("postgres-new-*"))
    services.stop(state_dir)


def test_a_lost_password_is_said_in_one_sentence(state_dir, held):
    services.stop(state_dir)
    (state_dir / "secrets.json").rename(state_dir / "lost")

    with pytest.raises(EmbeddedError, match=r"does not know the password in secrets\.json"):
        services.start(state_dir, ["postgres"])
    (state_dir / "lost").rename(state_dir / "secrets.json")
