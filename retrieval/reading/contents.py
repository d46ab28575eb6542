"""Find a document's table of contents, which is left out.

Its lines end in page numbers that never decrease, and at least half of its names occur again as
lines further on: in a PDF at a constant distance from the named page. Outside PDFs the lines must
also have leader dots, so that a price list is not taken for one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from zol.text import words

_ENTRY = re.compile(
    r"(?P<name>.*?\w.*?)(?P<dots>[\s.\u2026\u2025\u00b7_]+)(?P<page>\d{1,3}|[ivxl]{1,6})"
)
_DOTS = re.compile(r"(?:[.\u2026\u2025\u00b7_]\s?){3}|\u2026")
#: Longest entry in letters, fewest entries, and most words of the title above them.
LONGEST, FEWEST, LONGEST_TITLE = 160, 2, 3


def contents(texts: Sequence[str], pages: Sequence[int] = ()) -> set[int]:
    """Return the indices of the lines of a table of contents and of its title.

    `pages` has the page number of each text.
    """
    runs = [run for run in _runs(texts, are_dotted=not pages) if len(run) >= FEWEST]
    if not runs:
        return set()
    last = {_bare(text): at for at, text in enumerate(texts) if len(text) <= LONGEST}
    found: set[int] = set()
    for run in runs:
        there = Counter[int]()
        for at in run:
            name, _, page = _ENTRY.fullmatch(texts[at]).groups()  # type: ignore[union-attr]
            if (place := last.get(_bare(name), 0)) > run[-1]:
                there[pages[place] - int(page) if pages and page.isdecimal() else 0] += 1
        if 2 * max(there.values(), default=0) >= max(2 * FEWEST, len(run)):
            first = run[0]
            is_titled = first > 1 and len(texts[first - 1].split()) <= LONGEST_TITLE
            found |= {*range(first - is_titled, run[-1] + 1)}
    return found


def _runs(texts: Sequence[str], *, are_dotted: bool) -> Iterator[list[int]]:
    """Yield the indices of successive entries; an entry may span two lines."""
    run: list[int] = []
    last = 0
    for at, text in enumerate(texts):
        entry = _ENTRY.fullmatch(text) if len(text) <= LONGEST else None
        if entry is None or (are_dotted and not _DOTS.search(entry["dots"])):
            continue
        page = int(entry["page"]) if entry["page"].isdecimal() else 0
        if run and (at - run[-1] > 2 or 0 < page < last):
            yield run
            run, last = [], 0
        run.append(at)
        last = max(last, page)
    if run:
        yield run


def _bare(text: str) -> str:
    """Return the folded words of a name without its number: "2.1 After" becomes "after"."""
    found = words(text)
    return " ".join([each for each in found if not each.isdecimal()] or found)
