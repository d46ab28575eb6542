"""What must be said openly beside an answer: a unit that does not fit, a page in another language
or one that nobody touched for long."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from chat.engines.embedded.kinds import sorts_of
from chat.engines.embedded.outdated import CHANGING, is_old
from chat.engines.embedded.scoring import Quote
from chat.tools import Tools
from chat.turn import Citation, Context
from retrieval.passage import Source


def sources_of(quotes: Sequence[Quote]) -> list[Source]:
    return [quote.passage.source for quote in quotes]


def notes(ctx: Context, tools: Tools, sources: Sequence[Source | Citation]) -> Iterator[str]:
    """Yield what must be said openly: a unit that does not fit, a source in another language."""
    language = ctx.understanding.language
    if sources and (gap := ctx.dossier.unit_gap):
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
