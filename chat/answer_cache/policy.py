"""Rules for reusing a cached answer.

A cached answer is found by the question as written, by the hash of its rewritten form, or by the
cosine similarity of a question with the same `Gist`. `chat.answer_cache.store` looks it up.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

from chat.answer_cache.key import Gist
from chat.behaviours import Behaviour
from chat.question.content_words import without_marks
from chat.turn import EMBEDDED, Answer, Context, StageResult, Ticket, Token, Understanding


@dataclass(frozen=True, slots=True)
class CachedReply:
    """An answer from the cache, and the look-up that found it."""

    reply: Answer
    #: The understanding of the question that it was written for.
    understanding: Understanding
    #: "exact", "rewritten" or "similar".
    tier: str
    similarity: float = 1.0


class Cache(Protocol):
    """Cache of one hospital's answers. A look-up returns the place to store the answer if it finds
    none."""

    def exact(self, ctx: Context) -> CachedReply | Ticket:
        """Find the answer to the identical question."""
        ...

    def similar(self, ctx: Context, gist: Gist) -> CachedReply | Ticket:
        """Find the answer to a question with the same meaning."""
        ...


def may_read(ctx: Context) -> bool:
    """Return whether a question may be answered from the cache: nothing personal, no emergency."""
    return not ctx.alarm and without_marks(ctx.question) == ctx.question


def may_store(ctx: Context) -> bool:
    """Return whether an answer may be cached for other visitors (spec D10).

    In a conversation only if the question is self-contained and code has both understood and
    answered it: a model has read the history.
    """
    return (
        ctx.reply.ticket is not None
        and bool(ctx.reply.ticket.reworded)
        and ctx.behaviour is Behaviour.ANSWER
        and bool(ctx.answer.strip())
        and may_read(ctx)
        and not (ctx.reply.cached or ctx.degraded or ctx.safety.redacted)
        and ctx.reply.lasts
        and not ctx.understanding.is_followup
        and not any(
            each.published.fact and each.published.fact.is_of_the_moment
            for each in (ctx, *ctx.parts)
        )
        and not (ctx.turn.history and (ctx.understanding.by_model or ctx.reply.engine != EMBEDDED))
    )


def reuse(ctx: Context, found: CachedReply | Ticket, emit: Callable[[Token], None]) -> StageResult:
    """Show a cached answer and end the turn; without one, note where to store the turn's own."""
    if isinstance(found, Ticket):
        return StageResult(ctx.learn(ticket=found), {"found": False})
    emit(Token(found.reply.text))
    meant = ctx.understanding if ctx.understanding.query else found.understanding
    detail = {"found": True, "tier": found.tier, "similarity": round(found.similarity, 4)}
    return StageResult(replace(ctx, reply=found.reply, understanding=meant), detail, stop=True)
