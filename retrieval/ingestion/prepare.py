"""A document's bytes as drafts of its chunks: everything that needs no database."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from retrieval.analysis import count_tokens
from retrieval.ingestion.contextualise import contextualise
from retrieval.ingestion.flags import addresses_assistant, everything_in
from retrieval.ingestion.knowledge import Knowledge
from retrieval.ingestion.question import questions_for
from retrieval.ingestion.read import Block, read
from retrieval.ingestion.read.blocks import Sort
from retrieval.ingestion.split import Piece, split
from retrieval.ingestion.summarise import summarise


@dataclass(frozen=True, slots=True)
class Draft:
    """A chunk as ingestion would make it."""

    content: str
    section: str
    page: int
    context: str
    questions: tuple[str, ...]
    category: str
    category_evidence: dict[str, Any]
    entity_kinds: tuple[str, ...]
    tokens: int
    source_hash: str


@dataclass(frozen=True, slots=True)
class Prepared:
    """A document as ingestion would make it. No drafts: it holds no text."""

    drafts: tuple[Draft, ...] = ()
    summary: str = ""
    has_instructions: bool = False


@dataclass(frozen=True, slots=True)
class Description:
    """What is known of a document besides its bytes."""

    title: str
    media_type: str
    language: str = "nl"
    category_override: str = ""
    #: In which languages pages that are pictures are read; none: they are not.
    ocr: str = ""


def prepare(
    data: bytes, about: Description, known: Knowledge, tell: Callable[[str], None]
) -> Prepared:
    """Read, split and enrich a document; tell how far OCR is, and at last what it doubts."""
    blocks = read(data, about.media_type, ocr=about.ocr, tell=tell)
    drafts = tuple(
        _draft(piece, _opening(blocks), about, known) for piece in split(blocks, title=about.title)
    )
    visible = "\n".join(block.text for block in blocks)
    everything = f"{visible}\n{everything_in(data, about.media_type)}"
    return Prepared(drafts, summarise(blocks), addresses_assistant(everything, known.patterns))


def _opening(blocks: Sequence[Block]) -> str:
    return next((block.text for block in blocks if block.sort is Sort.TEXT), "")


def _draft(piece: Piece, opening: str, about: Description, known: Knowledge) -> Draft:
    category, evidence = classified(
        known, piece.text, about.title, piece.section, about.category_override
    )
    heading = f"{about.title}\n{piece.section}\n{piece.text}"
    return Draft(
        content=piece.text,
        section=piece.section,
        page=piece.page,
        context=contextualise(about.title, piece.section, opening),
        questions=questions_for(about.title, piece.section, piece.text, language=about.language),
        category=category,
        category_evidence=evidence,
        entity_kinds=known.names.kinds_in(heading),
        tokens=count_tokens(piece.text),
        source_hash=piece.source_hash,
    )


def classified(
    known: Knowledge, text: str, title: str, section: str, override: str
) -> tuple[str, dict[str, Any]]:
    """Return category and evidence; what staff said of the document goes before the keywords."""
    if override:
        return override, {"override": override}
    verdict = known.classifier.classify(text, title=title, section=section)
    return verdict.category, verdict.evidence()
