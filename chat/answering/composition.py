"""Putting an answer together: lead, facts, then what the pages say, each with its number."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, zip_longest

from chat.answering.citations import Ledger
from chat.answering.plan import AnswerPlan, Asking, Lead, beside_fact, is_doubtful, plan
from chat.answering.quotation.layout import (
    beside_source,
    dated,
    lines_of,
    notes,
    shown_of,
    sources_of,
    translated,
)
from chat.question.answer_types import sorts_of
from chat.question.complaints import tells_where
from chat.question.query_terms import unsaid
from chat.sources.lookup import lookup_in
from chat.sources.quotation.candidates import (
    describes_complaints,
    guidance_of,
    pool_of,
    quotes_of,
    wanted_of,
)
from chat.sources.quotation.scores import Quote
from chat.sources.sentences import Fact, Teller, facts_of, own_words
from chat.tools import Tools
from chat.turn import Citation, Context
from retrieval.intents import Intent
from taxonomy.kinds import Kind
from taxonomy.lookup.finding import Finding
from taxonomy.needs import intents

#: The sentence before quotations, where no fact leads.
LEADS = {
    Intent.NAVIGATION_OR_PRACTICAL_INFO: "lead_practical",
    Intent.BOOKING_OR_CONTACT: "lead_practical",
    Intent.AMBIGUOUS_SYMPTOM_DESCRIPTION: "lead_symptom_general",
}


@dataclass(frozen=True, slots=True)
class Composition:
    """An answer as it will be shown, in pieces."""

    pieces: tuple[str, ...]
    citations: tuple[Citation, ...]
    #: Whether every sentence of it is the taxonomy's.
    verified: bool
    #: Whether anything was found at all.
    found: bool
    #: Words of the question that nothing of it speaks of, where it is not sure.
    missing: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        return "".join(self.pieces)


def compose(ctx: Context, tools: Tools) -> Composition:
    """Return the answer to a question, or to each of its parts, from its facts and passages.

    A question in a language that is not spoken here is answered in two.
    """
    ledger = Ledger(tools.pages, ctx.passages)
    planned = [(planned_for(part, tools), part) for part in ctx.parts or (ctx,)]
    answered = [pair for pair in planned if pair[0].lead is not Lead.NOTHING]
    told = []
    for code in ctx.understanding.answered_in:
        pieces = without_echoes(
            piece
            for each, part in answered or planned[:1]
            for piece in PARTS[each.lead](each, in_language(part, code), tools, ledger)
            if piece
        )
        if 0 < len(answered) < len(planned):
            asked = in_language(ctx, code)
            pieces.append(whom_to_call("no_answer_part", asked, tools, ledger))
        told.append(pieces)
    pieces = [*dict.fromkeys(side_by_side(told))] if len(told) > 1 else told[0]
    said = "".join(pieces)
    unsure = [part for each, part in planned if each.lead in {Lead.UNCERTAIN, Lead.NOTHING}]
    return Composition(
        (*(f"{piece}\n\n" for piece in pieces[:-1]), *pieces[-1:]),
        ledger.citations,
        verified=all(each.is_verified for each, _ in planned),
        found=bool(answered),
        missing=tuple(dict.fromkeys(word for part in unsure for word in unsaid(part, tools, said))),
    )


def side_by_side(told: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield each piece of an answer, and then the same piece in the other language."""
    return (piece for pieces in zip_longest(*told, fillvalue="") for piece in pieces if piece)


def in_language(ctx: Context, code: str) -> Context:
    return ctx.learn(understanding=replace(ctx.understanding, language=code))


def without_echoes(pieces: Iterable[str]) -> list[str]:
    """Return pieces without those that are said again later, for another part of the question."""
    said = list(pieces)
    return [piece for at, piece in enumerate(said) if piece not in said[at + 1 :]]


