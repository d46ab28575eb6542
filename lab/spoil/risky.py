"""Which statements could do harm: by the product's own rows, in the statement's language."""

from __future__ import annotations

import csv
import re
from collections import defaultdict
from collections.abc import Callable

from lab.paths import ROOT
from zol.text import fold

CUES = ROOT / "chat" / "defaults" / "cues.csv"


def risky_words() -> Callable[[str, str], bool]:
    """Return what says of a text and its language whether it could do harm."""
    found: dict[str, list[str]] = defaultdict(list)
    with CUES.open(encoding="utf-8", newline="") as file:
        for row in csv.reader(file):
            if row[0] == "risky":
                found[row[2]] += [_pattern(each) for each in row[3].split("|")]
    patterns = {each: re.compile("|".join(words)) for each, words in found.items()}

    def is_risky(text: str, language: str) -> bool:
        return language in patterns and bool(patterns[language].search(fold(text)))

    return is_risky


def _pattern(words: str) -> str:
    said = r"\s+".join(re.escape(fold(each)).replace(r"\*", r"\w*") for each in words.split())
    return rf"(?<!\w){said}(?!\w)"
