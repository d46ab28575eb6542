"""What is handed to whoever writes: assembled, put together of parts, cut to what counts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import TypeVar

from chat.checking.knowledge import knowledge_of
from chat.question.content_words import asked_words
from chat.tools import Tools, no_neighbours
from chat.turn import Context, Dossier, StageResult
from retrieval import assembly, boosts
from retrieval.grading import filtered
from retrieval.passage import Passage, by_weight
from zol.errors import ExpectedError
from zol.text import words

#: Weight of the chunk before and after a passage, as a share of its own.
NEIGHBOURS = 0.5


def assemble_what_was_found(ctx: Context, tools: Tools, error: ExpectedError) -> StageResult:
    """Read the passages found without what stands next to them."""
    return assemble(ctx.learn(degraded=True), replace(tools, neighbours=no_neighbours))


def assemble(ctx: Context, tools: Tools) -> StageResult:
    """Make coherent reading of the best passages, within the budget."""
    tuning = tools.steering.tuning
    passages = boosts.current_first(ctx.passages, tools.pages.replaced(ctx.passages))
    ctx = ctx.learn(passages=passages)
    chosen = ctx.passages[: tuning.limit]
    widened = assembly.with_neighbours(chosen, tools.neighbours(chosen), NEIGHBOURS)
    blocks = assembly.assemble(
        widened, budget=tuning.context_tokens, count_tokens=tools.count_tokens
    )
    dossier = replace(
        ctx.dossier, blocks=blocks, guard=tools.steering.guards.get(ctx.primary_category, "")
    )
    return StageResult(
        ctx.learn(dossier=dossier),
        {
            "passages": len(chosen),
            "with_neighbours": len(widened),
            "documents": len(blocks),
            "tokens": sum(block.tokens for block in blocks),
            "ranking": [explained(passage) for passage in ctx.passages[:20]],
        },
    )


def explained(passage: Passage) -> dict[str, object]:
    """Return every factor that put a passage where it is, for staff."""
    return {
        "chunk": passage.chunk_id,
        "title": passage.source.title,
        "section": passage.section,
        "category": passage.category,
        "dense_rank": passage.dense_rank,
        "keyword_rank": passage.keyword_rank,
        "similarity": round(passage.similarity, 4),
        "entered_by": passage.entered_by,
        "suited": passage.suited,
        "base": round(passage.base or 0.0, 4),
        "boosts": {boost.name: round(boost.factor, 3) for boost in passage.boosts},
        "affinity": passage.affinity,
        "answering": round(passage.answering, 4),
        "reading": {said.name: round(said.factor, 3) for said in passage.reading},
        "steered_by": passage.steered_by,
        "relevance": None if passage.relevance is None else round(passage.relevance, 4),
        "score": round(passage.score, 4),
    }


T = TypeVar("T")


def merge_parts(ctx: Context, tools: Tools) -> StageResult:
    """Lay together what was found for the parts of a question; whoever answers sees all of it."""
    if not ctx.parts:
        return StageResult(ctx)
    parts, first = ctx.parts, ctx.parts[0]
    matches = each_once(match for part in parts for match in part.understanding.matches)
    return StageResult(
        ctx.learn(
            understanding=replace(ctx.understanding, matches=matches),
            passages=by_weight(without_twins(p for part in parts for p in part.passages)),
            best_similarity=max(part.best_similarity for part in parts),
            dense_hits=max(part.dense_hits for part in parts),
            steering_row=first.steering_row,
            primary_category=shared(part.primary_category for part in parts),
            findings=each_once(found for part in parts for found in part.findings),
            routed=each_once(thing for part in parts for thing in part.routed),
            ontology=each_once(line for part in parts for line in part.ontology),
            roster_of=next((part.roster_of for part in parts if part.roster_of), None),
            roster=each_once(thing for part in parts for thing in part.roster),
            dossier=dossier_of(parts, tools),
        )
    )


def dossier_of(parts: tuple[Context, ...], tools: Tools) -> Dossier:
    """Return one dossier: a document of two parts is one source, and has one number."""
    dossiers = [part.dossier for part in parts]
    read = without_twins(p for each in dossiers for block in each.blocks for p in block.passages)
    return Dossier(
        blocks=assembly.assemble(
            read, budget=tools.steering.tuning.context_tokens, count_tokens=tools.count_tokens
        ),
        with_facts=any(each.with_facts for each in dossiers),
        stated=each_once(found for each in dossiers for found in each.stated),
        guard=shared(each.guard for each in dossiers),
    )


def without_twins(passages: Iterable[Passage]) -> Iterator[Passage]:
    """Yield each chunk once, at the best weight it was found with."""
    best: dict[int, Passage] = {}
    for passage in passages:
        known = best.get(passage.chunk_id)
        if known is None or known.weight < passage.weight:
            best[passage.chunk_id] = passage
    yield from best.values()


def each_once(found: Iterable[T]) -> tuple[T, ...]:
    return tuple(dict.fromkeys(found))


def shared(values: Iterable[str]) -> str:
    """Return what all say; nothing when they differ."""
    different = set(values)
    return different.pop() if len(different) == 1 else ""


def filter_sentences(ctx: Context, tools: Tools) -> StageResult:
    """Leave out of what a model will read the sentences that have nothing to do with the question.

    Names of doctors and departments stay: they answer more often than they look as if they did.
    Facts of the taxonomy and rosters are no part of this. Quotations are chosen from whole pages.
    """
    blocks = ctx.dossier.blocks
    if not blocks or not asked_words(ctx, tools.snapshot):
        return StageResult(ctx)
    keeps = keeper(ctx, tools)
    lines = [tuple(filtered(block.lines, keeps)) for block in blocks]
    # The best document is read whole rather than not at all.
    lines[0] = lines[0] or blocks[0].lines
    kept = tuple(
        assembly.block_of(block.passages, some, tools.count_tokens)
        for block, some in zip(blocks, lines, strict=True)
        if some
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
