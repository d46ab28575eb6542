"""What is doubtful about the cells of a file, for whoever looks at the preview."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class Weight(StrEnum):
    """What becomes of a doubt."""

    #: Said, and read all the same.
    SAID = "said"
    #: Said; the field stays as it is.
    LEFT = "left"
    #: A mistake, unless its column holds dates.
    DATE = "date"
    #: A mistake: nothing of the file is taken over.
    WRONG = "wrong"


class CellDoubt(NamedTuple):
    """A doubt by the number of its column, from 1; 0 is the row or the sheet as a whole."""

    row: int
    column: int
    sentence: str
    weight: Weight


class Doubt(NamedTuple):
    """A doubt by the name of its column; none for the row as a whole."""

    row: int
    column: str
    sentence: str
    weight: Weight
