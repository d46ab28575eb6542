from __future__ import annotations

from chat.behaviours import Behaviour
from chat.interventions import Intervention
from chat.lookup.lookup_question import asked_of
from chat.tools import Tools
from chat.turn import Context, StageResult
from taxonomy.kinds import Kind
from taxonomy.tokens import folded
from taxonomy.vocabulary import Thing


def add_bulletins(ctx: Context, tools: Tools) -> StageResult:
    """Put what staff announce before an answer, whichever stage gave it; never above one that is
    about safety. What is remembered of the answer is without it."""
    held = tools.interventions.bulletins(tools.today)
    if not held or ctx.behaviour is not Behaviour.ANSWER or ctx.red_flag or not ctx.answer:
        return StageResult(ctx)
    words = frozenset(folded(ctx.question))
    told = [b for b in held if b.is_general or b.is_about(words) or names_subject(b, ctx, tools)]
    language = ctx.understanding.language
    said = (each.announced(tools.phrases, language) for each in told)
    bulletin = "".join(f"**{heading}**\n{text}\n\n" for heading, text, _ in said)
    learned = ctx.learn(answer=bulletin + ctx.answer, bulletin=bulletin)
    return StageResult(learned, {"bulletins": [each.id for each in told]})


def names_subject(bulletin: Intervention, ctx: Context, tools: Tools) -> bool:
    """Whether a question names what a bulletin is about, or what is done or who works there; to
    patients a specialty is its departments."""
    vocabulary = tools.snapshot.vocabulary
    kind, key = bulletin.subject or ("", "")
    subject = vocabulary.get(Kind(kind), key) if kind else None
    if subject is None:
        return False
    places = vocabulary.departments_of(subject) if subject.kind is Kind.SPECIALTY else ()
    return not things_of(ctx, tools).isdisjoint((subject, *places))


def things_of(ctx: Context, tools: Tools) -> set[Thing]:
    """Return what a question names or may mean by a name, and the departments of that."""
    meant = ctx.understanding
    # Nothing was understood of a question whose answer was remembered.
    read = meant if meant.matches else tools.read(ctx.turn, tools.snapshot)
    asked = (read, *(part.understanding for part in ctx.parts))
    named = {t for each in asked for m in each.matches for t in (m.thing, *m.alternatives)}
    return named.union(*(asked_of(each, tools.snapshot).departments for each in asked))
