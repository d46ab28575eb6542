"""How many web processes there are is a number that somebody gave, or that of the cores."""

from __future__ import annotations

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command

from zol.web import port
from zol.web.port import web_processes


@pytest.mark.parametrize(("cores", "processes"), [(1, 1), (2, 2), (4, 4), (64, 4)])
def test_without_a_number_there_is_one_for_each_core_and_not_too_many(
    settings, monkeypatch, cores, processes
):
    settings.WEB_PROCESSES = ""
    monkeypatch.setattr(port, "cores", lambda: cores)

    assert web_processes() == processes


@pytest.mark.parametrize(("written", "processes"), [("1", 1), (" 3 ", 3), ("64", 64)])
def test_a_number_is_taken_at_its_word(settings, written, processes):
    settings.WEB_PROCESSES = written

    assert web_processes() == processes


@pytest.mark.parametrize("written", ["0", "-2", "65", "two", "1.5", "²", "1" * 5_000])
def test_nonsense_is_told_and_nothing_is_served(settings, written):
    settings.WEB_PROCESSES = written

    with pytest.raises(ImproperlyConfigured, match="WEB_PROCESSES is a number from 1 to 64"):
        call_command("serve", port=0)


def test_the_cores_are_those_that_we_may_use():
    assert port.cores() >= 1
