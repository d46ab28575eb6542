"""A dump restored into a new PostgreSQL with another `SECRET_KEY`, by the documented commands only.

`python -m tests.soak.restore` prints a row for the server that was dumped and one for the new one.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from tests.packs import MINI
from zol.devservices import locations, postgres

ROOT = Path(__file__).parents[2]
OWNER, PASSWORD = "clinic_owner", "ge'heim-1234"
QUESTIONS = [
    *("Wat zijn de bezoekuren?", "Welke artsen werken bij Longziekten?", "Waar kan ik parkeren?"),
    *("Kan ik met mijn rolstoel binnen in campus Oever?", "Wat is het telefoonnummer van AZM?"),
]  # fmt: skip
ANSWERS = 20


@dataclass(frozen=True)
class Site:
    """A server of PostgreSQL, and the environment of the product beside it."""

    folder: Path
    key: str

    def address(self, user: str = OWNER, password: str = PASSWORD, name: str = "clinic") -> str:
        host = quote(str(locations.socket_directory(self.folder / "server")), safe="")
        return f"postgresql://{user}:{quote(password)}@/{name}?host={host}"

    @property
    def superuser(self) -> str:
        password = locations.secret(self.folder / "server", "postgres_password")
        return self.address(locations.OWNER, password, "postgres")

    def environment(self) -> dict[str, str]:
        mine = {
            "DATABASE_URL": self.address(), "SECRET_KEY": self.key, "RATE_LIMITS": "",
            "STATE_DIR": str(self.folder / "state"),
        }  # fmt: skip
        return {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ} | mine

    def manage(self, *words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, str(ROOT / "manage.py"), *words]
        return subprocess.run(
            command, check=False, env=self.environment(), capture_output=True, text=True
        )

    def psql(self, script: str) -> None:
        done(run("psql", "--quiet", "-v", "ON_ERROR_STOP=1", self.superuser, told=script))

    def set_up(self) -> None:
        """Run the one script as the superuser, twice: it may run again."""
        script = done(self.manage("database_setup", "--print"))
        self.psql(script)
        self.psql(script)

    def answered(self) -> tuple[int, str]:
        """Return how many of the questions are answered, and what went wrong with the others."""
        asked = (
            self.manage("ask", QUESTIONS[0], "--json"),
            self.manage("shell", "-v0", "-c", ASKING),
        )
        failed = next((each for each in asked if each.returncode), None)
        if failed is not None:
            return 0, (failed.stderr or failed.stdout).strip().splitlines()[-1]
        answers = [json.loads(asked[0].stdout), *json.loads(asked[1].stdout.splitlines()[-1])]
        return sum(bool(each["answer"]) for each in answers), ""


ASKING = f"""
import json
from chat.services import take_turn
from chat.turn import Turn
from zol.models import Hospital
from zol.tenancy import serving
with serving(Hospital.objects.get()):
    asked = ({QUESTIONS!r} * {ANSWERS})[1:{ANSWERS}]
    print(json.dumps([{{"answer": take_turn(Turn(each)).context.answer}} for each in asked]))
"""


def run(program: str, *words: str, told: str = "") -> subprocess.CompletedProcess[str]:
    command = [postgres._binary(program), *words]
    return subprocess.run(command, check=False, input=told, capture_output=True, text=True)


def done(process: subprocess.CompletedProcess[str]) -> str:
    if process.returncode:
        raise AssertionError(f"{process.args}: {process.stdout}\n{process.stderr}")
    return process.stdout


@contextmanager
def site(folder: Path, key: str) -> Iterator[Site]:
    made = Site(folder, key)
    server = folder / "server"
    server.mkdir(parents=True)
    try:
        postgres.start(server)
        yield made
    finally:
        made.manage("stop_services")
        postgres.stop(server)


def restore(into: Site, dump: Path) -> None:
    """Fill the new database, and bring it to this release."""
    options = ["--no-owner", "--no-comments", "--exit-on-error", "--single-transaction"]
    done(run("pg_restore", *options, f"--dbname={into.address()}", str(dump)))
    done(into.manage("migrate"))


def rows() -> Iterator[tuple[str, int, str]]:
    """Yield each server with the questions answered, of 20, and the first thing that went wrong."""
    with tempfile.TemporaryDirectory(prefix="zol-restore-") as folder:
        place = Path(folder)
        place.chmod(0o755)
        dump = place / "clinic.dump"
        with site(place / "old", "the-old-key-0123456789") as old:
            old.set_up()
            done(old.manage("migrate"))
            done(old.manage("load_hospital", str(MINI), "--publish", "--ingest"))
            done(run("pg_dump", "--format=custom", f"--file={dump}", old.address()))
            yield "the old server, set up", *old.answered()
        with site(place / "new", "another-key-9876543210") as new:
            new.set_up()
            restore(new, dump)
            yield "the new server, restored", *new.answered()


def show(name: str, answered: int, wrong: str) -> None:
    sys.stdout.write(f"{name:32} {answered:2} of {ANSWERS} answered  {wrong}\n")
    sys.stdout.flush()


def main() -> None:
    for row in rows():
        show(*row)


if __name__ == "__main__":
    main()
