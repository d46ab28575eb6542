"""What an answer may quote from, what is looked for in it, and which quotations are chosen: none
that gives orders, none that names an illness to somebody who only described complaints."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from functools import partial

from chat.behaviours import Mode
from chat.phrases import calendar_of
from chat.question.answer_types import Sort, sorts_of
from chat.question.complaints import guiding, is_described, names_nothing_unasked, tells_where
from chat.question.content_words import asked_before
from chat.question.query_terms import terms_of
from chat.safety.injection import injection_patterns_of
from chat.sources.page_names import is_at, names_one
from chat.sources.quotation.choice import Likeness, choose, seen_in
from chat.sources.quotation.features import StatementSet
from chat.sources.quotation.scores import AT_LENGTH, GLANCE, Quote, QuoteRequest, up_to_sure
from chat.sources.quotation.subjects import subjects_of
from chat.tools import Tools
from chat.turn import Context
from retrieval.intents import Intent
from retrieval.passage import Passage, Source
from retrieval.query import QueryText
from taxonomy.dates.reading import is_over
from taxonomy.kinds import Kind
from taxonomy.lexicon import lexicon_of
from zol.text import words

#: Pages, best first, of which everything is read.
OPENED = 4


def seen_among(ctx: Context, tools: Tools, pool: Sequence[Passage]) -> StatementSet | None:
    """Return all statements of some passages; None where nothing is said or nothing asked."""
    sorts, likeness = tools.snapshot.derived(sorts_of), likeness_for(ctx, tools)
    wanted = wanted_of(ctx, tools, pool)
    return seen_in(pool, wanted, tools.corpus.stem, sorts, likeness)


def pool_of(ctx: Context, tools: Tools) -> tuple[Passage, ...]:
    """Return all passages that may be quoted: those found, and the rest of the best pages.

    To complaints that nobody has a name for, pages about one condition are no answer.
    """
    passages = ctx.passages
    read = tuple(passage for block in ctx.dossier.blocks for passage in block.passages)
    if describes_complaints(ctx, tools):
        passages, read = (guiding(each, tools.snapshot) for each in (passages, read))
    found = {passage.chunk_id: passage for passage in (*passages, *read)}
    best = dict.fromkeys(passage.source.document_id for passage in passages)
    opened = tuple(best)[:OPENED]
    known = tuple(p for p in found.values() if p.source.document_id in opened)
    best_of = {passage.source.document_id: passage for passage in reversed(known)}
    rest = (as_good_as(p, best_of[p.source.document_id]) for p in tools.corpus.rest_of(known))
    return (*found.values(), *rest, *of_pages_before(best, ctx, tools))


def of_pages_before(known: Collection[int], ctx: Context, tools: Tools) -> Iterator[Passage]:
    """Yield what the pages of the answer before say that were not found: as well found as the
    best, for what is asked next is mostly about them."""
    pages = (tools.corpus.pages.by_url.get(url) for url in cited_before(ctx, tools))
    missed = [page for page in pages if page and page.document_id not in known]
    best = max(ctx.passages, key=lambda p: p.found, default=Passage(0, "", Source(0, "", "")))
    openings = [Passage(0, "", page.source) for page in missed]
    return (
        as_good_as(passage, best)
        for passage in (tools.corpus.rest_of(openings) if openings else ())
    )


def cited_before(ctx: Context, tools: Tools) -> frozenset[str]:
    """Return the pages that the last answer with any cited, without the hospital's number."""
    cited = (each.citations for each in reversed(ctx.turn.history) if each.citations)
    contact = tools.corpus.pages.contact(ctx.understanding.language)
    return frozenset(next(cited, ())) - ({contact.url} if contact else set())


def as_good_as(passage: Passage, best: Passage) -> Passage:
    """Return a passage that was not found as well found as another."""
    return passage.changed(
        base=best.base, boosts=best.boosts, affinity=best.affinity, similarity=best.similarity
    )


