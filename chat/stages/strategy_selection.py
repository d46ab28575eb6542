"""Select where to search: pages, taxonomy or both, and preferred page kinds."""

from __future__ import annotations

from chat.question.content_words import concepts_asked
from chat.tools import Tools
from chat.turn import Context, Lanes, StageResult, Strategy
from retrieval.intents import Intent

#: Page kinds named in questions, by concept.
NAMED_KINDS = {"brochure": "Brochure"}


def strategy_selection(ctx: Context, tools: Tools) -> StageResult:
    """Choose lanes and preferred page kinds by the question."""
    lanes, why = _lanes(ctx, tools)
    preferred = _preferred_kinds(ctx, tools) if lanes is not Lanes.GRAPH else frozenset[str]()
    chosen = Strategy(lanes, preferred, why)
    detail = {
        "lanes": str(lanes),
        "why": why,
        "preferred": sorted(preferred),
        "follow_up": ctx.understanding.is_followup,
    }
    return StageResult(ctx.learn(strategy=chosen), detail)


def _lanes(ctx: Context, tools: Tools) -> tuple[Lanes, str]:
    """Return the lanes with the reason: both, unless one cannot contribute.

    Only doctors are looked up without a name: by the language they speak.
    """
    meant = ctx.understanding
    if not tools.is_on("taxonomy"):
        return Lanes.VECTOR, "the taxonomy is turned off"
    if not tools.is_on("dense") and not tools.is_on("keyword"):
        return Lanes.GRAPH, "both searches are turned off"
    if not meant.matches and meant.intent is not Intent.DOCTOR_LOOKUP:
        return Lanes.VECTOR, "the question names nothing that the taxonomy knows"
    return Lanes.HYBRID, "pages and taxonomy may both answer"


def _preferred_kinds(ctx: Context, tools: Tools) -> frozenset[str]:
    """Return the page kinds named in the question, else those of the intent; none if the request
    sets categories, or for a follow-up, which often changes kind.

    Other kinds are weighted down, not excluded, since an intent may be wrong.
    """
    if ctx.turn.categories or ctx.understanding.is_followup:
        return frozenset()
    # "Wat staat er in de folder?": its subject is something else.
    said = concepts_asked(ctx, tools.snapshot)
    named = frozenset(kind for name, kind in NAMED_KINDS.items() if name in said)
    return named or tools.steering.page_categories.get(ctx.understanding.intent, frozenset())
