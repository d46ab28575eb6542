from __future__ import annotations

from chat.behaviours import Behaviour
from chat.lookup.asked import asked_of
from chat.tools import Tools
from chat.turn import Context, StageResult
from taxonomy.tokens import folded


def tell(ctx: Context, tools: Tools) -> StageResult:
    """Put what staff announce before an answer, whichever stage gave it; never above one that is
    about safety. What is remembered of the answer is without it."""
    held = tools.interventions.bulletins(tools.today)
    if not held or ctx.behaviour is not Behaviour.ANSWER or ctx.red_flag or not ctx.answer:
        return StageResult(ctx)
    words, things = frozenset(folded(ctx.question)), things_of(ctx, tools)
    told = [
        each for each in held if each.is_general or each.is_about(words) or each.subject in things
    ]
    language = ctx.understanding.language
    said = (each.announced(tools.phrases, language) for each in told)
    bulletin = "".join(f"**{heading}**\n{text}\n\n" for heading, text, _ in said)
    learned = ctx.learn(answer=bulletin + ctx.answer, bulletin=bulletin)
    return StageResult(learned, {"bulletins": [each.id for each in told]})


def things_of(ctx: Context, tools: Tools) -> set[tuple[str, str]]:
    """Return what a question names, and the departments of that, by kind and key."""
    meant = ctx.understanding
    # Nothing was understood of a question whose answer was remembered.
    read = meant if meant.matches else tools.read(ctx.turn, tools.snapshot)
    named = (read, *(part.understanding for part in ctx.parts))
    found = [t for each in named for m in each.matches for t in (m.thing, *m.alternatives)]
    found += [thing for each in named for thing in asked_of(each, tools.snapshot).departments]
    return {(str(thing.kind), thing.key) for thing in found}