def wanted_of(ctx: Context, tools: Tools, pool: Sequence[Passage]) -> QuoteRequest:
    """Return what a quotation should contain, in the languages that the pages are in."""
    languages = sorted({passage.source.language for passage in pool})
    subjects = subjects_of(ctx, tools.snapshot)
    return QuoteRequest(
        terms=terms_of(ctx, tools, languages),
        sorts=sorts_for(ctx, tools),
        language=asker_of(ctx),
        replaced=frozenset(tools.corpus.pages.replaced(pool)),
        is_over=partial(is_over, today=tools.today, calendar=tools.snapshot.derived(calendar_of)),
        measure=GLANCE if ctx.turn.mode == Mode.STANDARD else AT_LENGTH,
        sure_from=tools.steering.tuning.sure_from,
        cited_before=cited_before(ctx, tools),
        is_there=is_at(ctx.understanding.matched(Kind.CAMPUS), tools.snapshot),
        suits=subjects.suit,
        is_dose=subjects.is_other_dose,
        is_of_another=subjects.is_of_another,
        is_of_another_medicine=subjects.is_of_another_medicine,
        names_asked=subjects.names_asked,
        names_one=names_one(tools.snapshot),
        beside=tools.corpus.neighbours,
    )


def describes_complaints(ctx: Context, tools: Tools) -> bool:
    """Whether complaints are described that nobody has a name for, to be told where to go.

    A name that everybody knows is one, though the hospital has no page about it.
    """
    sorts, language = sorts_for(ctx, tools), asker_of(ctx)
    spoken = tools.snapshot.derived(lexicon_of).read(words(ctx.question), language)
    if any(concept.kind == Kind.CONDITION for use in spoken for concept in use.concepts[:1]):
        return False
    # "A chi mi devo rivolgere?" asks to whom, not whether.
    if tools.snapshot.derived(sorts_of).asks_openly(ctx.question, language):
        sorts -= {Sort.PERMISSION}
    return is_described(ctx, sorts)


def sorts_for(ctx: Context, tools: Tools) -> frozenset[Sort]:
    """Return the sorts of answer that are asked for; a follow-up may ask as the one before did.

    Who describes a complaint often tells when it comes.
    """
    sorts, meant = tools.snapshot.derived(sorts_of), ctx.understanding
    asked = sorts.asked(ctx.question, asker_of(ctx))
    is_complaint = meant.intent is Intent.AMBIGUOUS_SYMPTOM_DESCRIPTION
    if is_complaint:
        told = {Sort.TIME} if sorts.tells_when(ctx.question, asker_of(ctx)) else set()
        asked -= told | {Sort.MOMENT}
    if asked or not meant.is_followup:
        return asked
    return sorts.asked(" ".join(meant.terms), tools.snapshot.profile.default_language)


def likeness_for(ctx: Context, tools: Tools) -> Likeness | None:
    """Return what compares texts with the question by meaning."""
    return partial(tools.corpus.likeness, spoken_of(ctx)) if tools.corpus.likeness else None


def spoken_of(ctx: Context) -> QueryText:
    """Return the question as it was asked, with what completes a follow-up."""
    meant, before = ctx.understanding, asked_before(ctx)
    text = meant.query if before else " ".join(meant.terms) or meant.query
    return QueryText(ctx.question, asker_of(ctx), text, before)


def asker_of(ctx: Context) -> str:
    """Return the language that the question is written in."""
    return ctx.understanding.detected or ctx.understanding.language


def quotes_of(
    pool: Sequence[Passage], wanted: QuoteRequest, ctx: Context, tools: Tools
) -> tuple[Quote, ...]:
    """Return the quotations that answer, none of which speaks to an assistant.

    Such lines are rare: only when one would be quoted are the passages read without them.
    """
    patterns = tools.snapshot.derived(injection_patterns_of)
    sorts, likeness = tools.snapshot.derived(sorts_of), likeness_for(ctx, tools)
    quotes = choose(pool, wanted, tools.corpus.stem, sorts, likeness)
    if not any(patterns.check_page(f"{quote.over}\n{quote.text}") for quote in quotes):
        return quotes
    clean = [passage.without(patterns.check) for passage in pool]
    quotes = choose(clean, wanted, tools.corpus.stem, sorts, likeness)
    return tuple(q for q in quotes if not patterns.check_page(f"{q.over}\n{q.text}"))


def guidance_of(
    pool: Sequence[Passage], wanted: QuoteRequest, ctx: Context, tools: Tools
) -> tuple[Quote, ...]:
    """Return what may be told to who describes complaints: what surely answers and names nothing
    that they may have, else what tells where to go."""
    snapshot = tools.snapshot
    careful = replace(wanted, may_be_told=names_nothing_unasked(snapshot))
    quotes = quotes_of(pool, careful, ctx, tools)
    if up_to_sure(quotes, tools.steering.tuning.sure_from):
        return quotes
    where = replace(wanted, may_be_told=lambda text: tells_where(text, snapshot))
    return quotes_of(pool, where, ctx, tools)
