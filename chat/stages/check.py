from __future__ import annotations

import re

from chat.tools import Tools
from chat.turn import Context, StageResult

_MARK = re.compile(r"\[(\d+)\]")


def check(ctx: Context, tools: Tools) -> StageResult:
    """See that every number stands in the list, and that nobody of a roster is missing."""
    listed = {citation.n for citation in ctx.citations}
    used = {int(number) for number in _MARK.findall(ctx.answer)}
    answer = _MARK.sub(lambda m: m[0] if int(m[1]) in listed else "", ctx.answer)
    missing = [doctor.name for doctor in ctx.roster if doctor.name not in answer]
    kept = tuple(citation for citation in ctx.citations if citation.n in used)
    return StageResult(
        ctx.learn(answer=answer, citations=kept),
        {"unknown_marks": sorted(used - listed), "missing_doctors": missing},
    )
