from __future__ import annotations

from chat.tools import Tools
from chat.turn import Context, StageResult
from chat.wording import asked_words
from retrieval.boosts import boost as apply_boosts
from retrieval.boosts.base import Hints
from taxonomy.kinds import Kind

#: The topic of questions for what is new.
NEWS = "news"


def boost(ctx: Context, tools: Tools) -> StageResult:
    """Lift and lower passages by what is known about their pages and the conversation."""
    hints = hints_for(ctx, tools)
    passages = apply_boosts(ctx.passages, hints, tools.steering.tuning)
    return StageResult(ctx.learn(passages=passages), {"terms": sorted(hints.terms)})


def hints_for(ctx: Context, tools: Tools) -> Hints:
    meant, steering = ctx.understanding, tools.steering
    last = ctx.turn.history[-1].citations if meant.is_followup and ctx.turn.history else ()
    return Hints(
        intent=meant.intent,
        terms=frozenset(asked_words(ctx, tools.snapshot)),
        campuses=frozenset(thing.key for thing in meant.matched(Kind.CAMPUS)),
        page_categories=steering.preferred_categories.get(meant.intent, frozenset()),
        entity_kinds=steering.entity_kinds.get(meant.intent, frozenset()),
        cited_urls=frozenset(last),
        language=meant.language,
        wants_recent=meant.topic == NEWS,
        today=tools.today,
    )
