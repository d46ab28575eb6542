"""The browser of the tests that need one: `make test` looks for it before anything starts."""

import os
import shutil
import subprocess
import sys

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
#: Seconds for it to tell its version; it takes a tenth of one.
PATIENCE = 20
MISSING = (
    "Some tests run in a browser, and no Chromium or Chrome that starts was found. Install one "
    "(Debian: apt-get install chromium), or name yours: CHROMIUM=/path/to/chrome make test"
)


def chromium() -> str:
    """Return the path of a browser that starts, or end with a sentence that says how to get one."""
    named = os.environ.get("CHROMIUM")
    for path in [named] if named else filter(None, map(shutil.which, NAMES)):
        if _starts(path):
            return path
    sys.exit(f"CHROMIUM={named} does not start. {MISSING}" if named else MISSING)


def _starts(path: str) -> bool:
    """Say whether it does; where a browser is a package of its own, its name may be a mere hint."""
    try:
        return (
            subprocess.run(
                [path, "--version"], capture_output=True, timeout=PATIENCE, check=False
            ).returncode
            == 0
        )
    except (OSError, subprocess.TimeoutExpired):
        return False


if __name__ == "__main__":
    chromium()
