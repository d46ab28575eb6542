"""Remarks below an answer: a different unit, an old page, another language."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta

from chat.answering.written import WrittenAnswer
from chat.tools import Tools
from chat.turn import Context
from retrieval.units import units_of

#: Age from which a page's figures may be outdated.
OLD = timedelta(days=4 * 365)


def notes(ctx: Context, written: WrittenAnswer, tools: Tools) -> Iterator[str]:
    """Yield the remarks below an answer, in the asker's language."""
    language, say = ctx.understanding.language, tools.phrases.say
    if said := unit_note(ctx, written.text, tools):
        yield said
    years = [day.year for day in _changed(written) if tools.today - day > OLD]
    if years and (said := say("source_is_old", language, year=min(years))):
        yield f"*{said}*"
    translated = {each.language for each in written.citations if each.translated}
    for kind, codes in (
        ("quote_is_translated", translated),
        ("source_is_dutch", written.retold_from - {language}),
    ):
        if codes:
            spoken = [say(f"language_name_{code}", language) for code in sorted(codes)]
            named = tools.phrases.listed(spoken, language)
            yield f"*{say(kind, language, language_name=named)}*"


def _changed(written: WrittenAnswer) -> Iterator[date]:
    """Yield the dates of the pages whose figures were printed."""
    for each in written.citations:
        if each.updated_on and any(map(str.isdecimal, each.passage)):
            yield date.fromisoformat(each.updated_on)


def unit_note(ctx: Context, shown: str, tools: Tools) -> str:
    """Return a note if amounts are in another unit than asked about; else nothing."""
    language = ctx.understanding.language
    gap = units_of(tools.snapshot).gap(ctx.question, shown, language)
    if gap is None:
        return ""
    found = tools.phrases.listed(list(gap.found), language)
    return tools.phrases.say("unit_note", language, asked_unit=gap.asked, found_unit=found)
