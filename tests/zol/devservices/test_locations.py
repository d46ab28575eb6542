"""All processes agree on locations and secrets; reading them starts nothing."""

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


def test_a_secret_stays_the_same_and_nobody_else_may_read_it(tmp_path):
    first = locations.secret(tmp_path, "secret_key")

    assert locations.secret(tmp_path, "secret_key") == first != locations.secret(tmp_path, "other")
    assert len(first) >= 50
    assert (tmp_path / "secrets.json").stat().st_mode & 0o777 == 0o600


def test_processes_that_ask_at_once_hear_the_same_secret(tmp_path):
    command = [sys.executable, "-c", ASK_FOR_A_SECRET, str(tmp_path)]
    asking = [subprocess.Popen(command, cwd=PROJECT, stdout=subprocess.PIPE) for _ in range(6)]

    heard = {process.communicate(timeout=30)[0] for process in asking}

    assert heard == {locations.secret(tmp_path, "secret_key").encode() + b"\n"}


def test_sockets_are_in_the_state_directory_or_where_the_kernel_accepts_their_path():
    one, other = (Path("/srv") / (letter * 120) for letter in "xy")

    assert locations.socket_directory(Path("/srv/zol")) == Path("/srv/zol/run")
    assert len(str(locations.socket_directory(one) / locations.POSTGRES_SOCKET)) <= 100
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
