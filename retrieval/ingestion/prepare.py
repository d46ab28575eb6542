"""Prepare a document: draft its chunks from its bytes, without a database.

A separate process reads, splits and links a document, within limits of time and memory. Each chunk
is searched with the questions that it answers, taken from its own words: a heading or sentence that
is a question, else the document's title with the heading. No grammar of any language is assumed. A
page's summary is two or three of its own sentences.
"""

from __future__ import annotations

import json
import logging
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from dataclasses import replace as dataclass_replace
from functools import lru_cache
from math import log
from typing import Any

import regex
from lxml import etree, html

from retrieval.analysis import count_tokens
from retrieval.fields import HEADING, PATH, Place, packed, unpacked
from retrieval.ingestion.split import DocumentPiece, split
from retrieval.reading import read_here, reader, refuse_unread
from retrieval.reading.blocks import Block, Sort
from retrieval.reading.head import FileFacts, facts_of
from zol.runtime.confined import Say
from zol.text import fold, is_row, sentences, words

logger = logging.getLogger(__name__)


MOST_QUESTIONS = 2
LONGEST_QUESTION = 300
#: Questions marks as the offered languages write them; Greek uses a semicolon.
MARKS = ("?", ";", "\u037e")


def questions_for(title: str, section: str, text: str, *, language: str) -> tuple[str, ...]:
    """Return one or two canonical questions."""
    found = dict.fromkeys(_asked(title, section, text, language))
    return tuple(each[:LONGEST_QUESTION] for each in list(found)[:MOST_QUESTIONS])


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
    """Return a question with its subject, which a heading leaves to its page."""
    known = set(words(question))
    return question if known & set(words(title)) else f"{question} ({title})"


MOST_SENTENCES = 3
#: Fewest and most words of a sentence in a summary.
SHORTEST, LONGEST = 5, 45
#: Shortest content word in letters.
SAYS_SOMETHING = 4


def summarise(blocks: Iterable[Block]) -> str:
    """Return the opening sentence and those that share most with the rest, in reading order."""
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
    """Return how much of the page each sentence covers, for its length."""
    terms = [
        {word for word in words(sentence) if len(word) >= SAYS_SOMETHING} for sentence in found
    ]
    frequency = Counter(word for each in terms for word in each)
    return [
        sum(log(1 + frequency[word]) for word in each if frequency[word] > 1) / (len(each) + 5)
        for each in terms
    ]


#: Time limit in seconds per pattern and page: staff may write one that backtracks endlessly.
LONGEST_SEARCH = 1.0


def compiled(patterns: Iterable[str]) -> tuple[Any, ...]:
    """Compile the patterns; log invalid ones."""
    found = []
    for pattern in patterns:
        try:
            found.append(regex.compile(pattern))
        except regex.error as error:
            logger.warning("The attack pattern %r cannot be used: %s", pattern, error)
    return tuple(found)


def addresses_assistant(text: str, patterns: Iterable[Any]) -> bool:
    """Return whether a text contains instructions to an assistant."""
    folded = fold(text)
    return any(_is_in(folded, pattern) for pattern in patterns)


def _is_in(folded: str, pattern: Any) -> bool:
    try:
        return pattern.search(folded, timeout=LONGEST_SEARCH) is not None
    except TimeoutError:
        logger.warning("The attack pattern %r takes too long and is left out", pattern.pattern)
        return False


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


#: Longest name in words.
LONGEST_NAME = 5
#: Shortest name in letters; shorter abbreviations are also ordinary words.
SHORTEST_NAME = 3


class EntitySpellings:
    """The spellings of a hospital's entities, compiled once for many texts."""

    def __init__(self, spellings: Iterable[tuple[str, str]]) -> None:
        """Take pairs of a spelling and its kind."""
        self._kinds: dict[tuple[str, ...], set[str]] = defaultdict(set)
        self._lengths: dict[str, set[int]] = defaultdict(set)
        for text, kind in spellings:
            found = words(text)
            if 0 < len(found) <= LONGEST_NAME and sum(map(len, found)) >= SHORTEST_NAME:
                self._kinds[found].add(kind)
                self._lengths[found[0]].add(len(found))

    def kinds_in(self, text: str) -> tuple[str, ...]:
        """Return the kinds of the entities named in a text, sorted."""
        found = words(text)
        kinds: set[str] = set()
        for start, word in enumerate(found):
            for length in self._lengths.get(word, ()):
                kinds |= self._kinds.get(found[start : start + length], set())
        return tuple(sorted(kinds))


