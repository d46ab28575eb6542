"""The text of a model's answer as it grows: statements with the numbers of their sources, and lines
printed as their page has them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from chat.checking.base import Form, Line, LineKind, NumberedEvidence, Source
from chat.phrases import Phrases
from chat.turn import Citation
from retrieval.fields import PATH
from zol.markdown import Markdown, escaped

#: Sentences of a paragraph, from which one about another page begins the next.
OF_PARAGRAPH = 2


class WrittenAnswer:
    """Hands out pieces of an answer and remembers them: the whole text, its sources in the order in
    which they are first shown, and which of their lines stand in it."""

    def __init__(self, evidence: NumberedEvidence, phrases: Phrases, language: str) -> None:
        self._evidence, self._phrases, self._language = evidence, phrases, language
        self._sources: dict[int, dict[str, Line]] = {}
        self._others: list[Citation] = []
        #: Lines whose own words were printed.
        self.printed: dict[str, Line] = {}
        self.text = ""
        self._last: Form | None = None
        self._paragraph: list[tuple[int, ...]] = []

    @property
    def citations(self) -> tuple[Citation, ...]:
        """The sources by their numbers, each with its lines and the chunks that have them."""
        own = (
            _cited(self._evidence.by_number[n], tuple(lines.values()), at)
            for at, (n, lines) in enumerate(self._sources.items(), start=1)
        )
        return (*own, *self._others)

    def say(self, text: str, lines: Sequence[Line], form: Form, behind: str = "") -> str:
        """Return the piece that says a statement; `behind` is a remark on it."""
        said = " ".join(filter(None, (escaped(text), self._marks(lines), behind)))
        sources = tuple(dict.fromkeys(self._evidence.source_of(line).n for line in lines))
        if form is Form.ITEM:
            between = "\n" if self._last is Form.ITEM else "\n\n"
            return self._add(f"- {said}", between, form)
        is_full = len(self._paragraph) >= OF_PARAGRAPH
        turns = is_full and bool(sources) and set(sources).isdisjoint(self._paragraph[-1])
        between = " " if self._last is Form.SENTENCE and not turns else "\n\n"
        if between != " ":
            self._paragraph = []
        self._paragraph.append(sources)
        return self._add(said, between, Form.SENTENCE)

    def show(self, lines: Iterable[Line], *, is_quotation: bool = False) -> str:
        """Return the piece that prints lines which were not printed yet, with the language of those
        in another than the asker's; as a quotation in place of a statement, or by themselves."""
        new = [line for line in lines if line.id not in self.printed]
        self.printed |= {line.id: line for line in new}
        pieces = []
        for (_, above, code), group in groupby(
            new, key=lambda line: (self._evidence.source_of(line).n, line.above, line.language)
        ):
            if code and code != self._language:
                named = self._phrases.say(f"language_name_{code}", self._language) or code
                told = self._phrases.say("quote_language", self._language, language_name=named)
                pieces.append(self.remark(told))
            printed = list(self._printed(tuple(group), above))
            if is_quotation:
                printed = [f"> {line}".rstrip() for line in printed]
            pieces.append(self._add("\n".join(printed), "\n\n", Form.SHOW))
        return "".join(pieces)

    def remark(self, text: str, citations: Sequence[Citation] = ()) -> str:
        """Return the piece that says something of the product's own, which is Markdown already; its
        marks, if it has any, count the citations."""
        for each in citations:
            known = {one.url: one.n for one in self.citations if one.url}
            number = known.get(each.url) or len(self.citations) + 1
            text = text.replace(f"[{each.n}]", f"[\0{number}]")
            if each.url not in known and f"[\0{number}]" in text:
                self._others.append(replace(each, n=number))
        return self._add(text.replace("\0", ""), "\n\n", Form.SHOW) if text else ""

    def _add(self, text: str, between: str, form: Form) -> str:
        piece = f"{between}{text}" if self.text else text
        self.text += piece
        self._last = form
        return piece

    def _marks(self, lines: Iterable[Line]) -> str:
        marks: dict[int, None] = {}
        for line in lines:
            n = self._evidence.source_of(line).n
            self._sources.setdefault(n, {})[line.id] = line
            marks[[*self._sources].index(n) + 1] = None
        return Markdown(" ".join(f"[{mark}]" for mark in marks))

    def _printed(self, lines: Sequence[Line], above: str) -> Iterator[str]:
        """Yield lines that stand under the same, in Markdown, with the number of their source."""
        over = above.rpartition(PATH)[2]
        mark = self._marks(lines)
        heads = tuple(head for head, _ in lines[0].cells)
        if len(heads) > 1 and all(tuple(h for h, _ in line.cells) == heads for line in lines):
            yield from (f"**{escaped(over)}** {mark}", "") if over else ()
            yield _row(heads)
            yield "|---" * len(heads) + "|"
            yield from (_row(cell for _, cell in line.cells) for line in lines)
            yield from () if over else ("", mark)
            return
        yield from (f"**{escaped(over)}**",) if over else ()
        is_list = any(line.kind is not LineKind.SENTENCE for line in lines)
        said = [_item(line) if is_list else escaped(line.text) for line in lines]
        yield from said[:-1]
        yield f"{said[-1]} {mark}"


def _row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(escaped(cell).replace("|", "\\|") for cell in cells) + " |"


def _item(line: Line) -> str:
    mark = line.mark if line.mark[:1].isdigit() else "-"
    return f"{mark} {escaped(line.text)}"


def _cited(source: Source, lines: Sequence[Line], number: int) -> Citation:
    """Return a source as a citation of these lines: their words, and the chunks they stand in."""
    chunks = tuple(dict.fromkeys(line.chunk_id for line in lines if line.chunk_id))
    return replace(
        source.citation,
        n=number,
        passage="\n".join(line.text for line in lines),
        chunk_id=chunks[0] if chunks else source.citation.chunk_id,
        also=chunks[1:],
    )
