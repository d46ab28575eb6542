"""Entities that an answer should name but does not: doctors of a list, the department to turn
to."""

from __future__ import annotations

from collections.abc import Iterator

from chat.question.content_words import concepts_asked
from chat.sources.lookup import asked_of
from chat.sources.sentences import Teller, sentences_of
from chat.tools import Tools
from chat.turn import Context
from retrieval.intents import Intent
from taxonomy.lookup.finding import PEOPLE, Finding, Says
from taxonomy.lookup.question import dealt_with, reach
from taxonomy.resolvers import resolver_index
from taxonomy.vocabulary import Thing
from zol.text import spaced

#: Maximum departments to add doctors for, and doctors of each: more would be a list.
MOST_DEPARTMENTS, MOST_DOCTORS = 2, 12
#: Lexicon concepts that ask for people.
ASKS_FOR_PEOPLE = frozenset({"who", "doctor", "specialist", "surgeon"})


def asks_for_doctors(ctx: Context, tools: Tools) -> bool:
    """Return whether people were asked for, also in passing: "… en bij wie?"."""
    is_looked_up = ctx.understanding.intent is Intent.DOCTOR_LOOKUP
    return is_looked_up or not ASKS_FOR_PEOPLE.isdisjoint(concepts_asked(ctx, tools.snapshot))


def additions(ctx: Context, tools: Tools) -> Iterator[tuple[Thing, tuple[Thing, ...]]]:
    """Yield departments named by both question and answer as words of their own, with all their
    matching doctors or none.

    Nothing is added if doctors were found for the question.
    """
    if any(finding.says in PEOPLE for finding in ctx.published.findings):
        return
    asked = asked_of(ctx.understanding, tools.snapshot, ctx.question)
    vocabulary, index = tools.snapshot.vocabulary, tools.snapshot.derived(resolver_index)
    named = [
        department
        for department in asked.departments
        if names(ctx.answer, department) and not index.is_bare_ward(department)
    ]
    for department in named[:MOST_DEPARTMENTS]:
        doctors = vocabulary.doctors_in(department)
        # Doctors already named were chosen by campus or by what they treat.
        if any(names(ctx.answer, doctor) for doctor in doctors):
            continue
        fitting = asked.filters.keep(doctors, vocabulary)
        if 0 < len(fitting) <= MOST_DOCTORS:
            yield department, fitting


def names(answer: str, thing: Thing) -> bool:
    """Return whether an answer names a thing as whole words: "Neurologie" is not "Urologie"."""
    return spaced(thing.name) in spaced(answer)


def unnamed(ctx: Context) -> tuple[Thing, ...]:
    """Return the routed departments if the answer names none of them."""
    if any(names(ctx.answer, department) for department in ctx.published.routed):
        return ()
    return ctx.published.routed


def missing(ctx: Context) -> tuple[Thing, ...]:
    """Return the doctors of the roster that the answer omits."""
    return tuple(doctor for doctor in ctx.published.roster if not names(ctx.answer, doctor))


def said_of_routing(ctx: Context, tools: Tools) -> str:
    """Return the text on the responsible department and how to reach it."""
    asked = asked_of(ctx.understanding, tools.snapshot)
    about = next(thing for thing in asked.care if asked.departments_of(thing))
    found = (*dealt_with(asked, about), *reach(asked, asked.routed[0]))
    return said(found, ctx, tools)


def said_of_members(doctors: tuple[Thing, ...], ctx: Context, tools: Tools) -> str:
    """Return the omitted doctors as list lines."""
    return said(tuple(Finding(Says.MEMBER, doctor) for doctor in doctors), ctx, tools)


def said(findings: tuple[Finding, ...], ctx: Context, tools: Tools) -> str:
    teller = Teller(tools.snapshot.vocabulary, tools.phrases, ctx.understanding.language)
    told = sentences_of(findings, teller)
    return "\n".join(f"- {text}" if is_item else text for text, is_item in told)