@dataclass(frozen=True, slots=True)
class IngestionKnowledge:
    names: EntitySpellings
    patterns: tuple[Any, ...]


@lru_cache(maxsize=1)
def understood(written: str) -> IngestionKnowledge:
    """Return what `knowledge` serialised, compiled once for many texts."""
    spellings, patterns = json.loads(written)
    return IngestionKnowledge(EntitySpellings(spellings), compiled(patterns))


@dataclass(frozen=True, slots=True)
class Draft:
    """A chunk as ingestion would make it."""

    content: str
    section: str
    page: int
    questions: tuple[str, ...]
    entity_kinds: tuple[str, ...]
    tokens: int
    source_hash: str
    #: Of each line of the content (retrieval/fields.py).
    places: tuple[Place, ...] = ()
    #: Its place in the document; so far only staff fill it in.
    context: str = ""


@dataclass(frozen=True, slots=True)
class PreparedDocument:
    """A document as ingestion would make it. No drafts: it holds no text."""

    drafts: tuple[Draft, ...] = ()
    summary: str = ""
    has_instructions: bool = False
    facts: FileFacts = field(default_factory=FileFacts)


@dataclass(frozen=True, slots=True)
class DocumentDescription:
    """What is known about a document besides its bytes."""

    title: str
    media_type: str
    language: str = "nl"
    #: OCR languages; empty: no OCR.
    ocr: str = ""


def prepare(
    data: bytes, about: DocumentDescription, known: str, tell: Callable[[str], None]
) -> PreparedDocument:
    """Read, split and enrich a document in the reader process; report OCR progress and doubts.

    :raises UnreadableDocument: when a step exceeds its limit of time or memory.
    """
    refuse_unread(data, about.media_type)
    work = f"{__name__}:prepare_here"
    made = reader.ask(work, data, asdict(about), known=known, tell=tell)
    drafts = tuple(map(_read, made["drafts"]))
    facts = FileFacts(**made["facts"])
    return PreparedDocument(drafts, made["summary"], made["has_instructions"], facts)


def _read(said: dict[str, Any]) -> Draft:
    lists: dict[str, Any] = {n: tuple(said.pop(n)) for n in ("questions", "entity_kinds")}
    said["places"] = unpacked(said["content"], said["section"], said["places"])
    return Draft(**said, **lists)


def _said(draft: Draft) -> dict[str, Any]:
    places = packed(draft.content, draft.places)
    return asdict(dataclass_replace(draft, places=())) | {"places": places}


def prepare_here(data: bytes, asked: Mapping[str, str], known: str, say: Say) -> Mapping[str, Any]:
    """Prepare a document step by step inside the reader process."""
    about, knows = DocumentDescription(**asked), understood(known)
    blocks = read_here(data, about.media_type, about.ocr, say)
    say({"step": "Cutting"})
    pieces, summary = split(blocks, title=about.title), summarise(blocks)
    say({"step": "Linking"})
    drafts = [_said(_draft(piece, about, knows)) for piece in pieces]
    visible = "\n".join(block.text for block in blocks)
    everything = f"{visible}\n{everything_in(data, about.media_type)}"
    return {
        "drafts": drafts,
        "summary": summary,
        "has_instructions": addresses_assistant(everything, knows.patterns),
        "facts": asdict(facts_of(data, about.media_type, blocks)),
    }


def _draft(piece: DocumentPiece, about: DocumentDescription, known: IngestionKnowledge) -> Draft:
    heading = f"{about.title}\n{piece.section}\n{piece.text}"
    return Draft(
        content=piece.text,
        section=piece.section,
        page=piece.page,
        questions=questions_for(about.title, piece.section, piece.text, language=about.language),
        entity_kinds=known.names.kinds_in(heading),
        tokens=count_tokens(piece.text),
        source_hash=piece.source_hash,
        places=piece.places,
    )
