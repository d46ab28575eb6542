"""Fixtures: the small hospital, and a copy of its pack."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.answering import mini_hospital
from tests.packs import MINI
from zol.models import Hospital
from zol.tenancy import serving


@pytest.fixture
def pack(tmp_path) -> Path:  # type: ignore[no-untyped-def]
    """A copy of the small pack that a test may spoil."""
    return shutil.copytree(MINI, tmp_path / "pack")


@pytest.fixture
def mini(untouched: None, db: None, tmp_path, settings) -> Iterator[Hospital]:  # type: ignore[no-untyped-def]
    """The small hospital, loaded and served; its rows are rolled back, its files a copy."""
    settings.MEDIA_ROOT = shutil.copytree(settings.MEDIA_ROOT, tmp_path / "media")
    row = mini_hospital()
    with serving(row):
        yield row


def spoil(pack: Path, file: str, old: str, new: str) -> None:
    """Replace a text in a file of a pack, once."""
    path = pack / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
