"""The questions that a piece answers, taken from its own words.

A heading or sentence that is a question already is the best one there is; without one, the
document's title with the heading stands for it. No language's grammar is assumed.
"""

from __future__ import annotations

from collections.abc import Iterator

from retrieval.ingestion.split import HEADING, PATH
from zol.sentences import sentences
from zol.table_lines import is_row
from zol.text import words

MOST = 2
LONGEST = 300
#: Questions marks as the offered languages write them; Greek uses a semicolon.
MARKS = ("?", ";", "\u037e")


def questions_for(title: str, section: str, text: str, *, language: str) -> tuple[str, ...]:
    """Return one or two canonical questions."""
    found = dict.fromkeys(_asked(title, section, text, language))
    return tuple(each[:LONGEST] for each in list(found)[:MOST])


def _asked(title: str, section: str, text: str, language: str) -> Iterator[str]:
    heading = section.rpartition(PATH)[2]
    marks = MARKS if language == "el" else MARKS[:1]
    if heading.endswith(marks):
        yield _about(title, heading)
    else:
        yield f"{title}: {heading}?" if heading else f"{title.rstrip('?')}?"
    # A cell of a table that asks is the name of its column.
    said = (line.removeprefix(HEADING) for line in text.split("\n") if not is_row(line))
    for sentence in (each for line in said for each in sentences(line)):
        if sentence.endswith(marks) and len(words(sentence)) > 2:
            yield _about(title, sentence)


def _about(title: str, question: str) -> str:
    """Return a question that names its subject, which a heading leaves to its page."""
    known = set(words(question))
    return question if known & set(words(title)) else f"{question} ({title})"
