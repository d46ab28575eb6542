"""What visitors can send and no database takes, and signs that say nothing."""

from __future__ import annotations

import pytest

from zol.text import fold, storable


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


@pytest.mark.parametrize("sign", ["\u00ad", "\u200b", "\u200c", "\u200d", "\u2060", "\ufeff"])
def test_signs_without_width_part_no_word(sign):
    assert fold(f"Bezoek{sign}uren") == "bezoekuren"
    assert storable(f"bezoek{sign}uren {sign}morgen") == "bezoekuren morgen"


@pytest.mark.parametrize(
    "text", ["👩\u200d⚕️ 👨\u200d👩\u200d👧", "❤️\u200d🔥", "می\u200cخواهم", "क्\u200dष"]
)
def test_joiners_that_say_something_stay(text):
    assert storable(text) == text
