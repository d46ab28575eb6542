"""Rewrite the query: split a question into parts, and add the hospital's own terms to each."""

from __future__ import annotations

from dataclasses import replace

from chat.sources.searching import as_rewritten, enriched_question
from chat.tools import Step, Tools, for_each_part, in_order
from chat.turn import Context, Exchange, StageResult
from retrieval.intents import Intent


def query_rewrite(ctx: Context, tools: Tools) -> StageResult:
    """Split a question that asks several things, and add the hospital's terms to each part."""
    split = in_order(ctx, tools, Step(_split_question, switch="decomposition"))
    return for_each_part(Step(_enrich), split.context, tools).after(split)


def _enrich(ctx: Context, tools: Tools) -> StageResult:
    enriched = enriched_question(as_rewritten(ctx, tools), tools)
    enriched.log()
    return StageResult(ctx.learn(enrichment=enriched), {"enrichment": enriched.as_data()})


def _split_question(ctx: Context, tools: Tools) -> StageResult:
    """Split a question that asks several things, so that each is searched separately."""
    parts = _parts_of(ctx, tools)
    asked = [
        {"question": part.question, "query": part.understanding.query,
         "intent": str(part.understanding.intent)}
        for part in parts
    ]  # fmt: skip
    return StageResult(ctx.learn(parts=parts), {"parts": asked} if parts else {})


def _parts_of(ctx: Context, tools: Tools) -> tuple[Context, ...]:
    """Return a context for each part; none if the question is better answered as a whole."""
    parts: list[Context] = []
    for text in ctx.understanding.parts:
        part = _part_of(ctx, text, parts[-1:], tools)
        meant = part.understanding
        # The first part must name its subject; the others may refer to it.
        names_subject = bool(parts or meant.by_model or meant.matches or meant.topic)
        if meant.intent.is_blocked or not names_subject:
            return ()
        parts.append(part)
    # Parts with the same intent, topic and entities need only one search.
    different = {
        (meant.intent, meant.topic, meant.wants_list,
         frozenset((match.thing.kind, match.thing.key) for match in meant.matches))
        for meant in (part.understanding for part in parts)
    }  # fmt: skip
    return tuple(parts) if len(different) == len(parts) > 1 else ()


def _part_of(ctx: Context, text: str, before: list[Context], tools: Tools) -> Context:
    """Return a part as a question of a turn, which may refer to the part before: "en waar?".

    A model's parts are self-contained and in the pages' language, and no part alone is refused.
    """
    meant = ctx.understanding
    own = tools.snapshot.profile.default_language if meant.by_model else ""
    history = tuple(Exchange(part.question, "") for part in (() if own else before))
    turn = replace(ctx.turn, question=text, language=own or meant.language, history=history)
    read = tools.reading.read(turn, tools.snapshot)
    read = replace(
        read,
        intent=Intent.UNKNOWN if own and read.intent.is_blocked else read.intent,
        language=meant.language,
        detected=own or meant.detected,
        parts=(),
        moments=meant.moments,
        by_model=meant.by_model,
    )
    part = Context(turn, question=text, understanding=read)
    return part.learn(own=ctx.found.own, is_risky=ctx.safety.is_risky)
