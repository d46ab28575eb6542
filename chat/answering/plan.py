"""What an answer consists of, and in which order: facts of the taxonomy, sentences of the pages."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import TypeAlias

from chat.question.answer_types import FIGURES, Sort
from chat.sources.quotation.scores import Quote, up_to_sure
from chat.turn import Context
from retrieval.intents import Intent
from retrieval.tuning import RetrievalTuning
from taxonomy.kinds import Kind
from taxonomy.lookup.finding import PEOPLE, Finding, Says

#: A quotation that is as likely to answer as a hospital asks for is shown as an answer
#: (`sure_from`). Beside facts that answer by themselves three quarters of that will do,
BESIDE_FACTS = 0.75
#: … with a contact below that helps anyway half, to tell how a matter is settled,
TELLS_HOW = 0.5
#: … and this likely to be offered, openly, as what comes nearest.
NEAREST = 0.07
#: … or as what tells, where nothing else does, where to go with complaints.
GUIDES = 0.04
#: What a contact answers.
REACHED_BY = frozenset({Sort.PLACE, Sort.PHONE, Sort.EMAIL})
SPOT = frozenset({Sort.SPOT})
#: What is no matter of where something is done: a page that comes near may tell it.
MOMENT = frozenset({Sort.MOMENT})
BEYOND_PLACE = (FIGURES - REACHED_BY) | MOMENT
#: How likely a need is, from which its fact is the whole answer.
CERTAIN = 0.9
HOURS = frozenset({Says.HOURS, Says.VISITING_HOURS})
#: What is said without knowing that it is meant.
GUESSED = frozenset({Says.AMBIGUOUS, Says.SUITED, Says.FILTERED_NONE})
#: What nobody answers by telling who works somewhere.
BEYOND_PEOPLE = frozenset({Sort.AMOUNT, Sort.DURATION, Sort.PERMISSION, Sort.SPOT})

MEASURES = BEYOND_PEOPLE - {Sort.PERMISSION}

#: Intents that a place or people answer, unless one that is less sure than this meets a need that
#: is no more likely than that to be theirs.
LOOKUPS = frozenset(
    {Intent.BOOKING_OR_CONTACT, Intent.DEPARTMENT_OR_SERVICE_LOOKUP, Intent.DOCTOR_LOOKUP}
)
UNSURE_BELOW, UNLIKELY = 0.6, 0.25

#: Tells which sorts of answer a quotation gives.
Gives: TypeAlias = Callable[[Quote], frozenset[Sort]]


def anything(quote: Quote) -> bool:
    return True


def everything(quote: Quote) -> frozenset[Sort]:
    return frozenset(Sort)


class Lead(Enum):
    """What comes first."""

    FACTS = "facts"
    PAGES = "pages"
    #: Nothing answers, but this comes nearest.
    UNCERTAIN = "uncertain"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class AnswerPlan:
    lead: Lead
    findings: tuple[Finding, ...] = ()
    quotes: tuple[Quote, ...] = ()
    #: Whether it is said to complaints that nobody has a name for.
    is_for_complaints: bool = False
    #: Whether it speaks of everything that the question names, and guesses nothing.
    is_whole: bool = True

    @property
    def is_verified(self) -> bool:
        """Whether every sentence is the taxonomy's, and says what somebody asked for.

        A question that is asked back answers nothing; where complaints lead is a guess.
        """
        told = {finding.says for finding in self.findings}
        only_facts = self.lead is Lead.FACTS and not self.quotes
        return only_facts and self.is_whole and told.isdisjoint(GUESSED)


@dataclass(frozen=True, slots=True)
class Asking:
    """What a plan is made for."""

    intent: Intent
    sorts: frozenset[Sort]
    #: Whether a thing of care is named: its department must be.
    is_routed: bool = False
    #: Whether it is about something else too than what the taxonomy knows.
    has_other_subject: bool = False
    #: Whether pages tell how, and a contact only helps: it is settled alike for all departments, or
    #: its need is another than its doubtful intent.
    is_told_by_pages: bool = False
    #: Whether it is asked in so many words to whom or where somebody turns.
    asks_whom: bool = False
    #: Whether the department is one that a word only leads to.
    is_guessed: bool = False
    #: Whether somebody asks to come without an appointment, which no contact answers.
    without_appointment: bool = False
    #: Whether complaints are described that nobody has a name for, to be told where to go.
    is_described: bool = False
    #: How likely a quotation must be to answer, to be shown as an answer.
    sure_from: float = RetrievalTuning().sure_from
    gives: Gives = everything
    #: Tells whether a quotation says where somebody can go.
    tells_where: Callable[[Quote], bool] = anything

    @property
    def is_for_place(self) -> bool:
        """Whether it is asked where somebody turns to, and nothing that only a page may tell."""
        is_lookup = self.intent is Intent.DEPARTMENT_OR_SERVICE_LOOKUP
        looks_up = is_lookup and self.is_routed and self.asks_whom
        calls = self.intent is Intent.BOOKING_OR_CONTACT and bool(self.sorts)
        is_plain = looks_up or (calls and not self.has_other_subject)
        return is_plain and self.sorts <= REACHED_BY and not self.is_guessed

    def given(self, sorts: frozenset[Sort], quotes: Sequence[Quote]) -> tuple[Quote, ...]:
        """Return the quotations that give one of some sorts of answer that are asked for."""
        wanted = self.sorts & sorts
        return tuple(quote for quote in quotes if not wanted.isdisjoint(self.gives(quote)))

    def fit(self, quotes: Sequence[Quote]) -> Sequence[Quote]:
        """Return the quotations that may answer: where a spot alone is asked for, those that name
        one, if any do."""
        return (self.sorts <= SPOT and self.given(SPOT, quotes)) or quotes

    def is_met(self, quotes: Sequence[Quote]) -> bool:
        """Whether quotations can be an answer: to how much, how long or which number, by a figure.

        Where something else is asked for as well, they may answer that. Whether something is done
        at night too is answered by what speaks of such a time, where it is known who does it.
        """
        definite = FIGURES | MOMENT if self.is_routed else FIGURES
        return not self.sorts or not self.sorts <= definite or bool(self.given(definite, quotes))


def is_doubtful(intent: Intent, confidence: float, needs: Mapping[Intent, float]) -> bool:
    """Whether an intent asks for a place or people, but what is needed speaks against it."""
    likely = sum(chance for each, chance in needs.items() if each in LOOKUPS)
    is_unsure = intent in LOOKUPS and confidence < UNSURE_BELOW
    return is_unsure and bool(needs) and likely < UNLIKELY


def plan(asking: Asking, findings: Sequence[Finding], quotes: Sequence[Quote]) -> AnswerPlan:
    """Return what to say, so that what was asked for comes first."""
    facts, quotes, sure_from = tuple(findings), asking.fit(quotes), asking.sure_from
    beside_facts = up_to_sure(quotes, sure_from * BESIDE_FACTS)
    if any(finding.says in PEOPLE for finding in facts) and not asking.is_told_by_pages:
        beside_people = asking.given(BEYOND_PEOPLE, beside_facts)
        is_whole = MEASURES.isdisjoint(asking.sorts)
        return AnswerPlan(Lead.FACTS, facts, beside_people[:1], is_whole=is_whole)
    if asking.is_described:
        return where_to_go(asking, facts, quotes)
    is_helped = asking.is_told_by_pages and facts
    least = max(NEAREST, sure_from * TELLS_HOW) if is_helped else sure_from
    answering = up_to_sure(quotes, least) if asking.is_met(quotes) else ()
    tells_how = asking.is_told_by_pages and answering
    if answers_by_facts(asking, facts) and not tells_how:
        is_all = asking.is_for_place and facts[0].says is not Says.AT_CAMPUS
        return AnswerPlan(Lead.FACTS, facts, () if is_all else beside_facts)
    is_placed = any(finding.about.kind is not Kind.CAMPUS for finding in facts)
    if answering:
        return AnswerPlan(Lead.PAGES, beside(asking, facts), answering)
    near = tuple(quotes) if any(quote.surety >= NEAREST for quote in quotes) else ()
    is_beyond = asking.given(BEYOND_PLACE, near)
    may_answer = asking.is_met(near) and up_to_sure(near, sure_from * TELLS_HOW)
    tells_more = is_beyond or may_answer
    is_settled = asking.is_routed and not asking.has_other_subject and not tells_more
    if is_placed and (is_settled or not near):
        return AnswerPlan(Lead.FACTS, facts, is_whole=asking.sorts <= REACHED_BY)
    return AnswerPlan(Lead.UNCERTAIN, facts, near) if near else AnswerPlan(Lead.NOTHING, facts)


def beside_fact(planned: AnswerPlan, ctx: Context, asking: Asking) -> AnswerPlan:
    """Return a plan in which a published fact answers: where it may not be the whole answer pages
    add one quotation, if it is likely enough; the taxonomy adds no hours."""
    if ctx.fact is None:
        return planned
    is_whole = ctx.fact.chance >= CERTAIN
    read = () if is_whole else up_to_sure(planned.quotes, asking.sure_from * TELLS_HOW)
    others = [each for each in planned.findings if each.says not in HOURS]
    return replace(
        planned,
        lead=Lead.FACTS,
        findings=tuple(others) if planned.lead is not Lead.NOTHING else (),
        quotes=read[:1],
    )


def where_to_go(asking: Asking, facts: tuple[Finding, ...], quotes: Sequence[Quote]) -> AnswerPlan:
    """Return what is said to complaints: the department that the taxonomy knows, what pages say
    about it, and what is less sure only where it tells where to go."""
    sure = up_to_sure(quotes, asking.sure_from)
    places = beside(asking, facts)
    least = NEAREST if places else GUIDES
    near = [quote for quote in quotes if quote.surety >= least and asking.tells_where(quote)]
    told = sure or tuple(near)
    if places:
        lead = Lead.FACTS
    elif sure:
        lead = Lead.PAGES
    else:
        lead = Lead.UNCERTAIN if told else Lead.NOTHING
    return AnswerPlan(lead, places, told, is_for_complaints=True)


def answers_by_facts(asking: Asking, facts: tuple[Finding, ...]) -> bool:
    """Whether the taxonomy knows what was asked for."""
    if not facts or facts[0].says is Says.AT_CAMPUS:
        return bool(facts) and not asking.has_other_subject
    if facts[0].says in HOURS:
        return not (asking.has_other_subject and facts[0].about.kind is Kind.CAMPUS)
    others = asking.sorts - REACHED_BY
    if all(finding.about.kind is Kind.CAMPUS for finding in facts):
        return bool(asking.sorts) and not asking.has_other_subject and not others
    if asking.intent is Intent.BOOKING_OR_CONTACT:
        return not (asking.without_appointment or (asking.has_other_subject and others))
    if asking.intent is Intent.DEPARTMENT_OR_SERVICE_LOOKUP:
        return not others
    return asking.is_routed and bool(asking.sorts) and not others


def beside(asking: Asking, facts: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """Return what is said after quotations: where it belongs, and how that place is reached."""
    if asking.is_routed:
        routing = [finding for finding in facts if finding.says is Says.DEALT_WITH][:1]
        first = routing[0].things[0] if routing else None
        return (*routing, *(finding for finding in facts if finding.about == first))
    places = [finding.about for finding in facts if finding.about.kind is Kind.DEPARTMENT]
    if places:
        return tuple(finding for finding in facts if finding.about == places[0])
    return facts if not REACHED_BY.isdisjoint(asking.sorts) else ()
