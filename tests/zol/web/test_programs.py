"""The supervisor of programs, and the port that web processes share."""

import os
import signal
import socket
import subprocess
import sys
from contextlib import closing

import psutil
import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError, call_command

from tests.zol.devservices.conftest import PROJECT
from zol.runtime import processes
from zol.web import programs
from zol.web.programs import PortTaken, Program, Supervisor, taken, web_processes


def test_a_port_that_somebody_listens_at_is_told():
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        number = other.getsockname()[1]

        with pytest.raises(PortTaken, match=f"Port {number} cannot be had .*PORT="):
            taken("127.0.0.1", number)
        with pytest.raises(CommandError, match=f"Port {number} cannot be had"):
            call_command("serve", port=number)


@pytest.mark.parametrize("place", [("127.0.0.1", -1), ("127.0.0.1", 70_000), ("192.0.2.1", 0)])
def test_what_is_no_port_of_this_machine_is_told(place):
    with pytest.raises(PortTaken, match="cannot be had"):
        taken(*place)


def test_nobody_waits_at_a_port_where_nobody_serves_yet():
    with closing(taken("127.0.0.1", 0)) as port, pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port.number), timeout=5)


def test_web_processes_share_a_port_and_are_ready_when_each_has_said_so(settings):
    settings.WEB_PROCESSES = "2"
    with closing(taken("127.0.0.1", 0)) as port:
        programs = port.programs()
        for _ in programs:
            assert not port.are_ready()
            os.write(port.write_end, b".")
        assert port.are_ready()
        settings.WEB_PROCESSES = "1"
        (alone,) = port.programs()

        assert [program.name for program in programs] == ["web server 1", "web server 2"]
        assert all(str(port.number) in program.command for program in programs)
        assert alone.name == "web server"


@pytest.mark.parametrize(
    ("written", "cores", "processes"),
    [("", 1, 1), ("", 2, 2), ("", 64, 4), ("1", 8, 1), (" 3 ", 8, 3), ("64", 8, 64)],
)
def test_there_are_as_many_as_is_written_or_one_for_each_core_and_not_too_many(
    settings, monkeypatch, written, cores, processes
):
    settings.WEB_PROCESSES = written
    monkeypatch.setattr(programs, "cores", lambda: cores)

    assert web_processes() == processes


@pytest.mark.parametrize("written", ["0", "-2", "65", "two", "1.5", "²", "1" * 5_000])
def test_nonsense_is_told_and_nothing_is_served(settings, written):
    settings.WEB_PROCESSES = written

    with pytest.raises(ImproperlyConfigured, match="WEB_PROCESSES is a number from 1 to 64"):
        call_command("serve", port=0)


#: Two processes, of which the second would outlive the first.
FAMILY = ("/bin/sh", "-c", "sleep 300 & wait")
DIE_YOUNG = """
import sys
from pathlib import Path
sys.path.insert(0, {project!r})
from tests.zol.web.test_programs import FAMILY, supervise
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
