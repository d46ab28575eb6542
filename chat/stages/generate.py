from __future__ import annotations

from chat.engines.embedded import compose
from chat.stages.guard import emergency_text
from chat.tools import Tools
from chat.trace import Token
from chat.turn import Context, StageResult
from zol.errors import ExpectedError


def generate(ctx: Context, tools: Tools) -> StageResult:
    """Write the answer from facts and quotations, showing it as it is written."""
    composition = compose(ctx, tools)
    pieces = (*warning(ctx, tools), *composition.pieces)
    for piece in pieces:
        tools.emit(Token(piece))
    return StageResult(
        ctx.learn(
            answer="".join(pieces),
            citations=composition.citations,
            verified=composition.verified,
        ),
        {"engine": "embedded", "found": composition.found, "citations": len(composition.citations)},
    )


def warning(ctx: Context, tools: Tools) -> tuple[str, ...]:
    """Return the emergency number, when the conversation spoke of an emergency before."""
    if not ctx.red_flag:
        return ()
    kind = emergency_text(ctx.red_flag)
    return (f"{tools.phrases.say(kind, ctx.understanding.language)}\n\n",)


def apologise(ctx: Context, tools: Tools, error: ExpectedError) -> StageResult:
    """Point to the hospital's telephone rather than leave the visitor with nothing."""
    text = tools.phrases.say("error", ctx.understanding.language)
    tools.emit(Token(text))
    return StageResult(ctx.learn(answer=text, degraded=True), stop=True)
