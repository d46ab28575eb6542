"""The servers never run as root, and run for an ordinary user as that user."""

import os
import pwd
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from tests.zol.devservices.conftest import PROJECT
from zol.devservices import postgres, redis, services
from zol.devservices.account import Account, account_for
from zol.errors import EmbeddedError

USE_EVERYTHING = f"""
import os, sys
sys.path.insert(0, {str(PROJECT)!r})
from pathlib import Path
import psycopg
from zol.devservices import locations, postgres, redis, services
state_dir = Path(sys.argv[1])
services.start(state_dir)
with psycopg.connect(locations.database_url(state_dir)) as database:
    answer = database.execute("SELECT 42").fetchone()[0]
servers = [postgres.find(state_dir), redis.find(state_dir)]
print(answer, os.geteuid(), *[server.uids().effective for server in servers])
services.stop(state_dir)
print(postgres.find(state_dir), redis.find(state_dir))
"""
as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")


@pytest.fixture
def nobody():
    user = pwd.getpwnam("nobody")
    return Account(user.pw_uid, user.pw_gid, change=True)


def test_no_server_runs_as_root(state_dir):
    services.start(state_dir)

    servers = (postgres.find(state_dir), redis.find(state_dir))

    assert [server.uids().effective != 0 for server in servers] == [True, True]
    services.stop(state_dir)


@as_root
def test_an_ordinary_user_runs_everything_as_itself(empty_state_dir, nobody):
    home = empty_state_dir / "home"
    home.mkdir()
    nobody.own(home)
    command = [sys.executable, "-B", "-c", USE_EVERYTHING, str(home / "state")]

    said = nobody.run(command, within=home, timeout=60).splitlines()

    assert said == [f"42 {nobody.uid} {nobody.uid} {nobody.uid}", "None None"]


@as_root
def test_root_continues_as_the_user_whose_state_it_is_and_a_directory_of_another_is_refused(
    empty_state_dir, nobody
):
    theirs = empty_state_dir / "theirs"
    theirs.mkdir()
    os.chown(empty_state_dir, nobody.uid, nobody.gid)
    os.chown(theirs, nobody.uid + 7, nobody.gid)

    assert account_for(empty_state_dir).uid == nobody.uid
    with pytest.raises(EmbeddedError, match="belongs to another user"):
        nobody.own(theirs)


@as_root
@pytest.mark.parametrize(
    ("mode", "reachable"),
    [pytest.param(0o755, True, id="open"), pytest.param(0o700, False, id="closed")],
)
def test_what_a_user_can_reach_depends_on_every_directory_above(nobody, mode, reachable):
    folder = Path(tempfile.mkdtemp(dir="/tmp"))
    folder.chmod(mode)

    assert nobody.can_reach(folder / "inside") is reachable
    shutil.rmtree(folder)


@as_root
def test_processes_that_start_at_once_are_given_one_user():
    name, number = f"zol-at-once-{os.getpid()}", 4
    begin = time.time() + 1.0
    script = (
        f"import sys, time; sys.path.insert(0, {str(PROJECT)!r}); from zol.devservices import account; "
        f"time.sleep(max(0.0, {begin} - time.time())); print(account._made({name!r}).pw_uid)"
    )
    command = [sys.executable, "-B", "-c", script]
    try:
        started = [subprocess.Popen(command, stdout=subprocess.PIPE) for _ in range(number)]
        told = {int(each.communicate(timeout=60)[0]) for each in started}

        assert told == {pwd.getpwnam(name).pw_uid}
    finally:
        subprocess.run(["userdel", name], check=False, capture_output=True)
