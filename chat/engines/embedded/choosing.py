"""Which quotations an answer is made from: none that gives orders, none that names an illness to
somebody who only described complaints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from chat.engines.embedded.complaints import names_nothing_unasked, tells_where
from chat.engines.embedded.kinds import sorts_of
from chat.engines.embedded.plan import up_to_sure
from chat.engines.embedded.pool import answers_for, likeness_for
from chat.engines.embedded.quotes import choose
from chat.engines.embedded.scoring import Quote, Wanted
from chat.safety.injection import injection_patterns_of
from chat.tools import Tools
from chat.turn import Context
from retrieval.passage import Passage


def quotes_of(
    pool: Sequence[Passage], wanted: Wanted, ctx: Context, tools: Tools
) -> tuple[Quote, ...]:
    """Return the quotations that answer, none of which speaks to an assistant.

    Such lines are rare: only when one would be quoted are the passages read without them.
    """
    patterns = tools.snapshot.derived(injection_patterns_of)
    sorts, likeness = tools.snapshot.derived(sorts_of), likeness_for(ctx, tools)
    answers = answers_for(ctx, tools)
    quotes = choose(pool, wanted, tools.stem, sorts, likeness, answers)
    if not any(patterns.check_page(quote.text) for quote in quotes):
        return quotes
    clean = [passage.changed(text=patterns.without_attacks(passage.text)) for passage in pool]
    quotes = choose(clean, wanted, tools.stem, sorts, likeness, answers)
    return tuple(quote for quote in quotes if not patterns.check_page(quote.text))


def guidance_of(
    pool: Sequence[Passage], wanted: Wanted, ctx: Context, tools: Tools
) -> tuple[Quote, ...]:
    """Return what may be told to who describes complaints: what surely answers and names nothing
    that they may have, else what tells where to go."""
    snapshot = tools.snapshot
    careful = replace(wanted, may_be_told=names_nothing_unasked(snapshot))
    quotes = quotes_of(pool, careful, ctx, tools)
    if up_to_sure(quotes, tools.steering.tuning.sure_from):
        return quotes
    where = replace(wanted, may_be_told=lambda text: tells_where(text, snapshot))
    return quotes_of(pool, where, ctx, tools)
