"""Write the text of an answer piece by piece: statements with citation numbers, and lines as on
their page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from chat.checking.base import Citation, Form, Line, LineKind, NumberedEvidence, Role
from chat.phrases import Phrases
from retrieval.fields import PATH
from retrieval.passage import Page
from zol.text import Markdown, escaped

#: Sentences of a paragraph after which a sentence about another page begins a new one.
OF_PARAGRAPH = 2
#: Maximum rows shown without a note on how many there are: so few were asked for.
CHOSEN = 1


class WrittenAnswer:
    """The text of an answer, its sources in order of first use, and the lines shown.

    Each method adds a piece and returns it.
    """

    def __init__(
        self, evidence: NumberedEvidence, phrases: Phrases, language: str, *, quotes: bool = False
    ) -> None:
        self._evidence, self._phrases, self._language = evidence, phrases, language
        #: Whether page lines, except tables, are always shown as quotations.
        self.quotes = quotes
        self._sources: dict[str, dict[str, Line]] = {}
        self._others: list[Citation] = []
        #: Lines of pages that were only referred to.
        self._named: set[str] = set()
        #: Lines printed verbatim.
        self.printed: dict[str, Line] = {}
        #: Languages of paraphrased lines.
        self.paraphrased_from: set[str] = set()
        self.text = ""
        self._last: Form | None = None
        #: Text and language of the last lines shown.
        self._ends = ""
        self._shown_language = language
        self._paragraph: list[tuple[int, ...]] = []

    @property
    def citations(self) -> tuple[Citation, ...]:
        """Return the citations by number, each with its lines and their chunks."""
        own = (
            _cited(
                self._citation_of(next(iter(lines.values()))),
                [line for line in lines.values() if line.id not in self._named],
                at,
            )
            for at, lines in enumerate(self._sources.values(), start=1)
        )
        return (*own, *self._others)

    def add_statement(self, text: str, lines: Sequence[Line], form: Form, behind: str = "") -> str:
        """Add a statement; `behind` is a remark on it."""
        self.paraphrased_from |= {line.language for line in lines if line.language}
        piece = " ".join(filter(None, (escaped(text), self._marks(lines), behind)))
        sources = tuple(dict.fromkeys(self._evidence.source_of(line).n for line in lines))
        if form is Form.ITEM:
            between = "\n" if self._last is Form.ITEM else "\n\n"
            return self._add(f"- {piece}", between, form)
        is_full = len(self._paragraph) >= OF_PARAGRAPH
        is_other = is_full and bool(sources) and set(sources).isdisjoint(self._paragraph[-1])
        between = " " if self._last is Form.SENTENCE and not is_other else "\n\n"
        if between != " ":
            self._paragraph = []
        self._paragraph.append(sources)
        return self._add(piece, between, Form.SENTENCE)

    def show(self, lines: Iterable[Line], *, is_quotation: bool = False) -> str:
        """Add the lines not shown yet, with a note if they are in another language; `is_quotation`
        where they replace a statement."""
        new = [line for line in lines if line.id not in self.printed]
        self.printed |= {line.id: line for line in new}
        self._named -= self.printed.keys()
        pieces = []
        for (_, over, code, _), group in groupby(new, key=self._group_of):
            shown = tuple(group)
            if code and code not in {self._language, self._shown_language}:
                named = self._phrases.say(f"language_name_{code}", self._language) or code
                note = self._phrases.say("quote_language", self._language, language_name=named)
                pieces.append(self.remark(note))
            self._shown_language = code
            # The opening of a list was just printed.
            above = "" if self._ends and over.endswith(self._ends) else over
            self._ends = shown[-1].text
            is_own = shown[0].role is not None
            printed = list(self._data(shown, above) if is_own else self._printed(shown, above))
            is_text = self.quotes and not is_own and shown[0].kind is not LineKind.ROW
            if is_quotation or is_text or (is_own and code != self._language):
                printed = [f"> {line}".rstrip() for line in printed]
            pieces.append(self._add("\n".join(printed), "\n\n", Form.SHOW))
            if not (is_own or is_quotation):
                pieces.append(self._counted(shown))
        return "".join(pieces)

    def _group_of(self, line: Line) -> tuple[int, str, str, Role | None]:
        """Return the key of lines that are printed together."""
        return self._evidence.source_of(line).n, line.above, line.language, line.role

    def refer(self, lines: Iterable[Line]) -> str:
        """Add a reference to the pages of lines, for further reading."""
        titles = {self._citation_of(line).title: line for line in lines}
        known = {self._key(line) for line in self.printed.values()}
        new = {title: line for title, line in titles.items() if self._key(line) not in known}
        if not new:
            return ""
        read_on = self._phrases.say("read_on", self._language)
        self._named |= {line.id for line in new.values()}
        named = (f"{escaped(title)} {self._marks([line])}" for title, line in new.items())
        return self._add(Markdown(f"{read_on} {' · '.join(named)}"), "\n\n", Form.PAGE)

    def remark(self, text: str, page: Page | None = None) -> str:
        """Add a remark of the product, already Markdown, with the number of its page."""
        if page:
            known = {each.url: each.n for each in self.citations if each.url}
            number = known.get(page.url) or len(self.citations) + 1
            if page.url not in known:
                self._others.append(Citation.of_page(page, number))
            text = f"{text} [{number}]"
        return self._add(text, "\n\n", Form.SHOW) if text else ""

    def _add(self, text: str, between: str, form: Form) -> str:
        piece = f"{between}{text}" if self.text else text
        self.text += piece
        self._last = form
        return piece

    def _citation_of(self, line: Line) -> Citation:
        return line.page or self._evidence.source_of(line).citation

    def _key(self, line: Line) -> str:
        """Return the key of a page: its address, else its number in the evidence."""
        citation = self._citation_of(line)
        return citation.url or str(self._evidence.source_of(line).n)

    def _marks(self, lines: Iterable[Line]) -> str:
        marks: dict[int, None] = {}
        for line in lines:
            key = self._key(line)
            self._sources.setdefault(key, {})[line.id] = line
            marks[[*self._sources].index(key) + 1] = None
        return Markdown(" ".join(f"[{mark}]" for mark in marks))

    def _data(self, lines: Sequence[Line], above: str) -> Iterator[str]:
        """Yield published data as sentences, or as a list under its heading, with the numbers of
        its pages."""
        is_led = bool(above) and escaped(above) not in self.text
        is_of_one = is_led and len({self._key(line) for line in lines}) == 1
        if is_led:
            lead = escaped(above if above.endswith(":") else f"{above}:")
            yield f"{lead} {self._marks(lines)}" if is_of_one else lead
        is_list = bool(above) or (len(lines) > 1 and lines[0].role is not Role.ANSWER)
        for line in lines:
            mark = "" if is_of_one else self._marks([line])
            yield f"{'- ' if is_list else ''}{escaped(line.text)} {mark}".rstrip()

    def _counted(self, lines: Sequence[Line]) -> str:
        """Add a note on how many rows or items are shown, if there are more."""
        first, source = lines[0], self._evidence.source_of(lines[0])
        of = [each for each in source.lines if (each.kind, each.above) == (first.kind, first.above)]
        if first.kind is LineKind.SENTENCE or len(lines) <= CHOSEN or len(of) <= len(lines):
            return ""
        values = {"shown": len(lines), "of": len(of), "mark": self._marks(lines)}
        return self.remark(self._phrases.say("table_part", self._language, **values))

    def _printed(self, lines: Sequence[Line], above: str) -> Iterator[str]:
        """Yield lines of one heading in Markdown, with the number of their source."""
        over = above.rpartition(PATH)[2]
        mark = self._marks(lines)
        heads = tuple(dict.fromkeys(head for line in lines for head, _ in line.cells))
        if len(heads) > 1 and all(len(dict(line.cells)) == len(line.cells) > 0 for line in lines):
            yield from (f"**{escaped(over)}** {mark}", "") if over else ()
            yield _row(heads)
            yield "|---" * len(heads) + "|"
            cells = (dict(line.cells) for line in lines)
            yield from (_row(each.get(head, "") for head in heads) for each in cells)
            yield from () if over else ("", mark)
            return
        yield from (f"**{escaped(over)}**",) if over else ()
        if all(line.kind is LineKind.SENTENCE for line in lines):
            yield f"{' '.join(escaped(line.text) for line in lines)} {mark}"
            return
        items = [_item(line) for line in lines]
        yield from items[:-1]
        yield f"{items[-1]} {mark}"


def _row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(escaped(cell).replace("|", "\\|") for cell in cells) + " |"


def _item(line: Line) -> str:
    mark = line.mark if line.mark[:1].isdigit() else "-"
    return f"{mark} {escaped(line.text)}"


def _cited(citation: Citation, lines: Sequence[Line], number: int) -> Citation:
    """Return the citation of these lines of a source: their original text, any translation, and
    their chunks."""
    quoted = [line for line in lines if line.page is None]
    chunks = tuple(dict.fromkeys(line.chunk_id for line in quoted if line.chunk_id))
    return replace(
        citation,
        n=number,
        passage="\n".join(line.original or line.text for line in quoted),
        translated="\n".join(line.text for line in quoted)
        if any(line.original for line in quoted)
        else "",
        chunk_id=chunks[0] if chunks else citation.chunk_id,
        also=chunks[1:],
    )
