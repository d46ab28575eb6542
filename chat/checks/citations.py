"""Every statement rests on a source that exists, or on the approved taxonomy."""

from __future__ import annotations

from chat.checks.evidence import Evidence
from chat.checks.knowledge import Knowledge
from chat.checks.statement import QUOTED, Fault, Statement
from zol import phones

NO_SOURCE = "no source"
#: Share of a statement's words that the facts must contain to bear it without a citation.
LEAST_COVER = 0.5
#: A lead-in says nothing that could be wrong: few words, no figures, and a colon.
LEAD_IN_WORDS = 14
#: Words of a sentence that admits something, and of one that only says whom to call.
ADMITTED_WORDS, REFERRAL_WORDS = 30, 16


def cites_what_exists(said: Statement, evidence: Evidence, known: Knowledge) -> Fault | None:
    """Find a number that is not in the list."""
    unknown = sorted(set(said.marks) - evidence.by_number.keys())
    return Fault("citations", f"no source {unknown[0]}") if unknown else None


def quotes_a_page(said: Statement, evidence: Evidence, known: Knowledge) -> Fault | None:
    """Find a quotation that names no page."""
    is_bare = said.text.startswith(QUOTED) and not said.cited
    return Fault("citations", NO_SOURCE) if is_bare else None


def rests_on_something(said: Statement, evidence: Evidence, known: Knowledge) -> Fault | None:
    """Find a statement that neither cites a source nor repeats a fact."""
    if said.cited or is_lead_in(said, known) or is_honest(said, known):
        return None
    spoken = known.lexicon.content_words(said.words, said.language)
    facts = evidence.words_of(())
    held = sum(word in facts for word in spoken)
    if spoken and held >= LEAST_COVER * len(spoken):
        return None
    return Fault("citations", NO_SOURCE)


def is_lead_in(said: Statement, known: Knowledge) -> bool:
    """Whether a statement only opens what follows: a heading, or "The steps are:"."""
    return opens(said) and not known.figures.read(said.plain, said.written_in)


def is_honest(said: Statement, known: Knowledge) -> bool:
    """Whether a statement only says that our pages do not tell, or whom to call instead.

    It claims nothing else: it is short, and counts no dose.
    """
    if len(said.words) > ADMITTED_WORDS:
        return False
    figures = known.figures.read(said.plain, said.written_in)
    if any(figure.unit in known.dose_units for figure in figures):
        return False
    own = {number for text in known.own for number in phones.numbers(text)}
    is_referral = len(said.words) <= REFERRAL_WORDS and not own.isdisjoint(
        phones.numbers(said.plain)
    )
    return is_referral or any(known.admissions.find(said.words))


def opens(said: Statement) -> bool:
    """Whether a statement is a heading, or announces what follows."""
    is_short = len(said.words) <= LEAD_IN_WORDS
    return said.plain.startswith("#") or (said.plain.endswith(":") and is_short)