def planned_for(ctx: Context, tools: Tools) -> AnswerPlan:
    """Return what the answer consists of."""
    pool = pool_of(ctx, tools)
    wanted = wanted_of(ctx, tools, pool)
    is_described = describes_complaints(ctx, tools)
    sorts = tools.snapshot.derived(sorts_of)
    asked = lookup_in(ctx, tools)
    asking = Asking(
        ctx.understanding.intent,
        wanted.sorts,
        is_routed=bool(ctx.routed),
        has_other_subject=any(t.is_subject and not t.is_thing for t in wanted.terms),
        is_told_by_pages=doubts_lookup(ctx, tools),
        asks_whom=True,
        is_described=is_described,
        sure_from=tools.steering.tuning.sure_from,
        tells_where=lambda quote: tells_where(quote.text, tools.snapshot),
        gives=lambda quote: sorts.given(quote.text),
    )
    choose_from = guidance_of if is_described else quotes_of
    quotes = choose_from(pool, wanted, ctx, tools)
    planned = plan(asking, findings_for(ctx, tools), quotes)
    # Facts that were kept out for the sake of the pages are better than nothing.
    is_bare = planned.lead in {Lead.NOTHING, Lead.UNCERTAIN} and tools.is_on("taxonomy")
    planned = plan(asking, ctx.findings, quotes) if is_bare else planned
    planned = replace(
        planned,
        is_whole=planned.is_whole and asked.is_answered_by(planned.findings),
        quotes=tuple(translated(each, ctx, tools) for each in planned.quotes),
    )
    return beside_fact(planned, ctx, asking)


def doubts_lookup(ctx: Context, tools: Tools) -> bool:
    """Whether a place or people are looked up that the question seems not to need."""
    chances: defaultdict[Intent, float] = defaultdict(float)
    for need, chance in tools.needs(ctx).items():
        chances[Intent(intents()[need])] += chance
    return is_doubtful(ctx.understanding.intent, ctx.understanding.confidence, chances)


def fact_said(ctx: Context, tools: Tools) -> str:
    """Return the published fact that answers, in the asker's language; nothing without one."""
    if ctx.fact is None:
        return ""
    language = ctx.understanding.language
    return ctx.fact.text(
        language, lambda thing: tools.phrases.name(thing, language), tools.snapshot
    )


def stated(ctx: Context, tools: Tools, ledger: Ledger) -> Iterator[str]:
    """Yield the published fact that answers, with the page that says so."""
    if ctx.fact is None:
        return
    text, source = fact_said(ctx, tools), ctx.fact.entry.source
    page = tools.pages.by_path.get(source) or tools.pages.by_url.get(source)
    yield f"{text} {ledger.page(page, text) if page else ''}".rstrip()


def findings_for(ctx: Context, tools: Tools) -> tuple[Finding, ...]:
    """Return the facts that join in: all, unless the gate keeps them out."""
    joins = tools.is_on("taxonomy") and (ctx.dossier.with_facts or ctx.roster_of is not None)
    return ctx.findings if joins else ()


def _facts_first(planned: AnswerPlan, ctx: Context, tools: Tools, ledger: Ledger) -> Iterator[str]:
    if planned.is_for_complaints:
        yield whom_to_ask(ctx, tools)
    yield from stated(ctx, tools, ledger)
    yield from told(planned, ctx, tools, ledger)
    yield from quoted(planned.quotes, ctx, tools, ledger)
    yield from dated(planned.quotes, ctx, tools)
    shown = f"{fact_said(ctx, tools)}\n{shown_of(planned.quotes)}"
    yield from notes(ctx, tools, sources_of(planned.quotes), shown)


def _pages_first(planned: AnswerPlan, ctx: Context, tools: Tools, ledger: Ledger) -> Iterator[str]:
    lead = LEADS.get(ctx.understanding.intent, "lead_general")
    yield tools.phrases.say(lead, ctx.understanding.language)
    yield from quoted(planned.quotes, ctx, tools, ledger)
    yield from told(planned, ctx, tools, ledger)
    yield from dated(planned.quotes, ctx, tools)
    yield from notes(ctx, tools, sources_of(planned.quotes), shown_of(planned.quotes))


def whom_to_ask(ctx: Context, tools: Tools) -> str:
    """Return that a doctor can tell what complaints mean, for who describes some."""
    if ctx.understanding.intent is not Intent.AMBIGUOUS_SYMPTOM_DESCRIPTION:
        return ""
    return tools.phrases.say("ask_gp", ctx.understanding.language)


