"""Fonts of signs: what they show for a letter."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

#: Signs stand at these numbers, or at the same ones in the private area.
_FIRST, _LAST, _PRIVATE = 0x20, 0xFF, 0xF000


def in_font(text: str, font: str) -> str:
    """Return a text with the signs that a font of signs shows for its letters."""
    shown = signs().get(font)
    if shown is None:
        return text
    return "".join(_sign(ord(letter), shown) for letter in text)


def _sign(code: int, shown: str) -> str:
    place = code - _PRIVATE if code >= _PRIVATE else code
    return shown[place - _FIRST] if _FIRST <= place <= _LAST else chr(code)


@cache
def signs() -> dict[str, str]:
    """Return of each font of signs, named in small letters, what it shows from the space on."""
    found: dict[str, str] = json.loads(Path(__file__).with_name("symbols.json").read_text("utf-8"))
    return found
