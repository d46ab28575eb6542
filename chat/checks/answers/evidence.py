"""What an answer may rely on: the cited sources, and what the taxonomy says."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from chat.checks.answers.text import marks_in
from chat.checks.statements.knowledge import published
from chat.lookup.finding import Finding
from chat.turn import Context
from taxonomy.kinds import Kind
from taxonomy.snapshot import Snapshot
from taxonomy.vocabulary import Thing


@dataclass(frozen=True, slots=True)
class Evidence:
    """The texts that bear out an answer."""

    #: What the sources say, by their number.
    cited: Mapping[int, str]
    #: What the taxonomy, the hospital's own profile and the question say.
    known: str

    def for_sentence(self, sentence: str) -> str:
        """Return what a sentence may rely on: its own sources, and what is known."""
        texts = [self.cited[number] for number in marks_in(sentence) if number in self.cited]
        return "\n".join((*texts, self.known))


def evidence_of(ctx: Context, snapshot: Snapshot, *own: str) -> Evidence:
    """Return the evidence of a turn: passages of the documents that are cited, facts, and what we
    say ourselves."""
    read = (*ctx.passages, *(p for block in ctx.dossier.blocks for p in block.passages))
    by_document: dict[int, dict[int, str]] = {}
    for passage in read:
        texts = by_document.setdefault(passage.source.document_id, {})
        texts[passage.chunk_id] = f"{passage.source.title}\n{passage.section}\n{passage.text}"
    cited = {
        citation.n: "\n".join(
            (
                citation.title,
                citation.passage,
                citation.translated,
                *by_document.get(citation.document_id, {}).values(),
            )
        )
        for citation in ctx.citations
    }
    # A note beside a figure says of which year its page is.
    years = {str(page.updated_on.year) for page in (p.source for p in read) if page.updated_on}
    # … and of how many rows of its table some are shown.
    parts = [part for each in ctx.citations for part in each.parts]
    return Evidence(cited, "\n".join((known_of(ctx, snapshot), *sorted(years), *parts, *own)))


def known_of(ctx: Context, snapshot: Snapshot) -> str:
    things = (*ctx.understanding.matched(*Kind), *ctx.roster, *ctx.routed)
    found = (*said_of(ctx.findings), *data_of(things), *published(snapshot))
    return "\n".join((*found, ctx.question, str(len(ctx.roster))))


def said_of(findings: Iterable[Finding]) -> tuple[str, ...]:
    """Return every text that findings hold, with what is known of the things in them."""
    things = [thing for each in findings for thing in (each.about, *each.things)]
    counts = [str(len(each.things)) for each in findings]
    return (*(each.value for each in findings), *counts, *data_of(things))


def data_of(things: Iterable[Thing]) -> tuple[str, ...]:
    return tuple(
        "\n".join((thing.name, *(str(value) for value in thing.data.values() if value)))
        for thing in dict.fromkeys(things)
    )
