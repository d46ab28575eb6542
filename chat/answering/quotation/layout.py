"""How a quotation is written: a table row by row, a list item by item, else as one paragraph. And
what must be said openly beside it: a unit that does not fit, a page in another language or one that
nobody touched for long."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import timedelta
from itertools import pairwise

from chat.question.answer_types import Sort, sorts_of
from chat.sources.quotation.scores import Quote, Statement
from chat.sources.translations import Translations, translations_of
from chat.tools import Tools
from chat.turn import Citation, Context
from retrieval.passage import Source
from retrieval.statements import Form
from retrieval.units import units_of
from zol.markdown import escaped

BULLET = "-"
#: Answers that change while a page stays as it is, and the age from which they may have.
CHANGING = frozenset({Sort.PHONE, Sort.EMAIL, Sort.AMOUNT, Sort.TIME, Sort.COUNT, Sort.DURATION})
OLD = timedelta(days=4 * 365)


def beside_source(quote: Quote) -> str:
    """Return a quotation as its source shows it, under what it stands under: each row or item on a
    line of its own, and all of a table or list of which the answer shows a part."""
    if quote.is_part:
        quote = replace(quote, statements=quote.whole)
    lines = _list_of(quote, bullet="") if is_list(quote) else [quote.text]
    return "\n".join(filter(None, (quote.over, *lines)))


def lines_of(quote: Quote) -> Iterator[str]:
    """Yield the lines of a quotation, in Markdown, under all that it stands under: a list, or one
    paragraph. Without "Fever?" nobody should read "Come at once"."""
    quote = as_written(quote.told)
    if quote.over:
        yield f"**{escaped(quote.over)}**"
        yield from [""] if are_numbered(quote.statements) else []
    yield from _list_of(quote, bullet=BULLET) if is_list(quote) else [quote.text]


def as_written(quote: Quote) -> Quote:
    """Return a quotation whose statements show in Markdown as its page writes them."""
    lines = (
        replace(
            line,
            text=escaped(line.text),
            alone=escaped(line.alone),
            lead=escaped(line.lead),
            place=replace(line.place, lead=tuple(map(escaped, line.place.lead))),
        )
        for line in (each.line for each in quote.statements)
    )
    pairs = zip(quote.statements, lines, strict=True)
    return replace(quote, statements=tuple(each._replace(line=line) for each, line in pairs))


def is_list(quote: Quote) -> bool:
    return any(statement.is_row for statement in quote.statements)


def _list_of(quote: Quote, *, bullet: str) -> Iterator[str]:
    """Yield the lines over and in a list. An empty line lets it begin at any number."""
    has_numbers = are_numbered(quote.statements)
    item = ""
    for statement, (*lead, text) in zip(quote.statements, quote.said, strict=True):
        if item and not lead and is_continued(statement):
            item = f"{item} {text}"
            continue
        yield from [item] if item else []
        yield from lead
        mark = statement.line.mark if has_numbers else bullet
        yield from [""] if has_numbers and lead else []
        item = f"{mark} {text}".strip()
    yield item


def is_continued(statement: Statement) -> bool:
    """Whether a statement is a further sentence of an item."""
    return statement.line.form is Form.ITEM and not statement.line.mark


def are_numbered(statements: Sequence[Statement]) -> bool:
    """Whether items are shown with numbers: those that follow each other, as a page counts on."""
    marks = [each.line.mark for each in statements if not is_continued(each)]
    numbers = [int(mark.rstrip(".")) for mark in marks if mark.rstrip(".").isdecimal()]
    follow = all(second == first + 1 for first, second in pairwise(numbers))
    return bool(numbers) and len(numbers) == len(marks) and follow


def translated(quote: Quote, ctx: Context, tools: Tools) -> Quote:
    """Return a quotation with its words in the asker's language, where somebody translated all."""
    language, source = ctx.understanding.language, quote.passage.source.language
    known = tools.snapshot.derived(translations_of) if language != source else Translations()
    told = known.lines(quote.passage, language)
    if any(each.line not in told for each in quote.statements):
        return quote
    said = (each._replace(line=told[each.line]) for each in quote.statements)
    return replace(quote, translated=tuple(said))


def sources_of(quotes: Sequence[Quote]) -> list[Source]:
    """Return the pages whose own words are shown."""
    return [quote.passage.source for quote in quotes if not quote.translated]


def shown_of(quotes: Sequence[Quote]) -> str:
    return "\n".join(line for quote in quotes for line in lines_of(quote))


def notes(
    ctx: Context, tools: Tools, sources: Sequence[Source | Citation], shown: str = ""
) -> Iterator[str]:
    """Yield what must be said openly: a source in another language, and, of an answer that shows
    amounts, that they are in another unit than the one asked about."""
    language = ctx.understanding.language
    gap = units_of(tools.snapshot).gap(ctx.question, shown, language)
    if gap:
        found = tools.phrases.listed(list(gap.found), language)
        yield tools.phrases.say("unit_note", language, asked_unit=gap.asked, found_unit=found)
    foreign = {source.language for source in sources if source.language} - {language}
    if foreign:
        spoken = [tools.phrases.say(f"language_name_{code}", language) for code in sorted(foreign)]
        named = tools.phrases.listed(spoken, language)
        yield "*" + tools.phrases.say("source_is_dutch", language, language_name=named) + "*"


def dated(quotes: Sequence[Quote], ctx: Context, tools: Tools) -> Iterator[str]:
    """Yield from when figures are that were quoted from a page which nobody touched for long."""
    sorts = tools.snapshot.derived(sorts_of)
    years = [
        quote.passage.source.updated_on.year
        for quote in quotes
        if quote.passage.source.updated_on
        and tools.today - quote.passage.source.updated_on > OLD
        and not CHANGING.isdisjoint(sorts.given(quote.text))
    ]
    language = ctx.understanding.language
    if years and (told := tools.phrases.say("source_is_old", language, year=min(years))):
        yield f"*{told}*"
