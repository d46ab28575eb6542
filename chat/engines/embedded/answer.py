"""The answer without a model: what the hospital has published, else a section of one page.

Every claim shows lines of the numbered evidence; nothing is put into words here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from chat.checking.base import Claim, Form, Line, NumberedEvidence, Role, Source
from chat.engines.embedded.sections import CLOCK, Sections
from chat.sources.lookup import lookup_in
from chat.sources.published import published
from chat.tools import Tools
from chat.turn import Context
from retrieval.intents import Intent
from taxonomy.kinds import Kind
from taxonomy.lookup.finding import PEOPLE, Says

#: How likely a section answers from which it is given as an answer, and from which it is shown as
#: what comes nearest. Of 215 golden questions with their page found, SURE takes 79 % of right
#: sections; with that page taken away, 32 % of the others.
SURE, NEAR = 0.35, 0.18
#: The need of a way within the house, which a section tells that is as likely to as this, else the
#: campus of a department.
INSIDE, CLEAR = "inside", 0.5
#: Intents that a department answers that treats what is named, but for needs that pages tell of.
LOOKUPS = frozenset({Intent.BOOKING_OR_CONTACT, Intent.DEPARTMENT_OR_SERVICE_LOOKUP})
TOLD_BY_PAGES = frozenset({"appointment_change", "appointment_needed", "referral", "waiting_time"})
#: Kinds of pages about one illness or what is done about it: none is shown to who describes
#: complaints, who may not have it.
ABOUT_ONE = frozenset({"Condition", "Treatment", "Examination", "Brochure", "Doctor"})
#: Needs that a department and how it is reached answer.
REACHED_BY = frozenset(
    {"contact", "appointment", "person", "doctor", "department", "which_department", "offered"}
)


def generate(ctx: Context, shown: Sequence[Claim], tools: Tools) -> Iterator[Claim]:
    """Yield what answers each part of a question, none of it twice; last, that it only comes close
    or that a part has no answer."""
    evidence = ctx.dossier.evidence or NumberedEvidence()
    told = {each for claim in shown for each in claim.lines}
    parts = [Answering(part, ctx, evidence, tools) for part in ctx.parts or (ctx,)]
    sureties = [part.surety for part in parts]
    for part, surety in zip(parts, sureties, strict=True):
        for claim in part.claims() if surety >= NEAR else ():
            if lines := tuple(each for each in claim.lines if each not in told):
                told.update(lines)
                yield Claim("", lines, claim.form)
    if max(sureties) >= NEAR > min(sureties):
        yield Claim("", form=Form.MISSING)
    elif SURE > min(sureties) >= NEAR:
        yield Claim("", form=Form.NEAR)


@dataclass(frozen=True)
class Answering:
    """A question, or a part of one, before the evidence of its turn."""

    ctx: Context
    whole: Context
    evidence: NumberedEvidence
    tools: Tools

    @property
    def surety(self) -> float:
        """How likely what is shown answers; where something is named that the taxonomy knows, its
        department at least comes near."""
        is_known = any(map(self._is_department, self._role(Role.DESK)))
        least = NEAR if is_known or self._role(Role.ANSWER) else 0.0
        if not self.facts:
            return max(self.sections.surety, least)
        asked = lookup_in(self.ctx, self.tools)
        is_told = not self.names_people or asked.is_answered_by(self.ctx.published.findings)
        return 1.0 if is_told else NEAR

    def claims(self) -> Iterator[Claim]:
        """Yield what answers, then further pages, then how the department is reached."""
        if self.facts:
            yield Claim("", _ids(self.facts), Form.SHOW)
            return
        if self.sections.surety >= NEAR:
            yield Claim("", _ids(self.sections.best), Form.SHOW)
            yield Claim("", _ids(self.sections.further), Form.PAGE)
        if self.ctx.published.routed or self.sections.surety < NEAR:
            desk = (*self._role(Role.ANSWER), *self._role(Role.DESK)[:1])
            yield Claim("", _ids(desk), Form.SHOW)

    @cached_property
    def facts(self) -> tuple[Line, ...]:
        """The published lines that answer; none where only a page can tell."""
        answer, desk = self._role(Role.ANSWER), self._role(Role.DESK)[:1]
        if self.ctx.published.fact:
            return self._role(Role.FACT)
        if self.names_people:
            # Of namesakes nobody knows whose department is meant.
            is_one = all(f.says is not Says.AMBIGUOUS for f in self.ctx.published.findings)
            return (*answer, *(each for each in desk if is_one and self._is_department(each)))
        if self.need == "visiting_hours":
            return self._role(Role.VISITING)
        if self.need == "address_route" and not desk:
            return self._role(Role.HOUSE)
        if self.need == "opening_hours":
            now = self._role(Role.NOW) if self.ctx.understanding.moments else ()
            hours = [line for line in desk if CLOCK.search(line.text)]
            return (*answer, *hours, *now) if any(map(self._is_department, hours)) else ()
        looks_up = self.ctx.understanding.intent in LOOKUPS and self.need not in TOLD_BY_PAGES
        looks_up &= self.need != INSIDE or self.sections.surety < CLEAR
        is_named = looks_up or (bool(answer) and self.is_complaint)
        return (*answer, *desk) if is_named or self.need in REACHED_BY else ()

    @staticmethod
    def _is_department(line: Line) -> bool:
        return any(each.startswith(Kind.DEPARTMENT) for each in line.owners)

    @property
    def names_people(self) -> bool:
        return any(found.says in PEOPLE for found in self.ctx.published.findings)

    @property
    def is_complaint(self) -> bool:
        return self.ctx.understanding.intent is Intent.AMBIGUOUS_SYMPTOM_DESCRIPTION

    @cached_property
    def need(self) -> str:
        """What is most likely needed."""
        needs = self.tools.reading.needs(self.ctx)
        return max(needs, key=needs.__getitem__, default="")

    @cached_property
    def sections(self) -> Sections:
        """What pages say; to a part of a question, those that were found for it."""
        sources: list[Source] = [each for each in self.evidence.sources if each.n > 1]
        if self.ctx is not self.whole:
            found = {passage.source.url for passage in self.ctx.passages}
            sources = [each for each in sources if each.citation.url in found] or sources
        if self.is_complaint:
            sources = [each for each in sources if each.kind not in ABOUT_ONE]
        return Sections(self.ctx, sources, self.tools, self.need)

    def _role(self, *roles: Role) -> tuple[Line, ...]:
        """Return the published lines of some roles, of a part of a question its own."""
        lines = self.evidence.by_number[1].lines if self.evidence.sources else ()
        if self.ctx is not self.whole:
            lines = tuple(line for line in lines if line.told in self._own)
        return tuple(line for line in lines if line.role in roles)

    @cached_property
    def _own(self) -> frozenset[str]:
        return frozenset(each.told for each in published(self.ctx, self.tools, for_asker=True))


def _ids(lines: Iterable[Line]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(line.id for line in lines))
