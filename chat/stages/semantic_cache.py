"""Answer with a curated answer, or with a cached one of a question with the same meaning."""

from __future__ import annotations

from typing import Any

from chat.answer_cache.reuse import gist_of, has_wording, may_read, reuse
from chat.answering.additions import next_questions
from chat.answering.answer import opening, unit_note
from chat.checking.base import Citation
from chat.sources.records import EMERGENCY, HELPDESK, CuratedAnswer
from chat.tools import Step, Tools, in_order, leave_out
from chat.turn import Context, StageResult, Token
from retrieval.passage import Page
from taxonomy.vocabulary import Kind


def semantic_cache(ctx: Context, tools: Tools) -> StageResult:
    """Return a curated answer, else a cached one."""
    return in_order(
        ctx, tools, Step(_match_curated), Step(_read_cache, switch="cache", fallback=leave_out)
    )


def _match_curated(ctx: Context, tools: Tools) -> StageResult:
    """Answer with a curated answer, unless the question asks several things or a whole list."""
    meant = ctx.understanding
    if ctx.turn.categories or meant.parts or meant.wants_list or ctx.degraded:
        return StageResult(ctx)
    found = tools.given.curated(ctx)
    if found.hit is None:
        return StageResult(ctx, found.as_data())
    fact = tools.reading.fact(ctx)
    if fact is not None and fact.entry.need == found.hit.need and len(fact.entries) > 1:
        # The facts cover every campus, the curated answer perhaps only some.
        return StageResult(ctx, found.as_data())
    examples = ((code, text) for code, texts in found.hit.examples.items() for text in texts)
    if meant.by_model and (meant.is_followup or not has_wording(ctx, examples, tools.snapshot)):
        return StageResult(ctx, {**found.as_data(), "left_to_the_model": True})
    pages = enumerate(_readable(found.hit, meant.language, tools), start=1)
    citations = tuple(Citation.of_page(page, n) for n, page in pages)
    text = found.hit.answer[meant.language]
    marked = " ".join((text, *(f"[{each.n}]" for each in citations)))
    body = "\n\n".join(filter(None, (marked, unit_note(ctx, text, tools))))
    answer = "".join((*opening(ctx, tools), body))
    tools.emit(Token(answer.removeprefix(ctx.warning)))
    learned = ctx.learn(
        text=answer,
        citations=citations,
        verified=True,
        is_curated=True,
        **_contact_of(found.hit, tools),
    )
    learned = learned.learn(follow_ups=tuple(next_questions(learned, tools)))
    return StageResult(learned, found.as_data(), stop=True)


def _readable(answer: CuratedAnswer, language: str, tools: Tools) -> list[Page]:
    """Return the answer's pages that exist, those in the asker's language first."""
    own = language, tools.snapshot.profile.default_language
    found = (tools.corpus.pages.by_url.get(url) for url in dict.fromkeys(answer.sources))
    pages = list(filter(None, found))
    read = [page for page in pages if page.language in own] or pages
    return sorted(read, key=lambda page: page.language != language)


def _contact_of(answer: CuratedAnswer, tools: Tools) -> dict[str, Any]:
    """Return the values of the turn for an answer's contact card: a telephone or a department."""
    profile = tools.snapshot.profile
    numbers = {
        HELPDESK: profile.helpdesk_phone or profile.phone,
        EMERGENCY: profile.emergency_phone,
    }
    if answer.next_step in numbers:
        return {"contact": {"name": profile.name, "phone": numbers[answer.next_step]}}
    _, _, key = answer.next_step.partition(":")
    department = tools.snapshot.vocabulary.get(Kind.DEPARTMENT, key)
    return {"routed": (department,)} if department else {}


def _read_cache(ctx: Context, tools: Tools) -> StageResult:
    """Answer with the cached answer to a question that is the same when rewritten, or similar."""
    cache = tools.given.cache
    if cache is None or ctx.degraded or ctx.understanding.is_followup or not may_read(ctx):
        return StageResult(ctx)
    return reuse(ctx, cache.similar(ctx, gist_of(ctx, tools.snapshot)), tools.emit)
