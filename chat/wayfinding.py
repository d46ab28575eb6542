"""Where somebody can turn to whose question we do not answer: the right page and department."""

from __future__ import annotations

import re

from chat.engines.embedded.facts import facts_of
from chat.engines.embedded.ledger import Ledger
from chat.engines.embedded.teller import Teller
from chat.lookup.asked import asked_of, reach
from chat.tools import Tools
from chat.turn import Citation, Context
from chat.wording import stop_words_of
from retrieval.intents import Intent
from retrieval.pages import Page
from retrieval.passage import Passage
from retrieval.query import Query

#: An amount of a medicine, in the signs that all languages share.
_DOSE = re.compile(r"\d\s?(?:mg|mcg|µg|ml|cc|IE|IU)(?:/\w+)?\b", re.IGNORECASE)
#: A question that is refused as advice is about what these pages explain.
EXPLAINING = (Intent.CONDITION_INFORMATION, Intent.TREATMENT_OR_EXAM_INFORMATION)


def places_for(ctx: Context, tools: Tools) -> tuple[str, tuple[Citation, ...]]:
    """Return the page about what a question names and how to reach its department."""
    teller = Teller(tools.snapshot.vocabulary, tools.phrases, ctx.understanding.language)
    ledger = Ledger(tools.pages)
    said = []
    if page := page_about(ctx, tools):
        said.append(f"{page.title} {ledger.page(page, page.opening)}")
    asked = asked_of(ctx.understanding, tools.snapshot)
    for department in asked.departments[:1]:
        facts = facts_of(tuple(reach(asked, department)), teller)
        said += [f"{fact.text} {ledger.fact(fact.thing, fact.text)}" for fact in facts]
    return "\n\n".join(part.rstrip() for part in said), ledger.citations


def page_about(ctx: Context, tools: Tools) -> Page | None:
    """Return the page of what is named, else the explaining page that comes nearest."""
    for match in ctx.understanding.matches:
        if page := tools.pages.about(match.thing.name, match.thing.url):
            return page
    found = tools.search(explaining_query(ctx, tools))
    near = (
        passage
        for passage in found.passages
        if passage.keyword_rank
        and passage.similarity >= tools.low_similarity
        and not has_doses(passage, tools)
    )
    return next(
        (tools.pages.by_url[p.source.url] for p in near if p.source.url in tools.pages.by_url), None
    )


def has_doses(passage: Passage, tools: Tools) -> bool:
    """Tell whether a page says how much of a medicine to take: no source for who asked just that,
    and was refused."""
    return any(_DOSE.search(each.text) for each in (passage, *tools.rest_of((passage,))))


def explaining_query(ctx: Context, tools: Tools) -> Query:
    categories = (tools.steering.page_categories.get(intent, frozenset()) for intent in EXPLAINING)
    return Query(
        text=ctx.understanding.query or ctx.question,
        language=tools.snapshot.profile.default_language,
        categories=frozenset().union(*categories),
        stop_words=stop_words_of(tools.snapshot),
        tuning=tools.steering.tuning,
        dense_weight=0.0,
    )
