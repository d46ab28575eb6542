"""Keep which concepts and words the example questions of each need hold.

    .venv/bin/python -m lab.needs.words

Writes `chat/defaults/need_words.npz` from `../data/needs_examples.csv` and the default lexicon:
run it after either was edited. The facts of a hospital are matched with it.
"""

from __future__ import annotations

import csv
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np

from chat.sources.facts import NEED_WORDS
from lab.paths import LEXICON, NEED_EXAMPLES
from taxonomy.language.lexicon import FUNCTION, Lexicon
from zol.text import words


def rows_of(path: Path) -> list[dict[str, str]]:
    """Return the rows of a table."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def kept() -> dict[str, Any]:
    """Return the arrays of the file: concepts by need, words by language."""
    lexicon = Lexicon(rows_of(LEXICON))
    concepts, spoken = defaultdict(set), defaultdict(set)
    for row in rows_of(NEED_EXAMPLES):
        said = words(row["example"])
        spoken[row["language"]].update(said)
        first = (use.concepts[0] for use in lexicon.read(said, row["language"]))
        concepts[row["key"]].update(each.name for each in first if each.kind != FUNCTION)
    return {
        "needs": np.array(sorted(concepts)),
        "languages": np.array(sorted(spoken)),
        **{f"needs.{name}": np.array(sorted(of), dtype=str) for name, of in concepts.items()},
        **{f"languages.{code}": np.array(sorted(of)) for code, of in spoken.items()},
    }


if __name__ == "__main__":
    np.savez_compressed(NEED_WORDS, **kept())
