"""Where somebody can turn to whose question we do not answer: the right desk, and the page."""

from __future__ import annotations

from chat.engines.embedded.ledger import Ledger
from chat.lookup.asked import asked_of, is_touched
from chat.tools import Tools
from chat.turn import Citation, Context
from taxonomy.lexicon import lexicon_of
from taxonomy.vocabulary import Thing
from zol.text import words

#: Concepts that ask how much, or how often.
DOSES = frozenset({"dose", "how_much", "how_often"})


def desk_of(ctx: Context, tools: Tools) -> dict[str, str]:
    """Return whom a patient can call: the department of what is named, else the help desk."""
    meant, profile = ctx.understanding, tools.snapshot.profile
    asked = asked_of(meant, tools.snapshot)
    named = (match.thing for match in meant.matches if not is_touched(match))
    departments = (d for thing in named for d in asked.departments_of(thing))
    department = next((d for d in departments if d.get("phone")), None)
    if department is None:
        phone = profile.helpdesk_phone or profile.phone
        return {"desk": profile.short_name, "desk_phone": phone}
    return {
        "desk": tools.phrases.name(department, meant.language),
        "desk_phone": department.get("phone"),
    }


def page_for(ctx: Context, tools: Tools) -> tuple[str, tuple[Citation, ...]]:
    """Return on which page somebody can read about what the question names, in a sentence.

    Who asks how much to take is sent to no page, which may have a table of doses.
    """
    meant, lexicon = ctx.understanding, tools.snapshot.derived(lexicon_of)
    uses = lexicon.read(words(ctx.question), meant.detected or meant.language)
    if any(concept.name in DOSES for use in uses for concept in use.concepts):
        return "", ()
    for thing in dict.fromkeys(match.thing for match in ctx.understanding.matches):
        if said := _said_of(thing, ctx, tools):
            return said
    return "", ()


def _said_of(thing: Thing, ctx: Context, tools: Tools) -> tuple[str, tuple[Citation, ...]] | None:
    page = tools.pages.about(thing.name, thing.url)
    text = tools.phrases.say(
        "refuse_page", ctx.understanding.language, title=page.title if page else ""
    )
    if page is None or not text:
        return None
    ledger = Ledger(tools.pages)
    return f"{text} {ledger.page(page, page.opening)}".rstrip(), ledger.citations
