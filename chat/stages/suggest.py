from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest

from chat.lookup.asked import Asked, asked_of
from chat.lookup.departments import visiting_hours
from chat.lookup.finding import Says
from chat.tools import Tools
from chat.turn import Context, StageResult
from taxonomy.vocabulary import Thing
from zol.text import fold

MOST = 3
#: A question of fewer words is a heading with a question mark.
FEWEST_WORDS = 4
#: Headings that were joined to a question cannot be asked by a person.
_JOINS = (":", "(", "\u203a")


def suggest(ctx: Context, tools: Tools) -> StageResult:
    """Offer three next questions: what nearby passages answer, and about the department at hand."""
    asked = fold(ctx.question)
    near, about = list(nearby(ctx, tools)), list(about_departments(ctx, tools))
    mixed = (each for pair in zip_longest(about, near) for each in pair if each)
    offered = dict.fromkeys(question for question in mixed if fold(question) != asked)
    return StageResult(ctx.learn(follow_ups=tuple(offered)[:MOST]))


def about_departments(ctx: Context, tools: Tools) -> Iterator[str]:
    """Yield what can be asked of the department at hand and was not answered yet."""
    asked = asked_of(ctx.understanding, tools.snapshot)
    for department in asked.departments[:1]:
        for kind in kinds_for(ctx, asked, department):
            said = tools.phrases.say(kind, ctx.understanding.language, department=department.name)
            if said:
                yield said


def kinds_for(ctx: Context, asked: Asked, department: Thing) -> Iterator[str]:
    """Yield the questions that the taxonomy can answer of a department."""
    told = {finding.says for finding in ctx.findings}
    if Says.ROSTER not in told and asked.vocabulary.doctors_in(department):
        yield "suggest_doctors"
    if Says.BOOKED_AT not in told:
        yield "suggest_booking"
    if Says.VISITING_HOURS not in told and any(visiting_hours(asked, department)):
        yield "suggest_hours"


def nearby(ctx: Context, tools: Tools) -> Iterator[str]:
    """Yield canonical questions of passages that were found, for who reads their language."""
    cited = {citation.chunk_id for citation in ctx.citations}
    for passage in ctx.passages:
        if passage.source.language == ctx.understanding.language and passage.chunk_id not in cited:
            yield from (question for question in passage.questions if is_asked(question))


def is_asked(question: str) -> bool:
    """Whether a person would ask it like that."""
    return len(question.split()) >= FEWEST_WORDS and not any(join in question for join in _JOINS)
