from __future__ import annotations

from chat.answer_cache.key import gist_of
from chat.answer_cache.policy import CacheLookup, answered_from, may_be_asked
from chat.tools import Tools
from chat.turn import Context, StageResult, Token
from zol.errors import ExpectedError


def read_cache_exact(ctx: Context, tools: Tools) -> StageResult:
    """Give the answer that this very question got before, as long as nothing was said before it."""
    if ctx.turn.history or not may_be_asked(ctx):
        return StageResult(ctx)
    return given(ctx, tools.cache.exact(ctx), tools)


def read_cache(ctx: Context, tools: Tools) -> StageResult:
    """Give the answer to a question that means the same, by its rewritten form or nearly so."""
    if ctx.degraded or ctx.understanding.is_followup or not may_be_asked(ctx):
        return StageResult(ctx)
    return given(ctx, tools.cache.alike(ctx, gist_of(ctx, tools.snapshot)), tools)


def given(ctx: Context, recalled: CacheLookup, tools: Tools) -> StageResult:
    """Return the turn with what was found, shown; or with where its own answer may be kept."""
    found = recalled.answer
    if found is None:
        return StageResult(ctx.learn(ticket=recalled.ticket), {"found": False})
    tools.emit(Token(found.answer))
    detail = {"found": True, "tier": found.tier, "similarity": round(found.similarity, 4)}
    return StageResult(answered_from(ctx, found), detail, stop=True)


def remember_nothing(ctx: Context, tools: Tools, error: ExpectedError) -> StageResult:
    """Answer afresh; the answer is none the less for it."""
    return StageResult(ctx)
