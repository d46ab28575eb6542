"""Programs are kept running, and all of them end with their supervisor."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import psutil
import pytest

from tests.zol.embedded.conftest import PROJECT
from zol import processes
from zol.web.supervisor import Program, Supervisor

#: Two processes, of which the second would outlive the first.
FAMILY = ("/bin/sh", "-c", "sleep 300 & wait")
DIE_YOUNG = """
import sys
from pathlib import Path
sys.path.insert(0, {project!r})
from tests.zol.web.test_supervisor import FAMILY, supervise
supervisor = supervise(Path({folder!r}), FAMILY, print)
supervisor.start()
print(supervisor.children[0].process.pid, flush=True)
sys.stdin.read()
"""


def supervise(folder, command, say):
    return Supervisor([Program("trial", command)], folder, folder / "log", say)


def tend_until(supervisor, claim, patience=10.0):
    def tended():
        supervisor.tend()
        return claim()

    return processes.wait_until(tended, patience)


@pytest.fixture
def said():
    return []


@pytest.fixture
def family(tmp_path, said):
    supervisor = supervise(tmp_path, FAMILY, said.append)
    supervisor.start()
    yield supervisor
    supervisor.stop()


def members(supervisor):
    leader = psutil.Process(supervisor.children[0].process.pid)
    processes.wait_until(lambda: bool(leader.children()), 5)
    return [leader, *leader.children(recursive=True)]


def test_a_program_that_crashes_is_started_again(family, said):
    first = family.children[0].process.pid
    os.kill(first, signal.SIGKILL)

    assert tend_until(family, lambda: family.children[0].crashes == 1)
    assert tend_until(family, lambda: family.children[0].process is not None)
    assert family.children[0].process.pid != first
    assert ["trial stopped (status -9" in line for line in said] == [True]


def test_a_crash_takes_the_whole_family_along(family):
    leader, *children = members(family)
    leader.kill()

    assert tend_until(family, lambda: family.children[0].crashes == 1)
    assert processes.wait_until(lambda: not any(map(processes.is_alive, children)), 5)


def test_a_program_that_keeps_crashing_waits_longer_each_time(tmp_path, said):
    supervisor = supervise(tmp_path, ("/bin/false",), said.append)
    supervisor.start()

    assert tend_until(supervisor, lambda: len(said) == 2)
    assert [line.split("again in ")[1] for line in said] == ["1 s.", "2 s."]
    supervisor.stop()


def test_stopping_leaves_no_process_behind(family):
    everyone = members(family)

    family.stop()

    assert len(everyone) == 2
    assert not any(map(processes.is_alive, everyone))


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends children with their parent")
def test_programs_end_with_a_killed_supervisor(tmp_path):
    script = DIE_YOUNG.format(project=str(PROJECT), folder=str(tmp_path))
    supervisor = subprocess.Popen(
        [sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    child = psutil.Process(int(supervisor.stdout.readline()))

    supervisor.kill()
    supervisor.communicate()

    assert processes.wait_until(lambda: not processes.is_alive(child), 5)


@pytest.mark.alone
def test_waiting_gives_up_in_time():
    started = time.monotonic()

    assert not processes.wait_until(lambda: False, 0.2)
    assert time.monotonic() - started < 1
