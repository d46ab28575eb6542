"""Answer without a model, by published data or by sections of pages.

Every claim shows lines of the numbered evidence verbatim.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from chat.checking.base import Claim, Form, Line, NumberedEvidence, Role, Source
from chat.checking.figures import HOUR
from chat.engines.embedded.sections import OFFERED, Sections
from chat.phrases import calendar_of
from chat.sources.lookup import is_complaint, lookup_in
from chat.sources.published import meant_days, published
from chat.sources.question_terms import units_of
from chat.tools import Tools
from chat.turn import Context
from retrieval.intents import Intent
from taxonomy.dates.words import is_holiday
from taxonomy.lookup.finding import PEOPLE, FindingKind
from taxonomy.vocabulary import Kind, Predicate

#: Probability thresholds for pages: SURE to show them as the answer, NEAR as the nearest match. Of
#: 287 strangers' turns NEAR keeps 97 % of right answers and rejects 39 % of the questions that no
#: page answers; SURE accepts 76 % and 28 %.
SURE, NEAR = 0.42, 0.25
#: The threshold NEAR for a question that is classified as off topic.
OUTSIDE = 0.5
#: Intents answered by the department that treats the named entity.
LOOKUPS = frozenset({Intent.BOOKING_OR_CONTACT, Intent.DEPARTMENT_OR_SERVICE_LOOKUP})
#: Page kinds about one illness or its treatment. They are not shown for a described complaint: the
#: visitor may have another illness.
ABOUT_ONE = frozenset({"Condition", "Treatment", "Examination", "Brochure", "Doctor"})
HOURS, CONTACT = "opening_hours", "contact"
#: Needs answered by the address and telephone of a campus.
AT_CAMPUS = frozenset({CONTACT, "address_route"})
#: Share of the question by which a page must exceed published data to replace them.
MORE = 0.25
#: Minimum share of the question that published data must cover to answer alone.
LEAST = 0.34
#: The minimum share where the question asks whether something is offered, unless a treatment or an
#: examination is named.
HALF, CARE = 0.5, frozenset({Kind.TREATMENT, Kind.EXAMINATION})
#: Needs answered by a department and its contact data, and the probability from which nothing else
#: is needed.
LIKELY = 0.5
REACHED_BY = frozenset(
    {"contact", "appointment", "person", "doctor", "department", "which_department", "offered"}
)


def generate(ctx: Context, shown: Sequence[Claim], tools: Tools) -> Iterator[Claim]:
    """Yield the lines that answer each part of a question, each once; last, a NEAR or MISSING claim
    if needed."""
    evidence = ctx.dossier.evidence or NumberedEvidence()
    used = {each for claim in shown for each in claim.lines}
    parts = [Answering(part, ctx, evidence, tools) for part in ctx.parts or (ctx,)]
    sureties = [part.surety for part in parts]
    least = OUTSIDE if ctx.understanding.intent is Intent.OFF_TOPIC else NEAR
    for part, surety in zip(parts, sureties, strict=True):
        for claim in part.claims() if surety >= least else ():
            if lines := tuple(each for each in claim.lines if each not in used):
                used.update(lines)
                yield Claim("", lines, claim.form)
    if max(sureties) >= least > min(sureties):
        yield Claim("", form=Form.MISSING)
    elif SURE > min(sureties) >= least:
        yield Claim("", form=Form.NEAR)


@dataclass(frozen=True)
class Answering:
    """The answer to a question, or to a part of one, on the evidence of its turn."""

    ctx: Context
    whole: Context
    evidence: NumberedEvidence
    tools: Tools

    @property
    def surety(self) -> float:
        """Return the probability that the shown lines answer."""
        pages = self.sections.surety if self.has_pages else 0.0
        if not self.facts:
            return pages
        if self.is_of_people:
            asked = lookup_in(self.ctx, self.tools)
            return 1.0 if asked.is_answered_by(self.ctx.published.findings) else NEAR
        if self.is_partial:
            is_booking = self.ctx.understanding.intent is Intent.BOOKING_OR_CONTACT
            return max(NEAR, pages) if is_booking else pages
        # A published fact has days and campuses; a department's usual hours have none.
        is_usual = self.need == HOURS and self.facts[0].role is not Role.FACT
        return max(NEAR, pages) if is_usual and not self.has_usual_hours else 1.0

    def claims(self) -> Iterator[Claim]:
        """Yield published data and page lines, most likely first; then further pages and the
        department's contact data."""
        facts = [Claim("", _ids(self.facts), Form.SHOW)] if self.facts else []
        pages = list(self._pages()) if self.has_pages else []
        yield from (*pages, *facts) if self.is_beside else (*facts, *pages)
        is_described = self.ctx.understanding.intent is Intent.AMBIGUOUS_SYMPTOM_DESCRIPTION
        if not facts and self.ctx.published.routed and (self.is_complaint or not is_described):
            desk = (*self._role(Role.ANSWER), *self._desk)
            yield Claim("", _ids(desk), Form.SHOW)

    def _pages(self) -> Iterator[Claim]:
        """Yield page lines; only the best place beside published data that answer."""
        if self.facts and not self.is_partial and not self.is_beside:
            yield Claim("", _ids(self.sections.first), Form.SHOW)
            return
        for lines in self.sections.best:
            yield Claim("", _ids(lines), Form.SHOW)
        yield Claim("", _ids(self.sections.further), Form.PAGE)

    @cached_property
    def has_pages(self) -> bool:
        """Return whether to show pages. Beside published data they must cover more of the question,
        unless the data are only a department and its desk."""
        if not self.facts or self.is_partial:
            return self.sections.surety >= NEAR
        if self.sections.surety < SURE:
            return False
        if self.is_beside or (self.is_of_desk and self.sections.is_of_row):
            return True
        return not self.is_of_people and self.sections.adds(self.facts)

    @cached_property
    def facts(self) -> tuple[Line, ...]:
        """Return the published lines that answer; none where a page answers better."""
        found = self._published()
        if not found or found[0].role in (Role.FACT, Role.VISITING) or self.is_of_people:
            return found
        if self.sections.surety < SURE or self.is_reached:
            return found
        if self.need == HOURS and not self.has_usual_hours:
            return ()
        return () if self.sections.coverage - self._share(found) >= MORE else found

    @property
    def is_of_desk(self) -> bool:
        """Return whether published data are only a department or its contact data."""
        is_desk = self.facts and self.facts[0].role in (Role.ANSWER, Role.DESK, Role.HOUSE)
        return bool(is_desk) and not self.is_of_people

    @property
    def is_beside(self) -> bool:
        """Return whether published data come after the page lines."""
        return self.is_of_desk and not self.is_reached

    @cached_property
    def is_reached(self) -> bool:
        """Return whether a department and its contact data are likely all that is asked."""
        needs = self.tools.reading.needs(self.ctx)
        covered = REACHED_BY | AT_CAMPUS | ({HOURS} if self.has_usual_hours else frozenset())
        chance = sum(needs.get(each, 0.0) for each in covered)
        return self.is_complaint or self._is_whom_to_see or chance >= LIKELY

    @property
    def _is_whom_to_see(self) -> bool:
        """Return whether the department that treats a named condition is asked for. Its pages name
        wards, which visitors cannot contact."""
        meant = self.ctx.understanding
        is_lookup = meant.intent is Intent.DEPARTMENT_OR_SERVICE_LOOKUP
        is_named = any(match.thing.kind is Kind.CONDITION for match in meant.matches)
        return is_lookup and is_named and bool(self._role(Role.ANSWER))

    @cached_property
    def is_partial(self) -> bool:
        """Return whether a department and its desk cover little of the question: a place does not
        show whether something is offered there."""
        meant = self.ctx.understanding
        if self.need == OFFERED and not self.is_complaint:
            is_named = any(match.thing.kind in CARE for match in meant.matches)
            return self.is_of_desk and not is_named and self._share(self.facts) < HALF
        is_lookup = meant.intent is Intent.DEPARTMENT_OR_SERVICE_LOOKUP
        is_asked = self.is_reached or self.need in REACHED_BY or is_lookup
        return self.is_of_desk and not is_asked and self._share(self.facts) < LEAST

    @property
    def _desk(self) -> tuple[Line, ...]:
        """Return the contact data of the first place, in each language of the answer."""
        desks = self._role(Role.DESK)
        return tuple({line.language: line for line in reversed(desks)}.values())[::-1]

    def _share(self, lines: Iterable[Line]) -> float:
        """Return the share of the question that published lines cover, named entities included."""
        named = (each.text for each in self.ctx.understanding.matches)
        return self.sections.share((line.full_text for line in lines), named)

    def _published(self) -> tuple[Line, ...]:
        answer, desk = self._role(Role.ANSWER), self._desk
        answer = () if self._is_beyond_campus else answer
        if self.ctx.published.fact:
            return self._role(Role.FACT)
        if self.is_of_people:
            # Among namesakes the department is unclear.
            is_one = all(f.kind is not FindingKind.AMBIGUOUS for f in self.ctx.published.findings)
            return (*answer, *(each for each in desk if is_one and is_of_department(each)))
        if self.need == "visiting_hours":
            return self._role(Role.VISITING)
        if self.need == "address_route" and not desk:
            return self._role(Role.HOUSE)
        if self.need == HOURS:
            now = self._role(Role.NOW) if self.ctx.understanding.moments else ()
            units = self.tools.snapshot.derived(units_of)
            hours = [line for line in desk if HOUR in units(line.text, line.language)]
            return (*answer, *hours, *now) if any(map(is_of_department, hours)) else ()
        is_reached = self.need in REACHED_BY or self._is_looked_up
        is_place = answer or self.need in AT_CAMPUS or any(map(is_of_department, desk))
        is_list = any(found.kind in PEOPLE for found in self.ctx.published.findings)
        named = () if is_list else answer
        return (*named, *desk) if is_reached and is_place else ()

    @property
    def _is_beyond_campus(self) -> bool:
        """Return whether the question asks whether a campus offers something, and names only the
        campus."""
        kinds = {match.thing.kind for match in self.ctx.understanding.matches}
        return kinds == {Kind.CAMPUS} and self.need == OFFERED

    @property
    def _is_looked_up(self) -> bool:
        """Return whether the question asks for the department of a named entity."""
        meant = self.ctx.understanding
        # "En op welke campus is dat?" asks for the place of the department answered before.
        looks_up = meant.intent in LOOKUPS or (meant.is_followup and meant.wants == "place")
        return looks_up or (bool(self._role(Role.ANSWER)) and self.is_complaint)

    @property
    def is_of_people(self) -> bool:
        """Return whether people are the answer, and not only the number of their desk."""
        says = {found.kind for found in self.ctx.published.findings}
        is_reached = (
            self.need == CONTACT and bool(self._role(Role.DESK)) and FindingKind.DOCTOR not in says
        )
        return not says.isdisjoint(PEOPLE) and not is_reached

    @cached_property
    def has_usual_hours(self) -> bool:
        """Return whether a department's usual hours answer: not if it has several campuses and one
        is asked about, nor on a public holiday."""
        asked, snapshot = lookup_in(self.ctx, self.tools), self.tools.snapshot
        if asked.campuses and any(
            len(asked.vocabulary.objects(each, Predicate.LOCATED_AT)) > 1
            for each in asked.departments
        ):
            return False
        if self.sections.asked.names_holiday:
            return False
        country = snapshot.derived(calendar_of).country
        return not any(is_holiday(day, country) for day in meant_days(self.ctx))

    @property
    def is_complaint(self) -> bool:
        return is_complaint(self.ctx, self.tools)

    @cached_property
    def need(self) -> str:
        """Return the most likely need."""
        needs = self.tools.reading.needs(self.ctx)
        return max(needs, key=needs.__getitem__, default="")

    @cached_property
    def sections(self) -> Sections:
        """Return the sections of the pages that were found; for a part of a question, by its own
        search."""
        sources: list[Source] = [each for each in self.evidence.sources if each.n > 1]
        if self.ctx is not self.whole:
            found = {passage.source.url for passage in self.ctx.passages}
            sources = [each for each in sources if each.citation.url in found] or sources
        if self.is_complaint:
            sources = [each for each in sources if each.kind not in ABOUT_ONE]
        return Sections(self.ctx, sources, self.tools)

    def _role(self, *roles: Role) -> tuple[Line, ...]:
        """Return the published lines of some roles; for a part of a question, its own."""
        lines = self.evidence.by_number[1].lines if self.evidence.sources else ()
        if self.ctx is not self.whole:
            lines = tuple(line for line in lines if line.full_text in self._own)
        return tuple(line for line in lines if line.role in roles)

    @cached_property
    def _own(self) -> frozenset[str]:
        return frozenset(each.full_text for each in published(self.ctx, self.tools, for_asker=True))


def is_of_department(line: Line) -> bool:
    return any(each.startswith(Kind.DEPARTMENT) for each in line.owners)


def _ids(lines: Iterable[Line]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(line.id for line in lines))
