"""Rules for reusing a cached answer.

Three look-ups: the question as written; its rewritten form, by hash; a question with nearly the
same meaning, by cosine. Each only between questions of one `Gist`. `chat.answer_cache.store`
decides what is stored and for whom.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from chat.answer_cache.key import Gist
from chat.behaviours import Behaviour
from chat.checking.base import Citation
from chat.question.content_words import without_marks
from chat.turn import EMBEDDED, Context, StageResult, Ticket, Token, Understanding
from retrieval.intents import Intent


@dataclass(frozen=True, slots=True)
class RememberedAnswer:
    """A cached answer."""

    answer: str
    language: str
    intent: str
    query: str
    citations: tuple[Citation, ...] = ()
    follow_ups: tuple[str, ...] = ()
    contact: Mapping[str, Any] = field(default_factory=dict)
    verified: bool = False
    engine: str = ""
    #: Look-up that found it ("exact", "rewritten" or "similar"), and the similarity.
    tier: str = ""
    similarity: float = 1.0


@dataclass(frozen=True, slots=True)
class CacheLookup:
    """The result of a look-up: the answer, or where this turn's own may be stored."""

    answer: RememberedAnswer | None = None
    ticket: Ticket | None = None


class Cache(Protocol):
    """Cache of the served hospital's answers."""

    def exact(self, ctx: Context) -> CacheLookup:
        """Find the answer to the identical question."""
        ...

    def alike(self, ctx: Context, gist: Gist) -> CacheLookup:
        """Find the answer to a question with the same meaning."""
        ...


class NoCache:
    """A cache that stores nothing: for evaluation, previews and tests."""

    def exact(self, ctx: Context) -> CacheLookup:
        return CacheLookup(ticket=ctx.reply.ticket)

    def alike(self, ctx: Context, gist: Gist) -> CacheLookup:
        return CacheLookup(ticket=ctx.reply.ticket)


def may_be_asked(ctx: Context) -> bool:
    """Return whether the cache may be used: nothing personal, no emergency."""
    return not ctx.alarm and without_marks(ctx.question) == ctx.question


def may_be_kept(ctx: Context) -> bool:
    """Return whether an answer may be cached for others (spec D10).

    In a conversation only if the question is self-contained and code has both understood and
    answered it: a model has read the history.
    """
    return (
        ctx.reply.ticket is not None
        and bool(ctx.reply.ticket.reworded)
        and ctx.behaviour is Behaviour.ANSWER
        and bool(ctx.answer.strip())
        and may_be_asked(ctx)
        and not (ctx.reply.cached or ctx.degraded or ctx.safety.redacted)
        and ctx.reply.lasts
        and not ctx.understanding.is_followup
        and not any(
            each.published.fact and each.published.fact.is_of_the_moment
            for each in (ctx, *ctx.parts)
        )
        and not (ctx.turn.history and (ctx.understanding.by_model or ctx.reply.engine != EMBEDDED))
    )


def given(ctx: Context, recalled: CacheLookup, emit: Callable[[Token], None]) -> StageResult:
    """Return the turn with the cached answer, shown; or with the place to store its own."""
    found = recalled.answer
    if found is None:
        return StageResult(ctx.learn(ticket=recalled.ticket), {"found": False})
    emit(Token(found.answer))
    detail = {"found": True, "tier": found.tier, "similarity": round(found.similarity, 4)}
    return StageResult(answered_from(ctx, found), detail, stop=True)


def answered_from(ctx: Context, found: RememberedAnswer) -> Context:
    """Return the turn with the remembered answer in place."""
    meant = ctx.understanding
    if not meant.query:
        meant = Understanding(
            intent=Intent(found.intent), language=found.language, query=found.query
        )
    return ctx.learn(
        understanding=meant,
        text=found.answer,
        citations=found.citations,
        follow_ups=found.follow_ups,
        contact=found.contact,
        verified=found.verified,
        engine=found.engine,
        cached=True,
    )
