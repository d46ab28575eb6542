"""A page as lines and sentences, each with the heading it stands under."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from taxonomy.population.page import Page, Passage
from zol.sentences import sentences
from zol.table_lines import names_columns

#: Before a heading within a passage.
HEADING = "## "
#: Words of a line that is the label of the line after it.
LABEL = 3


class Line(NamedTuple):
    text: str
    section: str
    #: The line before it, such as the label of a list of properties.
    before: str = ""


def lines_of(passage: Passage) -> Iterator[Line]:
    """Yield the lines of a passage under the heading that each stands under."""
    section, before = passage.section, ""
    for text in passage.text.split("\n"):
        if text.startswith(HEADING):
            section, before = text[len(HEADING) :].strip(), ""
        elif text.strip() and not names_columns(text):
            yield Line(text.strip(), section, before)
            before = text.strip()


def statements_of(page: Page) -> Iterator[tuple[str, str]]:
    """Yield every sentence, and the words that announce it: its heading and label."""
    for passage in page.passages:
        for line in lines_of(passage):
            for sentence in sentences(line.text):
                label = line.before if len(line.before.split()) <= LABEL else ""
                yield sentence, f"{line.section} {label}".strip()
