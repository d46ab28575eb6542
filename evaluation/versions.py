"""What an evaluation was measured on, so that it can be told from another and repeated."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from django.conf import settings

from retrieval.embedding import get_embedder
from retrieval.selectors import corpus_revision
from taxonomy.selectors import live_snapshot
from taxonomy.snapshot import Snapshot


def versions() -> dict[str, Any]:
    """Return all versions that decide on the answers of the served hospital."""
    snapshot, embedder = live_snapshot(), get_embedder()
    return {
        "taxonomy": snapshot.version,
        "corpus": corpus_revision(),
        "steering": _rows_digest(snapshot, "retrieval."),
        "texts": _rows_digest(snapshot, "chat."),
        "engine": "embedded",
        "embedding": f"{embedder.name} {embedder.model} {embedder.dimensions}".replace("  ", " "),
        "commit": commit(),
    }


def _rows_digest(snapshot: Snapshot, prefix: str) -> str:
    """Return what tells published rows from others: the numbers of versions differ per database."""
    rows = {name: found for name, found in snapshot.rows.items() if name.startswith(prefix)}
    text = json.dumps(rows, sort_keys=True, default=dict)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def commit() -> str:
    """Return the commit of the code: as deployed (the setting COMMIT), else as checked out."""
    deployed = str(getattr(settings, "COMMIT", ""))
    return deployed or _checked_out(Path(settings.BASE_DIR) / ".git")


def _checked_out(git: Path) -> str:
    """Read the commit from git's own files; empty when the code is not a checkout."""
    if git.is_file():  # A linked work tree: the file says where its folder is.
        git = (git.parent / git.read_text(encoding="utf-8").partition(":")[2].strip()).resolve()
    head = _read(git / "HEAD")
    if not head.startswith("ref: "):
        return head
    name = head.removeprefix("ref: ")
    shared = (git / (_read(git / "commondir") or ".")).resolve()
    return _read(git / name) or _read(shared / name) or _packed(_read(shared / "packed-refs"), name)


def _read(file: Path) -> str:
    return file.read_text(encoding="utf-8").strip() if file.is_file() else ""


def _packed(refs: str, name: str) -> str:
    for line in refs.splitlines():
        found, _, ref = line.partition(" ")
        if ref == name:
            return found
    return ""
