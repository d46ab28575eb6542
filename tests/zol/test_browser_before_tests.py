"""`make test` checks for a browser before anything else, with a clear message."""

import os
import subprocess
import time

from tests.imports import ROOT


def make(**environment: str) -> subprocess.CompletedProcess[str]:
    """Run what `make test` does first."""
    command = ["make", "-s", "browser"]
    return subprocess.run(
        command, cwd=ROOT, env=os.environ | environment, capture_output=True, text=True, check=False
    )


def test_a_browser_that_does_not_start_is_told_with_how_to_get_one():
    before = time.monotonic()
    said = make(CHROMIUM="/bin/false")

    assert said.returncode != 0
    assert "CHROMIUM=/bin/false does not start." in said.stderr
    assert "apt-get install chromium" in said.stderr
    assert time.monotonic() - before < 10


def test_make_test_looks_for_it_before_it_installs_anything():
    said = subprocess.run(
        ["make", "-n", "test"], cwd=ROOT, env=os.environ, capture_output=True, text=True, check=True
    )

    looks = said.stdout.index("tests.browsers")
    assert looks < said.stdout.index("-m pytest")
    assert "pip install" not in said.stdout[:looks]
