from __future__ import annotations

from chat.behaviours import Behaviour
from chat.stages.guard import warning
from chat.tools import Tools
from chat.turn import Citation, Context, StageResult
from chat.wayfinding import desk_of, page_for
from retrieval.intents import Intent

#: What is said to a question of a blocked intent, and what that counts as.
REFUSALS = {
    Intent.OUT_OF_SCOPE_MEDICAL_ADVICE: ("refuse_medical", Behaviour.REFUSE_MEDICAL),
    Intent.OFF_TOPIC: ("refuse_offtopic", Behaviour.REFUSE_OFFTOPIC),
    Intent.OTHER_HOSPITAL: ("refuse_other_hospital", Behaviour.REFUSE_OTHER_HOSPITAL),
    Intent.VAGUE_INPUT: ("clarify", Behaviour.CLARIFY),
}


#: Refusals that give way to an answer which staff approved for just this question.
DOUBTFUL = frozenset({Intent.OFF_TOPIC, Intent.VAGUE_INPUT})


def refuse(ctx: Context, tools: Tools) -> StageResult:
    """Say kindly what we do not answer, and where the visitor can turn to instead."""
    meant = ctx.understanding
    if meant.intent not in REFUSALS:
        return StageResult(ctx)
    if meant.intent in DOUBTFUL and not meant.greeting and tools.curated(ctx).hit:
        return StageResult(ctx, {"answered_by_staff": True})
    kind, behaviour = REFUSALS[meant.intent]
    desk = desk_of(ctx, tools)
    text = "\n\n".join(
        tools.phrases.say(meant.greeting or kind, code, **desk) for code in meant.answered_in
    )
    text = "".join((*warning(ctx, tools), text))
    citations: tuple[Citation, ...] = ()
    if behaviour is Behaviour.REFUSE_MEDICAL:
        addition, citations = page_for(ctx, tools)
        text = "\n\n".join(part for part in (text, addition) if part)
    learned = ctx.learn(answer=text, citations=citations, behaviour=behaviour)
    return StageResult(learned, {"refused": kind}, stop=True)
