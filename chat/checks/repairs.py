"""What the taxonomy adds to an answer that left something out: departments and doctors."""

from __future__ import annotations

from collections.abc import Iterator

from chat.engines.embedded.facts import facts_of
from chat.engines.embedded.teller import Teller
from chat.lookup.asked import asked_of, reach
from chat.lookup.departments import dealt_with
from chat.lookup.finding import Finding, Says
from chat.tools import Tools
from chat.turn import Context
from taxonomy.vocabulary import Thing
from zol.text import spaced


def names(answer: str, thing: Thing) -> bool:
    """Whether an answer names a thing, as words of their own: "Neurologie" is no "Urologie"."""
    return spaced(thing.name) in spaced(answer)


def unnamed(ctx: Context) -> tuple[Thing, ...]:
    """Return the routed departments when the answer names none of them."""
    if any(names(ctx.answer, department) for department in ctx.routed):
        return ()
    return ctx.routed


def missing(ctx: Context) -> tuple[Thing, ...]:
    """Return the doctors of the roster whom the answer does not list."""
    return tuple(doctor for doctor in ctx.roster if not names(ctx.answer, doctor))


def said_of_routing(ctx: Context, tools: Tools) -> str:
    """Return where what is asked about belongs, and how that department is reached."""
    asked = asked_of(ctx.understanding, tools.snapshot)
    about = next(thing for thing in asked.care if asked.departments_of(thing))
    found = (*dealt_with(asked, about), *reach(asked, asked.routed[0]))
    return said(found, ctx, tools)


def said_of_members(doctors: tuple[Thing, ...], ctx: Context, tools: Tools) -> str:
    """Return the doctors who were left out, as lines of a list."""
    return said(tuple(Finding(Says.MEMBER, doctor) for doctor in doctors), ctx, tools)


def said(findings: tuple[Finding, ...], ctx: Context, tools: Tools) -> str:
    teller = Teller(tools.snapshot.vocabulary, tools.phrases, ctx.understanding.language)
    return "\n".join(_lines(findings, teller))


def _lines(findings: tuple[Finding, ...], teller: Teller) -> Iterator[str]:
    for fact in facts_of(findings, teller):
        yield f"- {fact.text}" if fact.is_item else fact.text
