from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TypeVar

from chat.tools import Tools
from chat.turn import Context, Dossier, StageResult
from retrieval import assembly
from retrieval.passage import Passage, by_weight

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
