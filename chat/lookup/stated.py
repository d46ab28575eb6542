"""Whether passages already state what the taxonomy says: then it need not be said twice."""

from __future__ import annotations

import re
from collections.abc import Sequence

from chat.lookup.finding import Finding
from zol.text import fold

_NO_LETTER = re.compile(r"[\W_]+")


def states(texts: Sequence[str], finding: Finding) -> bool:
    """Whether one text names the thing of a finding with all that is said about it."""
    needed = [finding.about.name, *(thing.name for thing in finding.things), finding.value]
    wanted = [plain for plain in map(bare, needed) if plain]
    return len(wanted) > 1 and any(holds(bare(text), wanted) for text in texts)


def holds(text: str, wanted: Sequence[str]) -> bool:
    return all(each in text for each in wanted)


def bare(text: str) -> str:
    """Return the folded letters and digits alone: numbers are written with and without spaces."""
    return _NO_LETTER.sub("", fold(text))
