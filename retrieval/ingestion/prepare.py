"""Prepare a document: draft its chunks from its bytes, without a database.

A separate process reads and splits a document, within limits of time and memory. Each chunk is
indexed with the questions that it answers, taken from its own words: a heading or sentence that is
a question, else the document's title with the heading. A page's summary is two or three of its own
sentences.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from math import log
from typing import Any

from lxml import etree, html

from retrieval.fields import HEADING, PATH, packed, unpacked
from retrieval.ingestion.split import Draft, split
from retrieval.reading import read_here, reader, refuse_unread
from retrieval.reading.blocks import Block, Sort
from retrieval.reading.metadata import FileFacts, facts_of
from zol.runtime.confined import Say
from zol.text import is_row, sentences, words

MOST_QUESTIONS = 2
LONGEST_QUESTION = 300
#: Question marks; the last two are Greek.
MARKS = ("?", ";", "\u037e")


def questions_for(title: str, section: str, text: str, *, language: str) -> tuple[str, ...]:
    """Return one or two canonical questions that a chunk answers."""
    found = dict.fromkeys(_asked(title, section, text, language))
    return tuple(each[:LONGEST_QUESTION] for each in list(found)[:MOST_QUESTIONS])


def _asked(title: str, section: str, text: str, language: str) -> Iterator[str]:
    heading = section.rpartition(PATH)[2]
    marks = MARKS if language == "el" else MARKS[:1]
    if heading.endswith(marks):
        yield _about(title, heading)
    else:
        yield f"{title}: {heading}?" if heading else f"{title.rstrip('?')}?"
    # A question in a table row is a column name.
    lines = (line.removeprefix(HEADING) for line in text.split("\n") if not is_row(line))
    for sentence in (each for line in lines for each in sentences(line)):
        if sentence.endswith(marks) and len(words(sentence)) > 2:
            yield _about(title, sentence)


def _about(title: str, question: str) -> str:
    """Return a question, followed by the page's title unless it has a word of it."""
    known = set(words(question))
    return question if known & set(words(title)) else f"{question} ({title})"


MOST_SENTENCES = 3
#: Fewest and most words of a sentence in a summary.
SHORTEST, LONGEST = 5, 45
#: Shortest content word in letters.
SAYS_SOMETHING = 4


def summarise(blocks: Iterable[Block]) -> str:
    """Return the first sentence of a page and those with the most frequent words, in reading
    order."""
    found = [
        sentence
        for block in blocks
        if block.sort is Sort.TEXT
        for sentence in sentences(block.text)
        if SHORTEST <= len(words(sentence)) <= LONGEST and not sentence.endswith("?")
    ]
    if not found:
        return ""
    weights = _weights(found)
    best = sorted(range(1, len(found)), key=lambda n: (-weights[n], n))[: MOST_SENTENCES - 1]
    return " ".join(found[number] for number in sorted({0, *best}))


def _weights(found: Sequence[str]) -> list[float]:
    """Return for each sentence the frequency of its words on the page, relative to its length."""
    terms = [
        {word for word in words(sentence) if len(word) >= SAYS_SOMETHING} for sentence in found
    ]
    frequency = Counter(word for each in terms for word in each)
    return [
        sum(log(1 + frequency[word]) for word in each if frequency[word] > 1) / (len(each) + 5)
        for each in terms
    ]


def everything_in(data: bytes, media_type: str) -> str:
    """Return all text of a web page, with hidden parts, comments and attributes."""
    if media_type != "text/html" or not data.strip():
        return ""
    try:
        tree = html.fromstring(data)
    except (etree.LxmlError, ValueError):
        return ""
    pieces = []
    for element in tree.iter():
        pieces += [element.text or "", element.tail or ""]
        if isinstance(element.tag, str):
            pieces += [element.get(name, "") for name in ("alt", "title", "content", "aria-label")]
    return " ".join(" ".join(pieces).split())


@dataclass(frozen=True, slots=True)
class PreparedDocument:
    """A document as ingestion would store it. Without drafts it has no text."""

    drafts: tuple[Draft, ...] = ()
    summary: str = ""
    #: All text of a web page, also text that visitors do not see.
    everything: str = ""
    facts: FileFacts = field(default_factory=FileFacts)


def prepare(data: bytes, about: Mapping[str, str], tell: Callable[[str], None]) -> PreparedDocument:
    """Read, split and describe a document in the reader process; report OCR progress and doubts.

    `about` has its "title", "media_type", "language" and "ocr", the languages of OCR or none.

    :raises UnreadableDocument: when a step exceeds its limit of time or memory.
    """
    refuse_unread(data, about["media_type"])
    made = reader.ask(f"{__name__}:prepare_here", data, about, tell=tell)
    drafts = tuple(
        Draft(
            each["content"], each["section"], each["page"], tuple(each["questions"]),
            places=unpacked(each["content"], each["section"], each["places"]),
        )
        for each in made["drafts"]
    )  # fmt: skip
    return PreparedDocument(drafts, made["summary"], made["everything"], FileFacts(**made["facts"]))


def prepare_here(data: bytes, about: Mapping[str, str], say: Say) -> Mapping[str, Any]:
    """Prepare a document inside the reader process; return plain values."""
    title, media_type = about["title"], about["media_type"]
    blocks = read_here(data, media_type, about["ocr"], say)
    say({"step": "Cutting"})
    drafts = [
        {
            "content": draft.content,
            "section": draft.section,
            "page": draft.page,
            "questions": questions_for(
                title, draft.section, draft.content, language=about["language"]
            ),
            "places": packed(draft.content, draft.places),
        }
        for draft in split(blocks, title=title)
    ]
    return {
        "drafts": drafts,
        "summary": summarise(blocks),
        "everything": everything_in(data, media_type),
        "facts": asdict(facts_of(data, media_type, blocks)),
    }
