"""Putting an answer together: lead, facts, then what the pages say, each with its number."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from chat.checking.text import without_marks
from chat.engines.embedded.facts import Fact, facts_of
from chat.engines.embedded.ledger import Ledger
from chat.engines.embedded.quotes import LEAST_COVER, Quote, Wanted, choose
from chat.engines.embedded.teller import Teller
from chat.lookup.asked import ABOUT_HOURS
from chat.tools import Tools
from chat.turn import Citation, Context
from chat.wording import asked_words, content_words
from retrieval.intents import Intent
from retrieval.passage import GENERAL, Source
from taxonomy.kinds import Kind
from taxonomy.lexicon import lexicon_of
from taxonomy.resolvers.base import Match
from taxonomy.snapshot import Snapshot
from zol.text import words

#: The sentence before quotations, where no fact leads.
LEADS = {
    Intent.NAVIGATION_OR_PRACTICAL_INFO: "lead_practical",
    Intent.BOOKING_OR_CONTACT: "lead_booking_general",
    Intent.AMBIGUOUS_SYMPTOM_DESCRIPTION: "lead_symptom_general",
}
#: Intents that ask for an explanation, which only pages give.
EXPLAINED = (
    Intent.CONDITION_INFORMATION,
    Intent.TREATMENT_OR_EXAM_INFORMATION,
    Intent.NAVIGATION_OR_PRACTICAL_INFO,
    Intent.UNKNOWN,
)
#: Cover from which a quotation adds something to facts that already answer.
BESIDE_FACTS = 0.65
#: Kinds whose names a quotation should contain.
NAMED = (Kind.CONDITION, Kind.TREATMENT, Kind.EXAMINATION, Kind.DEPARTMENT, Kind.CAMPUS)
#: Topics of questions whose answer is a figure.
ABOUT_FIGURES = frozenset({"billing", "parking", "visiting", "hours"})
#: Concepts of the lexicon that ask for a figure.
FIGURE_WORDS = frozenset({"when", "how_much", "how_long"})
#: Cover from which a quotation is offered, openly, as what comes closest.
NEAREST = 0.12


@dataclass(frozen=True, slots=True)
class Composition:
    """An answer as it will be shown, in pieces."""

    pieces: tuple[str, ...]
    citations: tuple[Citation, ...]
    #: Whether the taxonomy carried it.
    verified: bool
    #: Whether anything was found at all.
    found: bool

    @property
    def text(self) -> str:
        return "".join(self.pieces)


def compose(ctx: Context, tools: Tools) -> Composition:
    """Return the answer to a question from its facts and passages."""
    language = ctx.understanding.language
    teller = Teller(tools.snapshot.vocabulary, tools.phrases, language)
    ledger = Ledger(tools.pages, ctx.passages)
    told_facts = tools.is_on("taxonomy") and (ctx.dossier.with_facts or ctx.roster_of is not None)
    facts = tuple(facts_of(ctx.findings, teller)) if told_facts else ()
    quotes = quotes_for(ctx, tools, has_facts=not leads_with_pages(facts))
    if not facts and not quotes:
        return nothing(ctx, tools, ledger)
    is_certain = bool(facts) or is_covered(quotes)
    if quotes and leads_with_pages(facts):
        lead = LEADS.get(ctx.understanding.intent, "lead_general")
        lead = lead if is_covered(quotes) else "lead_uncertain"
        pieces = [tools.phrases.say(lead, language), *quoted(quotes, ledger), *told(facts, ledger)]
    else:
        pieces = [*told(facts, ledger), *quoted(quotes, ledger)]
    pieces += notes(ctx, tools, [quote.passage.source for quote in quotes])
    if not is_certain:
        pieces.append(whom_to_call(ctx, tools, ledger))
    return Composition(
        (*(f"{piece}\n\n" for piece in pieces[:-1]), pieces[-1]),
        ledger.citations,
        verified=bool(facts),
        found=True,
    )


def leads_with_pages(facts: tuple[Fact, ...]) -> bool:
    """Whether the pages answer, and the facts only say where the place is that was named."""
    return all(fact.thing.kind is Kind.CAMPUS for fact in facts)


def told(facts: tuple[Fact, ...], ledger: Ledger) -> Iterator[str]:
    """Yield the facts as paragraphs and lists; each bears the number of its page."""
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


def quotes_for(ctx: Context, tools: Tools, *, has_facts: bool) -> tuple[Quote, ...]:
    """Return what the pages say; beside facts that answer, only what really adds to them."""
    least = least_cover(ctx, has_facts=has_facts)
    if least is None:
        return ()
    wanted = Wanted(
        terms=wanted_terms(ctx, tools),
        category=ctx.primary_category or GENERAL,
        figures=wants_figures(ctx, tools),
        least_cover=least,
    )
    read = [passage for block in ctx.dossier.blocks for passage in block.passages]
    known = {passage.chunk_id for passage in read}
    others = [passage for passage in ctx.passages if passage.chunk_id not in known]
    return choose(read, wanted, tools.stem, others)


def least_cover(ctx: Context, *, has_facts: bool) -> float | None:
    """Return how well a quotation must cover the question; None when facts say all."""
    if not has_facts:
        return NEAREST
    meant = ctx.understanding
    if meant.intent is Intent.DOCTOR_LOOKUP:
        return None
    if meant.topic in ABOUT_HOURS:
        return BESIDE_FACTS
    return LEAST_COVER if meant.intent in EXPLAINED else BESIDE_FACTS


def is_covered(quotes: tuple[Quote, ...]) -> bool:
    """Whether a quotation answers, rather than only comes near."""
    return any(quote.cover >= LEAST_COVER for quote in quotes)


def wants_figures(ctx: Context, tools: Tools) -> bool:
    """Whether the answer is a figure: by what is asked about, or by how it is asked."""
    meant = ctx.understanding
    lexicon = tools.snapshot.derived(lexicon_of)
    uses = lexicon.read(words(ctx.question), meant.language)
    asked = {concept.name for use in uses for concept in use.concepts}
    return meant.topic in ABOUT_FIGURES or not FIGURE_WORDS.isdisjoint(asked)


def wanted_terms(ctx: Context, tools: Tools) -> tuple[frozenset[str], ...]:
    """Return the words that a quotation should contain; of a thing's names, one suffices."""
    snapshot, meant = tools.snapshot, ctx.understanding
    said = frozenset(asked_words(ctx, snapshot))
    names = [names_of(match, snapshot) for match in meant.matches if match.thing.kind in NAMED]
    named = frozenset().union(*names)
    return (*names, *(frozenset({word}) for word in sorted(said - named)))


