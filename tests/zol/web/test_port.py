"""A port is taken once, and opens with the first process that takes visitors from it."""

from __future__ import annotations

import os
import socket
from contextlib import closing

import pytest
from django.core.management import CommandError, call_command

from zol.web.port import PortTaken, taken


def test_a_port_that_somebody_listens_at_is_told():
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        number = other.getsockname()[1]

        with pytest.raises(PortTaken, match=f"Port {number} cannot be had .*PORT="):
            taken("127.0.0.1", number)
        with pytest.raises(CommandError, match=f"Port {number} cannot be had"):
            call_command("serve", port=number)


@pytest.mark.parametrize("number", [-1, 70_000])
def test_a_number_that_is_no_port_is_told(number):
    with pytest.raises(PortTaken, match="cannot be had"):
        taken("127.0.0.1", number)


def test_an_address_of_another_machine_is_told():
    with pytest.raises(PortTaken, match="cannot be had"):
        taken("192.0.2.1", 0)


def test_nobody_waits_at_a_port_where_nobody_serves_yet():
    with (
        closing(taken("127.0.0.1", 0)) as port,
        pytest.raises(ConnectionRefusedError),
    ):
        socket.create_connection(("127.0.0.1", port.number), timeout=5)


def test_they_are_ready_when_each_has_said_so(settings):
    settings.WEB_PROCESSES = "2"
    with closing(taken("127.0.0.1", 0)) as port:
        assert not port.are_ready()
        os.write(port.told, b".")
        assert not port.are_ready()
        os.write(port.told, b".")
        assert port.are_ready()
        assert port.are_ready()


def test_each_web_process_has_a_name_and_the_same_port(settings):
    settings.WEB_PROCESSES = "2"
    with closing(taken("127.0.0.1", 0)) as port:
        programs = port.programs()
        settings.WEB_PROCESSES = "1"
        (alone,) = port.programs()

        assert [program.name for program in programs] == ["web server 1", "web server 2"]
        assert all(str(port.number) in program.command for program in programs)
        assert alone.name == "web server"
