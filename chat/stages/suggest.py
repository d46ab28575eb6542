from __future__ import annotations

from collections.abc import Iterator

from chat.lookup.asked import asked_of
from chat.tools import Tools
from chat.turn import Context, StageResult
from zol.text import fold

MOST = 3


def suggest(ctx: Context, tools: Tools) -> StageResult:
    """Offer three next questions: about the department at hand, and what nearby passages answer."""
    asked = fold(ctx.question)
    offered: dict[str, None] = {}
    for question in (*about_departments(ctx, tools), *nearby(ctx, tools)):
        if fold(question) != asked:
            offered[question] = None
    return StageResult(ctx.learn(follow_ups=tuple(offered)[:MOST]))


def about_departments(ctx: Context, tools: Tools) -> Iterator[str]:
    asked = asked_of(ctx.understanding, tools.snapshot)
    language = ctx.understanding.language
    kinds = ("suggest_doctors", "suggest_booking", "suggest_hours")
    for department in asked.departments[:1]:
        for kind in kinds:
            if kind == "suggest_doctors" and ctx.roster:
                continue
            if text := tools.phrases.say(kind, language, department=department.name):
                yield text


def nearby(ctx: Context, tools: Tools) -> Iterator[str]:
    """Yield canonical questions of passages that were found, for who reads their language."""
    if ctx.understanding.language != tools.snapshot.profile.default_language:
        return
    for passage in ctx.passages[1:]:
        yield from passage.questions[:1]
