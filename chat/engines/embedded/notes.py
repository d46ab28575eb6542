"""What must be said openly beside an answer: a unit that does not fit, a page in another language
or one that nobody touched for long."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from chat.engines.embedded.kinds import sorts_of
from chat.engines.embedded.outdated import CHANGING, is_old
from chat.engines.embedded.quoting import lines_of
from chat.engines.embedded.scoring import Quote
from chat.lookup.asked import asked_of
from chat.tools import Tools
from chat.turn import Citation, Context
from retrieval.passage import Source
from retrieval.units import units_of


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
    asks_price = asked_of(ctx.understanding, tools.snapshot, ctx.question).asks_price
    gap = units_of(tools.snapshot).gap(ctx.question, shown, language) if asks_price else None
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
        and is_old(quote.passage.source, tools.today)
        and not CHANGING.isdisjoint(sorts.given(quote.text))
    ]
    language = ctx.understanding.language
    if years and (told := tools.phrases.say("source_is_old", language, year=min(years))):
        yield f"*{told}*"
