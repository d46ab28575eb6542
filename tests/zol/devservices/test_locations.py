"""Every process finds the same places and the same secrets, and starts nothing by looking."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

from tests.zol.devservices.conftest import PROJECT
from zol.devservices import locations

ASK_FOR_A_SECRET = """
import sys
from pathlib import Path
from zol.devservices import locations
print(locations.secret(Path(sys.argv[1]), "secret_key"))
"""


def test_a_secret_stays_the_same(tmp_path):
    first = locations.secret(tmp_path, "secret_key")

    assert locations.secret(tmp_path, "secret_key") == first
    assert len(first) >= 50


def test_two_secrets_differ(tmp_path):
    assert locations.secret(tmp_path, "one") != locations.secret(tmp_path, "other")


def test_nobody_else_may_read_the_secrets(tmp_path):
    locations.secret(tmp_path, "secret_key")

    assert (tmp_path / "secrets.json").stat().st_mode & 0o777 == 0o600


def test_processes_that_ask_at_once_hear_the_same_secret(tmp_path):
    command = [sys.executable, "-c", ASK_FOR_A_SECRET, str(tmp_path)]
    asking = [subprocess.Popen(command, cwd=PROJECT, stdout=subprocess.PIPE) for _ in range(6)]

    heard = {process.communicate(timeout=30)[0] for process in asking}

    assert heard == {locations.secret(tmp_path, "secret_key").encode() + b"\n"}


def test_sockets_live_in_the_state_directory():
    assert locations.socket_directory(Path("/srv/zol")) == Path("/srv/zol/run")


def test_sockets_of_a_long_directory_have_a_path_that_the_kernel_accepts():
    folder = Path("/srv") / ("x" * 120)

    socket = locations.socket_directory(folder) / locations.POSTGRES_SOCKET

    assert len(str(socket)) <= 100


def test_two_long_directories_do_not_share_their_sockets():
    one, other = Path("/srv") / ("x" * 120), Path("/srv") / ("y" * 120)

    assert locations.socket_directory(one) != locations.socket_directory(other)


def test_the_address_is_one_that_postgresql_understands(tmp_path):
    parts = psycopg.conninfo.conninfo_to_dict(locations.database_url(tmp_path))

    assert parts["host"] == str(locations.socket_directory(tmp_path))
    assert (parts["user"], parts["dbname"]) == ("zol_owner", "zol")


@pytest.mark.parametrize(
    ("database", "redis", "embedded"),
    [
        pytest.param("", "", ("postgres", "redis"), id="nothing given"),
        pytest.param("postgresql://o:p@db/zol", "", ("redis",), id="a database given"),
        pytest.param("", "redis://cache/0", ("postgres",), id="a redis given"),
        pytest.param("postgresql://o:p@db/zol", "redis://cache/0", (), id="production"),
    ],
)
def test_only_what_is_not_given_is_embedded(tmp_path, database, redis, embedded):
    database = database or locations.database_url(tmp_path)
    redis = redis or locations.redis_url(tmp_path)

    assert locations.embedded_services(tmp_path, database, redis) == embedded
