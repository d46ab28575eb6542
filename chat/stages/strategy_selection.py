"""Select what to search (pages, taxonomy or both) and which kinds of pages to prefer."""

from __future__ import annotations

from chat.question.content_words import concepts_asked
from chat.tools import Tools
from chat.turn import Context, SearchTarget, StageResult, Strategy
from retrieval.intents import Intent

#: Page kinds named in questions, by concept.
NAMED_KINDS = {"brochure": "Brochure"}


def strategy_selection(ctx: Context, tools: Tools) -> StageResult:
    """Choose the search target and the preferred kinds of pages by the question."""
    target, why = _target(ctx, tools)
    preferred = frozenset[str]()
    if target is not SearchTarget.GRAPH:
        preferred = _preferred_kinds(ctx, tools)
    chosen = Strategy(target, preferred, why)
    detail = {
        "lanes": str(target),
        "why": why,
        "preferred": sorted(preferred),
        "follow_up": ctx.understanding.is_followup,
    }
    return StageResult(ctx.learn(strategy=chosen), detail)


def _target(ctx: Context, tools: Tools) -> tuple[SearchTarget, str]:
    """Return the search target with the reason: both, unless one of them cannot contribute."""
    meant = ctx.understanding
    if not tools.is_on("taxonomy"):
        return SearchTarget.VECTOR, "the taxonomy is turned off"
    if not tools.is_on("dense") and not tools.is_on("keyword"):
        return SearchTarget.GRAPH, "both searches are turned off"
    # Doctors can be found without a name: by the language that they speak.
    if not meant.matches and meant.intent is not Intent.DOCTOR_LOOKUP:
        return SearchTarget.VECTOR, "the question names nothing that the taxonomy knows"
    return SearchTarget.HYBRID, "pages and taxonomy may both answer"


def _preferred_kinds(ctx: Context, tools: Tools) -> frozenset[str]:
    """Return the kinds of pages that the question names, else those of its intent."""
    # A follow-up often needs another kind of page than the question before.
    if ctx.turn.categories or ctx.understanding.is_followup:
        return frozenset()
    concepts = concepts_asked(ctx, tools.snapshot)
    named = frozenset(kind for name, kind in NAMED_KINDS.items() if name in concepts)
    return named or tools.steering.page_categories.get(ctx.understanding.intent, frozenset())
