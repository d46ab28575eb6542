"""Boosts of passages: page, conversation and subject."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from operator import itemgetter

from chat.question.content_words import asked_words
from chat.sources.asked import Asked, is_of_hospital, likely
from chat.tools import Tools
from chat.turn import Context
from retrieval import ranking
from retrieval.intents import Intent
from retrieval.passage import Passage
from retrieval.ranking import Hints, Naming
from retrieval.scope import scope_of
from taxonomy.facts.needs import intents, is_general, topics
from taxonomy.vocabulary import Kind

#: Topic of questions about news.
NEWS = "news"
#: Probability from which a need decides against the intent, and passages that are read for it.
SURE, READ = 0.8, 25


def ranked(passages: Sequence[Passage], ctx: Context, tools: Tools) -> tuple[Passage, ...]:
    """Return passages of a further search with the same boosts as the others."""
    tuning, lifted = tools.steering.tuning, tuple(passages)
    if tools.is_on("boosts"):
        lifted = tuple(ranking.boost(passages, hints_for(ctx, tools), tuning))
    return steered(lifted, ctx, tools) if tools.is_on("value_framework") else lifted


def steered(passages: Sequence[Passage], ctx: Context, tools: Tools) -> tuple[Passage, ...]:
    """Return passages by the affinity of their subject to what is asked."""
    asked, row = Asked(ctx, tools), ctx.found.steering_row
    naming = {passage.chunk_id: _naming(passage, asked) for passage in passages[:READ]}
    lifts = bool(row) and is_of_hospital(tools.reading.needs(ctx))
    return ranking.rebalance(passages, row, tools.steering, naming, lifts=lifts)


def _naming(passage: Passage, asked: Asked) -> Naming:
    heading, language = f"{passage.source.title} {passage.section}", passage.source.language
    in_heading = 1.0 if asked.is_about(heading, language) else asked.naming(heading, language)
    return Naming(asked.naming(f"{heading} {passage.text}", language), in_heading)


def row_asked(ctx: Context, tools: Tools) -> str:
    """Return the matrix row of what is asked; empty if need and intent differ and neither is sure.

    A need that the whole hospital answers decides: whoever parks before an operation asks nothing
    medical.
    """
    meant, steering, needs = ctx.understanding, tools.steering, tools.reading.needs(ctx)
    of_intent = steering.row_for(meant.intent, meant.topic)
    is_practical = is_of_hospital(needs)
    chances = defaultdict[str, float](float)
    for need, chance in likely(needs).items():
        if is_general(need) or not is_practical:
            row = steering.row_for(Intent(intents()[need]), topics().get(need, ""))
            chances[row] += chance
    row, chance = max(chances.items(), key=itemgetter(1), default=(of_intent, 1.0))
    if is_practical or chance >= SURE or row == of_intent:
        return row
    return of_intent if meant.by_model else ""


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