def _uncertain(planned: AnswerPlan, ctx: Context, tools: Tools, ledger: Ledger) -> Iterator[str]:
    yield whom_to_ask(ctx, tools)
    yield tools.phrases.say("lead_uncertain", ctx.understanding.language)
    yield from quoted(planned.quotes, ctx, tools, ledger)
    yield from told(planned, ctx, tools, ledger)
    yield from dated(planned.quotes, ctx, tools)
    yield from notes(ctx, tools, sources_of(planned.quotes))
    yield whom_to_call("uncertain_contact", ctx, tools, ledger)


def _nothing(planned: AnswerPlan, ctx: Context, tools: Tools, ledger: Ledger) -> Iterator[str]:
    """Say that nothing was found, and who can help."""
    yield whom_to_ask(ctx, tools)
    kind = "complaint_contact" if planned.is_for_complaints else "no_answer"
    yield whom_to_call(kind, ctx, tools, ledger)
    yield from told(planned, ctx, tools, ledger)


PARTS = {
    Lead.FACTS: _facts_first,
    Lead.PAGES: _pages_first,
    Lead.UNCERTAIN: _uncertain,
    Lead.NOTHING: _nothing,
}


def told(planned: AnswerPlan, ctx: Context, tools: Tools, ledger: Ledger) -> Iterator[str]:
    """Yield the facts as paragraphs and lists; each bears the number of its page."""
    language = ctx.understanding.language
    own = own_words(ctx.understanding.matches, language)
    teller = Teller(tools.snapshot.vocabulary, tools.phrases, language, own)
    facts = facts_of(planned.findings, teller)
    for is_item, group in groupby(facts, key=lambda fact: fact.is_item):
        marked = [(fact.text, mark_of(fact, ledger)) for fact in group]
        if is_item:
            yield "\n".join(f"- {text} {mark}".rstrip() for text, mark in marked)
        else:
            yield " ".join(marked_once(marked))


def mark_of(fact: Fact, ledger: Ledger) -> str:
    """Return the number of a fact's page; people in a list need one only if it can be opened."""
    is_person = fact.is_item and fact.thing.kind is Kind.DOCTOR
    return (ledger.item if is_person else ledger.fact)(fact.thing, fact.text)


def marked_once(marked: Sequence[tuple[str, str]]) -> Iterator[str]:
    """Yield sentences with their numbers; those of one page share it, behind the last of them."""
    for mark, group in groupby(marked, key=lambda pair: pair[1]):
        yield f"{' '.join(text for text, _ in group)} {mark}".rstrip()


def quoted(quotes: tuple[Quote, ...], ctx: Context, tools: Tools, ledger: Ledger) -> Iterator[str]:
    """Yield each quotation with its number; sentences that follow each other as one paragraph. Of a
    table or list that is too long, it is said how much is shown."""
    language = ctx.understanding.language
    for quote in quotes:
        parts = [f"{quote.shown}/{quote.of}"] if quote.is_part else []
        told = quote.told.text if quote.translated else ""
        anchor = quote.statements[0].line.place.anchor
        said = beside_source(quote)
        mark = ledger.quote(quote.passage, said, *parts, translated=told, anchor=anchor)
        said = "\n".join(f"> {line}".rstrip() for line in lines_of(quote))
        yield f"{said} {mark}"
        if quote.is_part:
            values = {"shown": quote.shown, "of": quote.of}
            yield tools.phrases.say("table_part", language, **values, mark=mark)
    if pages := {quote.passage.source.language for quote in quotes if quote.translated}:
        spoken = [tools.phrases.say(f"language_name_{code}", language) for code in sorted(pages)]
        named = tools.phrases.listed(spoken, language)
        yield "*" + tools.phrases.say("quote_is_translated", language, language_name=named) + "*"


def whom_to_call(kind: str, ctx: Context, tools: Tools, ledger: Ledger) -> str:
    """Return who can help when nothing was found, or something that may not be it."""
    language = ctx.understanding.language
    text = tools.phrases.say(kind, language)
    page = tools.pages.contact(language)
    mark = ledger.page(page, text) if page and text else ""
    return f"{text} {mark}".rstrip()
