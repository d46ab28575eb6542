"""System account of the embedded servers, as PostgreSQL refuses to run as root."""

from __future__ import annotations

import fcntl
import os
import pwd
import shutil
import stat
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from zol.errors import EmbeddedError

SYSTEM_USER = "zol-embedded"


@dataclass(frozen=True, slots=True)
class Account:
    """A system user, and whether programs must be started as another user."""

    uid: int
    gid: int
    change: bool

    def own(self, directory: Path) -> None:
        """Create a private directory of this account, unless it exists."""
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        if directory.lstat().st_uid not in {self.uid, os.geteuid()}:
            raise EmbeddedError(f"{directory} belongs to another user; remove it or set STATE_DIR.")
        directory.chmod(0o700)
        if self.change:
            os.chown(directory, self.uid, self.gid)

    def run(self, command: Sequence[str], *, within: Path, timeout: float = 600) -> str:
        """Run a program to its end and return its output, which an error contains.

        The output goes to a file: a pipe would stay open in a server that the program starts.
        """
        binary = Path(command[0])
        drop = self.change and self.can_reach(within) and self.can_reach(binary)
        prefix = [] if drop or not self.change else self._lend_passage(binary)
        with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as output:
            result = subprocess.run(  # noqa: S603 (our own programs, no shell)
                [*prefix, *command],
                check=False,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                cwd=within,
                timeout=timeout,
                umask=0o077,
                env={"PATH": os.defpath, "LC_ALL": "C", "HOME": str(within)},
                user=self.uid if drop else None,
                group=self.gid if drop else None,
                extra_groups=[] if drop else None,
            )
            output.seek(0)
            text = output.read().strip()
        if result.returncode:
            raise EmbeddedError(f"{binary.name} failed (status {result.returncode}): {text}")
        return text

    def can_reach(self, path: Path) -> bool:
        """Return whether this account may enter every directory of a path."""
        directories = {*path.absolute().parents, *path.resolve().parents}
        return not self.change or all(self._may_enter(each.stat()) for each in directories)

    def _may_enter(self, status: os.stat_result) -> bool:
        if status.st_uid == self.uid:
            return bool(status.st_mode & stat.S_IXUSR)
        if status.st_gid == self.gid:
            return bool(status.st_mode & stat.S_IXGRP)
        return bool(status.st_mode & stat.S_IXOTH)

    def _lend_passage(self, binary: Path) -> list[str]:
        """Return a command prefix that lets the server enter directories of root.

        A clone of the project in root's home needs it. The capability ends with the server, and
        the modes of the directories stay as they are.
        """
        setpriv = shutil.which("setpriv")
        if setpriv is None:
            raise EmbeddedError(
                f"The user {SYSTEM_USER} may not enter {binary.parent}; move the project and "
                "STATE_DIR out of root's home, or install setpriv (util-linux)."
            )
        right = _right_to_pass(setpriv)
        who = [f"--reuid={self.uid}", f"--regid={self.gid}", "--clear-groups"]
        rights = [f"--inh-caps=+{right}", f"--ambient-caps=+{right}"]
        # Without this, access(2) ignores the capability.
        return [setpriv, *who, *rights, "--securebits=+no_setuid_fixup", "--"]


def _right_to_pass(setpriv: str) -> str:
    """Return the weakest available capability that permits to enter directories."""
    dump = subprocess.run([setpriv, "--dump"], check=True, capture_output=True, text=True)  # noqa: S603
    for right in ("dac_read_search", "dac_override"):
        if right in dump.stdout:
            return right
    raise EmbeddedError(
        "Root may not lend its rights here; move the project and STATE_DIR out of root's home."
    )


def account_for(state_dir: Path) -> Account:
    """Return the account as which the servers of a state directory run."""
    if os.geteuid() != 0:
        return Account(os.geteuid(), os.getegid(), change=False)
    for place in (state_dir / "postgres", state_dir):
        user = _owner(place)
        if user is not None and user.pw_uid != 0:
            return Account(user.pw_uid, user.pw_gid, change=True)
    user = _system_user()
    return Account(user.pw_uid, user.pw_gid, change=True)


def _owner(place: Path) -> pwd.struct_passwd | None:
    try:
        return pwd.getpwuid(place.stat().st_uid)
    except (FileNotFoundError, KeyError):
        return None


def _system_user() -> pwd.struct_passwd:
    """Return the unprivileged user, created if needed; `nobody` where that is impossible."""
    user = _named(SYSTEM_USER) or _made(SYSTEM_USER) or _named("nobody")
    if user is None:
        raise EmbeddedError(f"PostgreSQL does not run as root; create a user named {SYSTEM_USER}.")
    return user


def _made(name: str) -> pwd.struct_passwd | None:
    """Create a system user, one process at a time.

    Two concurrent `useradd` create the user twice, with different numbers; a process that started
    with the first number then runs as an unknown user.
    """
    useradd = shutil.which("useradd", path="/usr/sbin:/sbin:/usr/bin:/bin")
    if useradd is None:
        return None
    options = ["--system", "--no-create-home", "--user-group", "--shell", "/usr/sbin/nologin"]
    turn = os.open("/etc", os.O_RDONLY)
    try:
        fcntl.flock(turn, fcntl.LOCK_EX)
        if _named(name) is None:
            subprocess.run([useradd, *options, name], check=False, capture_output=True)  # noqa: S603
        return _named(name)
    finally:
        os.close(turn)


def _named(name: str) -> pwd.struct_passwd | None:
    try:
        return pwd.getpwnam(name)
    except KeyError:
        return None
