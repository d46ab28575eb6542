"""Where evidence is looked for: in the pages, in the taxonomy or in both, and in which pages
first."""

from __future__ import annotations

from chat.tools import Tools
from chat.turn import Context, Lanes, StageResult, Strategy
from retrieval.intents import Intent
from taxonomy.language.lexicon import lexicon_of
from zol.text import words

#: What kinds of pages are called in questions, by concept.
NAMED_KINDS = {"brochure": "Brochure"}


def strategy_selection(ctx: Context, tools: Tools) -> StageResult:
    """Choose the lanes by what is asked, and the kinds of pages that come first."""
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
    """Return the lanes, and why: both, unless one of them has nothing to say.

    Doctors alone are looked for without a name: by the language that they speak.
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
    """Return the kinds of pages that are asked for by name, else those that suit the intent; none
    where the request names its own, or for a follow-up, which often crosses to another kind.

    An intent may be wrong, so pages of other kinds are not left out: they count for less.
    """
    if ctx.turn.categories or ctx.understanding.is_followup:
        return frozenset()
    if named := _kinds_named(ctx, tools):
        return named
    return tools.steering.page_categories.get(ctx.understanding.intent, frozenset())


def _kinds_named(ctx: Context, tools: Tools) -> frozenset[str]:
    """Return the kinds of pages that a question asks for by what they are: "wat staat er in de
    folder"; it is about something else."""
    lexicon, meant = tools.snapshot.derived(lexicon_of), ctx.understanding
    spoken = lexicon.read(words(ctx.question), meant.detected or meant.language)
    named = {concept.name for use in spoken for concept in use.concepts}
    return frozenset(kind for name, kind in NAMED_KINDS.items() if name in named)
