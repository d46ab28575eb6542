"""The two hospitals that floors are measured on, in a database of their own.

They are loaded again when anything that decides on their rows or index changed: packs, default
rows, weights, migrations, and the code of taxonomy and retrieval. The folder is `STATE_DIR`.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from lab.__main__ import claim
from lab.paths import ROOT

#: By slug.
PACKS = {
    "zol-demo": ROOT / "zol" / "demo" / "pack",
    "wijdewater": ROOT / "tests" / "elsewhere" / "pack",
    "clairval": ROOT / "tests" / "elsewhere" / "clairval",
}
DEMONSTRATION, ELSEWHERE, FRENCH = PACKS
APPS = frozenset({"zol", "taxonomy", "retrieval", "chat", "evaluation"})
#: What rows and index are made of, beside the packs.
MADE_OF = (
    "*/defaults/**/*", "*/migrations/*.py", "taxonomy/**/*.py", "retrieval/**/*.py",
    "retrieval/**/*.npz", "retrieval/**/*.sql", "*/packs.py",
)  # fmt: skip
#: Tells in the folder that loading began, and what was loaded once that is done.
MARK = "floors.loaded"


def files() -> Iterator[Path]:
    """Yield every file that rows and index are made of."""
    for pack in PACKS.values():
        yield from pack.rglob("*")
    for pattern in MADE_OF:
        yield from (path for path in ROOT.glob(pattern) if path.parts[len(ROOT.parts)] in APPS)


def digest() -> str:
    """Return a fingerprint of what rows and index are made of."""
    found = hashlib.sha256()
    for path in sorted(set(files())):
        if path.is_file() and path.suffix not in {".md", ".pyc"}:
            found.update(str(path.relative_to(ROOT)).encode())
            found.update(path.read_bytes())
    return found.hexdigest()


#: Runs `manage.py` on a folder.
Manage = Callable[..., None]


def _manage(state: Path, *words: str) -> None:
    subprocess.run(  # noqa: S603 (our own program)
        [sys.executable, "manage.py", *words],
        cwd=ROOT,
        env={**os.environ, "STATE_DIR": str(state.resolve())},
        stdout=sys.stderr,
        check=True,
    )


def ready(state: Path, *, fresh: bool = False, manage: Manage = _manage) -> None:
    """Have both hospitals loaded, published and ingested as they are in the working tree.

    The folder is the laboratory's: it is emptied when what is loaded there is out of date.
    """
    mark, wanted = state / MARK, digest()
    if not fresh and mark.is_file() and mark.read_text(encoding="ascii") == wanted:
        return
    if mark.is_file():
        manage(state, "stop_services")
        shutil.rmtree(state)
        claim(state)
    mark.write_text("", encoding="ascii")
    for slug, pack in PACKS.items():
        print(f"Loading {slug} …", file=sys.stderr, flush=True)
        manage(state, "load_hospital", str(pack), "--publish", "--ingest")
    mark.write_text(wanted, encoding="ascii")