def names_of(match: Match, snapshot: Snapshot) -> frozenset[str]:
    """Return the words by which the pages may call a thing."""
    language = snapshot.profile.default_language
    aliases = [a.text for a in match.thing.aliases if a.language == language and " " not in a.text]
    spoken = " ".join((match.text, match.thing.name, match.thing.get("latin"), *aliases))
    return content_words(spoken, snapshot)


def quoted(quotes: tuple[Quote, ...], ledger: Ledger) -> Iterator[str]:
    """Yield each quotation with its number; sentences that follow each other as one paragraph."""
    for quote in quotes:
        mark = ledger.quote(quote.passage, quote.text)
        if any(statement.is_row for statement in quote.statements):
            said = "\n".join(f"> - {statement.text}" for statement in quote.statements)
        else:
            said = f"> {quote.text}"
        yield f"{without_marks(said)} {mark}"


def notes(ctx: Context, tools: Tools, sources: Sequence[Source | Citation]) -> Iterator[str]:
    """Yield what must be said openly: a unit that does not fit, a source in another language."""
    language = ctx.understanding.language
    if sources and (gap := ctx.dossier.unit_gap):
        found = tools.phrases.listed(list(gap.found), language)
        yield tools.phrases.say("unit_note", language, asked_unit=gap.asked, found_unit=found)
    foreign = {source.language for source in sources if source.language} - {language}
    if foreign:
        spoken = [tools.phrases.say(f"language_name_{code}", language) for code in sorted(foreign)]
        named = tools.phrases.listed(spoken, language)
        yield "*" + tools.phrases.say("source_is_dutch", language, language_name=named) + "*"


def nothing(ctx: Context, tools: Tools, ledger: Ledger) -> Composition:
    """Say that nothing was found, and who can help."""
    text = tools.phrases.say("no_answer", ctx.understanding.language)
    mark = contact_mark(tools, ledger, text)
    return Composition((f"{text} {mark}".rstrip(),), ledger.citations, verified=False, found=False)


def whom_to_call(ctx: Context, tools: Tools, ledger: Ledger) -> str:
    """Return who can help when what was found may not be it."""
    text = tools.phrases.say("uncertain_contact", ctx.understanding.language)
    return f"{text} {contact_mark(tools, ledger, text)}".rstrip()


def contact_mark(tools: Tools, ledger: Ledger, said: str) -> str:
    """Return the number of the hospital's contact page, if it has one."""
    page = tools.pages.contact
    return ledger.page(page, said) if page else ""
