"""Remembering that something was done, for as long as what it was done from stays the same."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Mark:
    """A file that holds the digest of what was done."""

    path: Path
    digest: str

    def is_set(self) -> bool:
        return self.path.exists() and self.path.read_text(encoding="ascii") == self.digest

    def set(self) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_text(self.digest, encoding="ascii")


def digest(folders: Iterable[Path], *others: str) -> str:
    """Return one digest of every file of some folders and of some texts."""
    total = hashlib.sha256("\0".join(others).encode())
    for folder in folders:
        for path in sorted(each for each in folder.rglob("*") if each.is_file()):
            total.update(str(path.relative_to(folder)).encode())
            total.update(hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()
