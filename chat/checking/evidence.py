"""What an answer may rest on: numbered documents, and facts of the published taxonomy."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from chat.checking.figures import Figure, FigureReader
from chat.checking.knowledge import knowledge_of
from chat.turn import Citation, Context
from retrieval.fields import reading
from taxonomy.kinds import Kind
from taxonomy.lookup.finding import Finding
from taxonomy.snapshot import Snapshot
from taxonomy.vocabulary import Thing
from zol.text import word_set


@dataclass(frozen=True, slots=True)
class EvidenceLine:
    """A sentence or row of a document, with the words above it."""

    text: str
    is_row: bool = False


@dataclass(frozen=True, slots=True)
class Exhibit:
    """One document as the answer may cite it."""

    citation: Citation
    #: What was read of it, with its title and headings.
    text: str
    statements: tuple[EvidenceLine, ...] = ()

    @property
    def n(self) -> int:
        return self.citation.n

    def windows(self) -> Iterator[str]:
        """Yield what belongs together: a row by itself, a sentence with the one before it."""
        before = ""
        for said in self.statements:
            if said.is_row:
                yield said.text
            else:
                yield f"{before}\n{said.text}"
            before = "" if said.is_row else said.text


@dataclass(frozen=True)
class Evidence:
    """All that an answer may rest on. Immutable; what is read off it is remembered."""

    exhibits: tuple[Exhibit, ...] = ()
    facts: tuple[str, ...] = ()
    #: What the hospital publishes of itself, told or not: its numbers.
    own: tuple[str, ...] = ()
    #: The language of the facts.
    language: str = "nl"
    figures: FigureReader = field(default_factory=FigureReader)
    #: Words of names that may be said though nothing names them here.
    called: frozenset[str] = frozenset()
    _read: dict[tuple[str, str], tuple[Figure, ...]] = field(
        default_factory=dict, compare=False, repr=False
    )

    @property
    def by_number(self) -> Mapping[int, Exhibit]:
        return {exhibit.n: exhibit for exhibit in self.exhibits}

    def cited(self, numbers: Sequence[int]) -> tuple[Exhibit, ...]:
        known = self.by_number
        return tuple(known[n] for n in numbers if n in known)

    def texts(self, numbers: Sequence[int]) -> tuple[str, ...]:
        """Return the facts, and what was read of the documents with these numbers."""
        return (*self.facts, *self.own, *(exhibit.text for exhibit in self.cited(numbers)))

    def figures_of(self, numbers: Sequence[int]) -> tuple[Figure, ...]:
        """Return the figures of the facts and of these documents, each in its language."""
        told = [(text, self.language) for text in (*self.facts, *self.own)]
        told += [(exhibit.text, exhibit.citation.language) for exhibit in self.cited(numbers)]
        return tuple(
            figure for text, language in told for figure in self.figures_in(text, language)
        )

    def figures_in(self, text: str, language: str) -> tuple[Figure, ...]:
        if (text, language) not in self._read:
            self._read[text, language] = self.figures.read(text, language)
        return self._read[text, language]

    def words_of(self, numbers: Sequence[int]) -> frozenset[str]:
        """Return the folded words of the facts and of these documents."""
        return frozenset().union(*map(word_set, self.texts(numbers)))


def evidence_of(ctx: Context, snapshot: Snapshot, *own: str) -> Evidence:
    """Return the evidence of a whole answer: passages of the documents that are cited, facts, and
    what we say ourselves."""
    read = (*ctx.passages, *(p for block in ctx.dossier.blocks for p in block.passages))
    by_document: dict[int, dict[int, str]] = {}
    for passage in read:
        texts = by_document.setdefault(passage.source.document_id, {})
        said = "\n".join(reading(passage.lines))
        texts[passage.chunk_id] = f"{passage.source.title}\n{passage.section}\n{said}"
    exhibits = (
        Exhibit(each, "\n".join((each.title, each.passage, each.translated, *texts.values())))
        for each in ctx.citations
        for texts in (by_document.get(each.document_id, {}),)
    )
    # A note beside a figure says of which year its page is.
    years = {str(page.updated_on.year) for page in (p.source for p in read) if page.updated_on}
    # … and of how many rows of its table some are shown.
    parts = [part for each in ctx.citations for part in each.parts]
    known = snapshot.derived(knowledge_of)
    return Evidence(
        tuple(exhibits),
        (*known_of(ctx), *sorted(years), *parts, *own),
        own=known.own,
        language=ctx.understanding.language,
        figures=known.figures,
        called=known.called,
    )


def known_of(ctx: Context) -> tuple[str, ...]:
    """Return what the taxonomy told for a turn, and its question."""
    things = (*ctx.understanding.matched(*Kind), *ctx.roster, *ctx.routed)
    return (*said_of(ctx.findings), *data_of(things), ctx.question, str(len(ctx.roster)))


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
