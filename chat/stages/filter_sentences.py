from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from chat.checking.knowledge import knowledge_of
from chat.question.content_words import asked_words
from chat.tools import Tools
from chat.turn import Context, StageResult
from retrieval.assembly import Block
from retrieval.grading import filtered
from zol.text import words


def filter_sentences(ctx: Context, tools: Tools) -> StageResult:
    """Leave out of what a model will read the sentences that have nothing to do with the question.

    Names of doctors and departments stay: they answer more often than they look as if they did.
    Facts of the taxonomy and rosters are no part of this. Quotations are chosen from whole pages.
    """
    blocks = ctx.dossier.blocks
    if not blocks or not asked_words(ctx, tools.snapshot):
        return StageResult(ctx)
    keeps = keeper(ctx, tools)
    texts = [filtered(block.text, keeps) for block in blocks]
    # The best document is read whole rather than not at all.
    texts[0] = texts[0] or blocks[0].text
    kept = tuple(
        with_text(block, text, tools) for block, text in zip(blocks, texts, strict=True) if text
    )
    detail = {
        "tokens_before": sum(block.tokens for block in blocks),
        "tokens": sum(block.tokens for block in kept),
        "documents_left_out": len(blocks) - len(kept),
    }
    return StageResult(ctx.learn(dossier=replace(ctx.dossier, blocks=kept)), detail)


def keeper(ctx: Context, tools: Tools) -> Callable[[str, str], bool]:
    """Return what tells whether a sentence stays: a word of the question, or somebody's name."""
    wanted = frozenset(map(tools.stem, asked_words(ctx, tools.snapshot)))
    known = tools.snapshot.derived(knowledge_of)

    def keeps(sentence: str, heading: str) -> bool:
        said = words(sentence)
        spoken = frozenset(map(tools.stem, (*said, *words(heading))))
        return not wanted.isdisjoint(spoken) or bool(known.named(said))

    return keeps


def with_text(block: Block, text: str, tools: Tools) -> Block:
    return replace(block, text=text, tokens=tools.count_tokens(text))
