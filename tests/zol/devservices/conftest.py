"""Separate state directories, and processes of other users."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from zol.devservices import services

PROJECT = Path(__file__).parents[3]
START_AND_WAIT = """
import sys
from pathlib import Path
from zol.devservices import services
services.start(Path(sys.argv[1]))
print("ready", flush=True)
sys.stdin.read()
"""


class User:
    """A process that uses the services until told to leave, or killed."""

    def __init__(self, state_dir: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", START_AND_WAIT, str(state_dir)],
            cwd=PROJECT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def is_ready(self) -> bool:
        assert self.process.stdout is not None
        return self.process.stdout.readline() == "ready\n"

    def leave(self) -> int:
        self.process.communicate(timeout=60)
        return self.process.returncode

    def kill(self) -> None:
        self.process.kill()
        self.process.communicate(timeout=60)


@contextmanager
def short_folder() -> Iterator[Path]:
    """A directory with a short name: pytest's own may be too long for a socket."""
    folder = Path(tempfile.mkdtemp(prefix="zol-", dir="/tmp")).resolve()
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def empty_state_dir() -> Iterator[Path]:
    """A state directory for a first start."""
    with short_folder() as folder:
        yield folder
        services.stop(folder)


@pytest.fixture(scope="session")
def used_state_dir() -> Iterator[Path]:
    with short_folder() as folder:
        yield folder


@pytest.fixture
def state_dir(used_state_dir: Path) -> Iterator[Path]:
    """A state directory that was used before, in which nothing runs."""
    yield used_state_dir
    services.stop(used_state_dir)


@pytest.fixture
def user(state_dir: Path) -> Iterator[Callable[[], User]]:
    """Start users of the state directory; whoever is left at the end is ended."""
    users: list[User] = []

    def start() -> User:
        users.append(User(state_dir))
        return users[-1]

    yield start
    for each in users:
        if each.process.returncode is None:
            each.leave()


Manage = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def manage() -> Manage:
    """Run a management command on a state directory."""

    def run(state_dir: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
        settings = {"STATE_DIR": str(state_dir), "DJANGO_SETTINGS_MODULE": "zol.settings"}
        return subprocess.run(
            [sys.executable, "manage.py", *arguments],
            check=False,
            cwd=PROJECT,
            env=os.environ | settings,
            capture_output=True,
            text=True,
            timeout=120,
        )

    return run
