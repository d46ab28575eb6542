"""What visitors can send and no database takes."""

from __future__ import annotations

import pytest

from zol.text import storable


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        pytest.param("  Waar is de ingang? ", "Waar is de ingang?", id="spaces around"),
        pytest.param("x\x00y", "x y", id="a zero byte"),
        pytest.param("\x00", "", id="nothing but one"),
        pytest.param("\ud83d parkeren", "parkeren", id="half a character"),
        pytest.param("één\nκαρδιά\tığne 🙂", "één\nκαρδιά\tığne 🙂", id="all that people write"),
    ],
)
def test_only_what_can_be_kept_is_kept(sent, kept):
    assert storable(sent) == kept
    assert storable(kept) == kept
