"""Leaving out of a context what has nothing to do with the question (Wang et al. 2023, FILCO)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from retrieval.statements import HEADING
from zol.sentences import sentences
from zol.table_lines import is_row, names_columns


def filtered(text: str, keeps: Callable[[str, str], bool]) -> str:
    """Return a text without the sentences and rows that are not kept.

    `keeps` is given a sentence and the heading it stands under. Headings and names of columns stay
    where something under them does.
    """
    return "\n".join(_lines(text, keeps))


def _lines(text: str, keeps: Callable[[str, str], bool]) -> Iterator[str]:
    heading, waiting = "", []
    for line in filter(str.strip, text.splitlines()):
        if line.startswith(HEADING):
            heading, waiting = line.removeprefix(HEADING), [line]
            continue
        if names_columns(line):
            waiting = [*(held for held in waiting if held.startswith(HEADING)), line]
            continue
        whole = [line] if is_row(line) else list(sentences(line))
        kept = _with_next(whole, [keeps(sentence, heading) for sentence in whole])
        if kept:
            yield from waiting
            waiting = []
            yield " ".join(kept)


def _with_next(whole: list[str], fits: list[bool]) -> list[str]:
    """Return the sentences that fit, each with the one behind it: "Daarna betaalt u …"."""
    return [sentence for at, sentence in enumerate(whole) if fits[at] or (at > 0 and fits[at - 1])]
