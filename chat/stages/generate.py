from __future__ import annotations

import logging
from dataclasses import replace

from chat.answering import compose
from chat.answering.composition import Composition
from chat.answering.model import answer_by_model, model_answers
from chat.answering.quotation.layout import notes
from chat.stages.detect_emergency import opening, warning
from chat.tools import Tools, no_rest
from chat.turn import EMBEDDED, Context, Retraction, StageResult, Token
from zol.errors import EmbeddingFailed, ExpectedError, LLMError, SearchFailed

logger = logging.getLogger(__name__)


def generate(ctx: Context, tools: Tools) -> StageResult:
    """Write the answer, showing it as it is written; where a model fails, code answers."""
    if not model_answers(ctx, tools):
        return by_code(ctx, tools)
    try:
        return by_model(ctx, tools)
    except LLMError as error:
        logger.warning("The model did not answer; code does", exc_info=True)
        tools.emit(Retraction(type(error).__name__))
        result = by_code(ctx.learn(degraded=True), tools)
        return replace(result, detail={**result.detail, "model_failure": str(error)})


def by_model(ctx: Context, tools: Tools) -> StageResult:
    """Let a model write from the dossier; what it says is checked before it is shown."""
    before = opening(ctx, tools)
    for piece in before:
        tools.emit(Token(piece))
    written = answer_by_model(ctx, tools)
    closing = [f"\n\n{note}" for note in notes(ctx, tools, written.citations, written.text)]
    for piece in closing:
        tools.emit(Token(piece))
    return StageResult(
        ctx.learn(
            answer="".join((*before, written.text, *closing)),
            citations=written.citations,
            verified=False,
            engine="model",
        ),
        written.detail,
    )


def by_code(ctx: Context, tools: Tools) -> StageResult:
    """Put the answer together from facts and quotations."""
    ctx, composition, failure = composed(ctx, tools)
    pieces = (*opening(ctx, tools), *composition.pieces)
    # All of it is there at once, and each frame costs whoever waits.
    answer = "".join(pieces)
    tools.emit(Token(answer))
    return StageResult(
        ctx.learn(
            answer=answer,
            citations=composition.citations,
            verified=composition.verified,
            missing=composition.missing,
        ),
        {"engine": EMBEDDED, "found": composition.found, "citations": len(composition.citations)}
        | ({"quoting_failure": failure} if failure else {}),
    )


def composed(ctx: Context, tools: Tools) -> tuple[Context, Composition, str]:
    """Compose the answer; by the words of what was found alone where more cannot be read."""
    try:
        return ctx, compose(ctx, tools), ""
    except (SearchFailed, EmbeddingFailed) as error:
        logger.warning("Quotations are chosen by their words alone", exc_info=True)
        simple = replace(tools, likeness=None, rest_of=no_rest)
        return ctx.learn(degraded=True), compose(ctx, simple), repr(error)


def apologise(ctx: Context, tools: Tools, error: ExpectedError) -> StageResult:
    """Point to the hospital's telephone rather than leave the visitor with nothing."""
    said = tools.phrases.say("error", ctx.understanding.language)
    text = "".join((*warning(ctx, tools), said))
    tools.emit(Token(text))
    return StageResult(ctx.learn(answer=text, degraded=True), stop=True)
