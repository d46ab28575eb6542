"""From a turn's dossier to the evidence that a model reads and is held to."""

from __future__ import annotations

import re
from collections.abc import Iterator

from chat.answering.citations import iso
from chat.answering.fact_sentences import facts_of
from chat.answering.phrasing import Teller
from chat.checking.evidence import Evidence, EvidenceLine, Exhibit
from chat.checking.knowledge import knowledge_of
from chat.safety.injection import injection_patterns_of
from chat.tools import Tools
from chat.turn import Citation, Context
from retrieval.assembly import Block
from retrieval.passage import Passage
from retrieval.statements import lines

#: What could close the quotation marks around a passage.
_TAG = re.compile(r"</?\s*(passage|facts|context)\b[^>]*>", re.IGNORECASE)


def evidence_for(ctx: Context, tools: Tools) -> Evidence:
    """Return the documents of the dossier, numbered in order, and the facts that join them."""
    exhibits = tuple(
        _exhibit(number, block, tools) for number, block in enumerate(ctx.dossier.blocks, start=1)
    )
    teller = Teller(tools.snapshot.vocabulary, tools.phrases, ctx.understanding.language)
    with_facts = tools.is_on("taxonomy") and ctx.dossier.with_facts
    facts = tuple(fact.text for fact in facts_of(ctx.findings, teller)) if with_facts else ()
    known = tools.snapshot.derived(knowledge_of)
    return Evidence(
        exhibits,
        (*facts, *ctx.ontology),
        own=known.own,
        language=ctx.understanding.language,
        figures=known.figures,
    )


def _exhibit(number: int, block: Block, tools: Tools) -> Exhibit:
    best, source = block.best, block.best.source
    citation = Citation(
        n=number,
        title=source.title,
        url=source.url,
        passage=best.text,
        page=best.page,
        document_id=source.document_id,
        chunk_id=best.chunk_id,
        language=source.language,
        updated_on=iso(source.updated_on),
    )
    text = without_instructions(block.text, tools)
    return Exhibit(citation, f"{source.title}\n{text}", tuple(_statements(block.passages, text)))


def _statements(passages: tuple[Passage, ...], text: str) -> Iterator[EvidenceLine]:
    title = passages[0].source.title
    for line in lines(text):
        yield EvidenceLine(f"{title} · {line.above} · {line.text}", line.is_row)


def without_instructions(text: str, tools: Tools) -> str:
    """Return a passage without lines that speak to an assistant, and without our own marks.

    Whoever may write on a page must not be able to give orders to a model that reads it.
    """
    patterns = tools.snapshot.derived(injection_patterns_of)
    return patterns.without_attacks(_TAG.sub(" ", text))


def rendered(evidence: Evidence) -> str:
    """Return the evidence as a model reads it: numbered, and marked as quoted material."""
    passages = (
        f'<passage number="{exhibit.n}">\n{exhibit.text}\n</passage>'
        for exhibit in evidence.exhibits
    )
    facts = "\n".join(f"- {fact}" for fact in evidence.facts)
    told = f"<facts>\n{facts}\n</facts>" if facts else ""
    return "\n\n".join(filter(None, (told, *passages)))
