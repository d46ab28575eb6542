"""Boosts of passages: page, conversation and subject."""

from __future__ import annotations

from collections.abc import Sequence

from chat.question.content_words import asked_words
from chat.tools import Tools
from chat.turn import Context
from retrieval import ranking
from retrieval.passage import Passage
from retrieval.ranking import Hints
from retrieval.scope import scope_of
from taxonomy.vocabulary import Kind

#: Topic of questions about news.
NEWS = "news"


def ranked(passages: Sequence[Passage], ctx: Context, tools: Tools) -> tuple[Passage, ...]:
    """Return passages of a further search with the same boosts as the others."""
    tuning, lifted = tools.steering.tuning, tuple(passages)
    if tools.is_on("boosts"):
        lifted = tuple(ranking.boost(passages, hints_for(ctx, tools), tuning))
    if not tools.is_on("value_framework"):
        return lifted
    return ranking.rebalance(lifted, ctx.found.steering_row, tools.steering)


def hints_for(ctx: Context, tools: Tools) -> Hints:
    """Return the features of a question that pages are compared with."""
    meant, steering = ctx.understanding, tools.steering
    last = ctx.turn.history[-1].citations if meant.is_followup and ctx.turn.history else ()
    return Hints(
        intent=meant.intent,
        terms=frozenset(asked_words(ctx, tools.snapshot)),
        campuses=frozenset(thing.key for thing in meant.matched(Kind.CAMPUS)),
        scope=tools.snapshot.derived(scope_of).named(
            ctx.question, meant.detected or meant.language
        ),
        page_categories=steering.preferred_categories.get(meant.intent, frozenset()),
        entity_kinds=steering.entity_kinds.get(meant.intent, frozenset()),
        cited_urls=frozenset(last),
        language=meant.language,
        wants_recent=meant.topic == NEWS,
        today=tools.today,
    )
