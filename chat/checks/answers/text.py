"""An answer taken apart into the sentences that are checked, and put together without some."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

_LINE = re.compile(r"^(?P<start>\s*(?:>\s*)?(?:[-*•]\s+|\d+[.)]\s+)?)(?P<said>.*)$")
#: A sentence ends at its full stop and the numbers of its sources behind it.
_END = re.compile(
    r"(?<=[.!?;·])(?<!\b[A-Z]\.)(?<!\b[Dd]r\.)(?<!\b[Pp]rof\.)((?:\s*\[\d+\])*)\s+"
    r"(?=[^\W\d_]|[\"“«(*])"
)
_MARK = re.compile(r"\[(\d+)\]")
_SPACED_MARK = re.compile(r"( *)\[(\d+)\]")
#: Between the brackets of a quotation's own note, so that nobody takes it for a source's number.
JOINER = "\u2060"


def without_marks(quoted: str) -> str:
    """Return quoted words whose own "[1]" can no longer be taken for the number of a source."""
    return _MARK.sub(lambda found: f"[{JOINER}{found[1]}{JOINER}]", quoted)


def marks_in(text: str) -> tuple[int, ...]:
    """Return the numbers of sources in a text, in order, each once."""
    return tuple(dict.fromkeys(int(number) for number in _MARK.findall(text)))


def renumbered(text: str, numbers: dict[int, int]) -> str:
    """Return a text with other numbers of sources; one that has none is left out."""

    def new(found: re.Match[str]) -> str:
        number = numbers.get(int(found[2]))
        return f"{found[1]}[{number}]" if number else ""

    return _SPACED_MARK.sub(new, text)


def sentences(line: str) -> Iterator[str]:
    """Yield the sentences of a line, each with the numbers of its sources."""
    begin = 0
    for end in _END.finditer(line):
        yield line[begin : end.end(1)].strip()
        begin = end.end()
    yield line[begin:].strip()


def kept(answer: str, holds: Callable[[str], bool]) -> tuple[str, tuple[str, ...]]:
    """Return an answer without the sentences that do not hold, and these.

    A sentence without a number of its own is judged with the next number of its line.
    """
    removed: list[str] = []
    lines = [_kept_line(line, holds, removed) for line in answer.split("\n")]
    text = "\n".join(line for line in lines if line is not None)
    return re.sub(r"\n{3,}", "\n\n", text).strip() if removed else answer, tuple(removed)


def _kept_line(line: str, holds: Callable[[str], bool], removed: list[str]) -> str | None:
    found = _LINE.match(line)
    if found is None or not found["said"].strip():
        return line
    said = list(sentences(found["said"]))
    bad = [s for place, s in enumerate(said) if not holds(s + _mark_after(said, place))]
    removed += bad
    good = [sentence for sentence in said if sentence not in bad]
    if len(good) == len(said):
        return line
    return found["start"] + " ".join(good) if good else None


def _mark_after(said: list[str], place: int) -> str:
    """Return the number that the sentences of a line share, when one has none of its own."""
    for sentence in said[place:]:
        if marks := _MARK.findall(sentence):
            return "" if sentence is said[place] else "".join(f" [{mark}]" for mark in marks)
    return ""
