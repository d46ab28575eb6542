"""The clock is now, or a fixed time for an exam."""

import os
import subprocess
import sys

import pytest

from zol.clock import hospital_now, moment_of


def test_an_exam_is_always_asked_at_its_own_moment(settings):
    settings.CLOCK_AT = "2026-11-29T10:40"

    assert hospital_now() == moment_of("2026-11-29T10:40")
    assert hospital_now(moment_of("2027-01-01")) == moment_of("2027-01-01")


@pytest.mark.parametrize(("debug", "is_started"), [("on", True), ("off", False)])
def test_no_clock_is_stopped_where_patients_ask(debug, is_started, tmp_path):
    asked = {"CLOCK_AT": "2026-11-29T10:40", "DEBUG": debug, "STATE_DIR": str(tmp_path)}

    ran = subprocess.run(
        [sys.executable, "-c", "import zol.settings"],
        env=os.environ | asked, capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert (ran.returncode == 0) is is_started
    assert is_started or "CLOCK_AT" in ran.stderr
