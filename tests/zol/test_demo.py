"""Only the demonstration makes anything up: once, of its own, in a database of its own."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from zol.embedded import services
from zol.management.commands import demo


@pytest.fixture
def begun(settings, tmp_path, monkeypatch):
    """The command lines that the demonstration of an own folder begins."""
    found = []
    (tmp_path / "log").mkdir()
    settings.STATE_DIR = tmp_path
    monkeypatch.setattr(demo, "start_in_group", lambda command, **_more: found.append(command))
    return found


def test_the_week_is_filled_once_in_the_life_of_a_database(begun, settings):
    for _ in range(2):
        demo._filling(["postgres", "redis"])

    assert [command[2:] for command in begun] == [["demo", "--week", "fill"]]
    (settings.STATE_DIR / "demo.week").write_text("another database")
    demo._filling(["postgres"])
    assert len(begun) == 2


def test_a_database_that_is_not_its_own_is_never_filled(begun, settings):
    demo._filling(["redis"])
    demo._filling([])

    assert begun == []
    assert not (settings.STATE_DIR / "demo.week").exists()


def test_nobody_but_the_demonstration_itself_has_its_week_filled(settings, tmp_path, monkeypatch):
    settings.STATE_DIR = tmp_path
    with pytest.raises(CommandError, match="Only the demonstration fills its week"):
        call_command("demo", week="erase")

    # A demonstration that runs here, but did not begin this process.
    (tmp_path / "demo.pid").write_text(f"{os.getpid()}\n")
    monkeypatch.setattr(services, "SIGN", Path(sys.executable).name[:6])
    assert services.find_demonstration(tmp_path) is not None
    with pytest.raises(CommandError, match="Only the demonstration fills its week"):
        call_command("demo", week="fill")
