"""Source 1 of the evidence: published data about the question, and the current state.

It has facts and rosters of the named entities, facts of the likely needs, curated answers to
similar questions, and contact data of desks, with whether they are open now or on the day asked
about.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from chat.checking.base import Citation, Line, LineKind, Role
from chat.checking.knowledge import key_of
from chat.phrases import calendar_of
from chat.question.content_words import moments_asked
from chat.sources.facts import FactAnswer, best_entries
from chat.sources.lookup import listed, lookup_in
from chat.sources.pages import roundrobin
from chat.sources.sentences import Phrasing, card, own_words, sentences_of
from chat.tools import Tools
from chat.turn import Context
from retrieval.intents import Intent
from retrieval.statements import lines as statements
from taxonomy.dates.reading import Moment
from taxonomy.dates.words import Calendar, is_holiday
from taxonomy.facts import needs
from taxonomy.facts.free_hours import read_hours
from taxonomy.facts.hours import Hours
from taxonomy.facts.print import format_day, format_now, format_on
from taxonomy.facts.records import FactConditions
from taxonomy.lookup.finding import CARD, Finding, FindingKind
from taxonomy.lookup.question import (
    MOST_DEPARTMENTS,
    LookupQuestion,
    address,
    contact,
    opening,
    visiting,
)
from taxonomy.resolvers.entries import FROM_CONDITION, Match
from taxonomy.vocabulary import Kind, Thing
from zol.records.values import WrongValue
from zol.text import fold, squash

PUBLISHED = "What the hospital has published, and now"
#: Maximum fact lines, besides rosters, desks and current state; maximum days.
MOST_FACTS, MOST_DAYS = 12, 3
#: Minimum match score of an exact name: an inflected form has it, a partial or fuzzy match not.
EXACT = 0.9
#: Letters that the forms of a word share: "cardiologen", "cardioloog".
STEM = 6
#: Minimum probability of a need for its facts, and maximum needs.
LIKELY, MOST_NEEDS = 0.1, 3
#: Minimum probability of a curated answer, and their maximum.
NEAR, MOST_CURATED = 0.2, 2
LONGEST = 300
#: Line kinds of findings that hold only now, and of unconfirmed ones.
KINDS = {
    FindingKind.ABSENT: LineKind.MOMENT,
    **dict.fromkeys(
        (FindingKind.AMBIGUOUS, FindingKind.SUITED, FindingKind.FILTERED_NONE), LineKind.SENTENCE
    ),
}
#: Findings that are part of the lines of desks.
OF_DESKS = CARD | {FindingKind.REACHED}
_CLAUSE = re.compile(r"(?<=[;,:.!?])\s+|\s+(?=[\u2013(])")
_ESCAPE = re.compile(r"\\([^\w\s])")
#: The label of hours before their first day: "raadpleging ma-vr 8:30-17:00".
_LABEL = re.compile(r"^[^\d;]*?(?=\S+\s*[-\u2013]|\S+\s+(?:\S+\s+)?\d)")


def cut(text: str, longest: int = LONGEST) -> Iterator[str]:
    """Yield a text in pieces of limited length, cut at the ends of clauses if possible."""
    while len(text) > longest:
        ends = [found.start() for found in _CLAUSE.finditer(text, 0, longest + 1)]
        place = max(ends, default=0) or text.rfind(" ", 0, longest + 1)
        place = place if place > 0 else longest
        yield text[:place].rstrip()
        text = text[place:].lstrip()
    yield text


def published(ctx: Context, tools: Tools, *, for_asker: bool = False) -> tuple[Line, ...]:
    """Return the lines of source 1, without ids and duplicates.

    They are in the pages' language and about exactly named entities; with `for_asker`, in the
    asker's language and about every resolved entity.
    """
    found: dict[str, Line] = {}
    own = tools.snapshot.profile.default_language
    codes = ctx.understanding.answered_in if for_asker else (own,)
    parts = [
        _Published.of(part, tools, code, for_asker=for_asker)
        for part in ctx.parts or (ctx,)
        for code in codes
    ]
    for group in roundrobin(part.facts() for part in parts):
        new = {line.full_text: line for line in group}
        if len(found | new) <= MOST_FACTS:
            found |= {text: line for text, line in new.items() if text not in found}
    for part in parts:
        roles = {Role.ANSWER: part.rosters(), Role.CURATED: part.curated(), Role.DESK: part.desks()}
        for role, lines in roles.items():
            for line in lines:
                found.setdefault(line.full_text, replace(line, role=line.role or role))
    for role, lines in {Role.DAY: parts[0].days(), Role.HOUSE: parts[0].own_desk()}.items():
        for line in lines:
            found.setdefault(line.full_text, replace(line, role=role))
    return tuple(found.values())


def is_exact(match: Match) -> bool:
    """Return whether a match is an entity's own name or an inflected form of it.

    Fuzzy matches and related words, such as "operatie" for Surgery, are not.
    """
    if match.confidence < EXACT or match.by == FROM_CONDITION:
        return False
    names = (match.thing.name, *(alias.text for alias in match.thing.aliases))
    begins = fold(match.text)[:STEM]
    return not match.is_borrowed or any(fold(name).startswith(begins) for name in names)


@dataclass(frozen=True)
class _Published:
    """Published data about one question, in one language."""

    ctx: Context
    tools: Tools
    phrasing: Phrasing
    asked: LookupQuestion
    moments: tuple[Moment, ...]
    for_asker: bool = False

    @classmethod
    def of(cls, ctx: Context, tools: Tools, language: str, *, for_asker: bool) -> _Published:
        snapshot, meant = tools.snapshot, ctx.understanding
        own = own_words(meant.matches, language) if for_asker else {}
        matches = None if for_asker else tuple(filter(is_exact, meant.matches))
        return cls(
            ctx,
            tools,
            Phrasing(snapshot.vocabulary, tools.phrases, language, own),
            lookup_in(ctx, tools, matches),
            moments_asked(ctx, snapshot, tools.now),
            for_asker,
        )

    @property
    def language(self) -> str:
        return self.phrasing.language

    def facts(self) -> Iterator[tuple[Line, ...]]:
        """Yield lines in groups: the fact that answers, the taxonomy's answer, further facts."""
        if self.ctx.published.fact:
            yield tuple(
                replace(line, role=Role.FACT) for line in self._fact(self.ctx.published.fact)
            )
        for line, is_listed in self._answered():
            if not is_listed:
                yield (replace(line, role=line.role or Role.ANSWER),)
        asked = FactConditions(campus=self._campus)
        for need, subject in self._needed():
            entries = best_entries(self.tools.snapshot, need, subject, asked, self.tools.today)
            if entries:
                answer = FactAnswer(entries, 1.0, self.tools.now, self.moments)
                yield tuple(replace(line, role=Role.FURTHER) for line in self._fact(answer))

    @property
    def _campus(self) -> str:
        named = self.asked.campuses
        return named[0].key if len(named) == 1 else ""

    def _needed(self) -> Iterator[tuple[str, Thing | None]]:
        """Yield likely needs of named entities and the hospital, then the entities' other needs."""
        chances = self.tools.reading.needs(self.ctx)
        likely = sorted(chances, key=chances.__getitem__, reverse=True)[:MOST_NEEDS]
        named = [m.thing for m in self.asked.matches if m.thing.kind is not Kind.CAMPUS]
        places = self.asked.departments[:MOST_DEPARTMENTS]
        for need in likely:
            if chances[need] >= LIKELY:
                yield from ((need, thing) for thing in dict.fromkeys((*named, *places, None)))
        yield from ((need, thing) for thing in named for need in needs.kinds())

    def _fact(self, fact: FactAnswer) -> Iterator[Line]:
        subject = fact.entry.subject
        title, *items = fact.text(
            self.language, self.phrasing.name, self.tools.snapshot
        ).splitlines()
        is_now = isinstance(fact.entry.value, Hours) and bool(fact.moments)
        kind = LineKind.MOMENT if is_now else LineKind.FACT
        above = _plain(title).rstrip(":") if items else ""
        for item in items or [title]:
            text = item.removeprefix("- ")
            yield from self._lines(text, kind, [subject], above, fact.entry.source)

    def curated(self) -> Iterator[Line]:
        """Yield the sentences of curated answers to similar questions, each under an example."""
        near = (
            each.answer
            for each in self.tools.given.curated(self.ctx).near
            if each.chance >= NEAR and each.rejected in ("", "language")
        )
        held = [a for a in near if a.holds(self.tools.today) and a.answer.get(self.language)]
        for answer in held[:MOST_CURATED]:
            kind, key = answer.subject
            subject = self.phrasing.vocabulary.get(Kind(kind), key) if kind else None
            asked = next(iter(answer.examples.get(self.language, ())), "")
            for statement in statements(answer.answer[self.language]):
                source = next(iter(answer.sources), "")
                yield from self._lines(statement.text, LineKind.FACT, [subject], asked, source)

    def rosters(self) -> Sequence[Line]:
        """Return the list of the answer if it was asked for, or if it is a short list of places."""
        found = tuple(line for line, is_listed in self._answered() if is_listed)
        is_of_people = any(o.startswith(Kind.DOCTOR) for line in found for o in line.owners)
        wants, filters = self.asked.wants, self.asked.filters
        asks_people = self.ctx.understanding.intent is Intent.DOCTOR_LOOKUP or filters.languages
        is_asked = (wants == "people" or asks_people) if is_of_people else len(found) <= MOST_FACTS
        return found if self.for_asker or wants == "all" or is_asked else ()

    def _answered(self) -> Iterator[tuple[Line, bool]]:
        """Yield the lines of the taxonomy's answer, and whether each is an item under a heading."""
        intent, today = self.ctx.understanding.intent, self.tools.today
        found = [f for f in listed(self.asked, intent, today) if f.kind not in OF_DESKS]
        lead: Line | None = None
        for finding in found:
            lines = list(self._findings([finding]))
            if not finding.kind.is_item:
                lead = lines[-1] if lines and lines[-1].text.endswith(":") else None
                yield from ((line, False) for line in lines if line != lead)
            elif lead:
                # The list's page covers all its items.
                above, page = lead.text, lead.page
                yield from ((replace(line, above=above, page=page), True) for line in lines)
            else:
                yield from ((line, False) for line in lines)

    def desks(self) -> Iterator[Line]:
        """Yield the contact data of departments and campuses, and whether they are open."""
        for place in self.asked.departments[:MOST_DEPARTMENTS]:
            hours = tuple(opening(self.asked, place))
            visits = [each for each in visiting(self.asked, place) if each.about == place]
            yield from self._desk(place, (*contact(self.asked, place), *hours))
            yield from self._findings(visits)
            for each in hours or visits:
                yield from self._now(place, each.value)
        for campus in self.asked.campuses:
            hours = tuple(opening(self.asked, campus))
            yield from self._desk(campus, (*address(campus), *hours))
            for each in hours:
                yield from self._now(campus, each.value)

    def own_desk(self) -> Iterator[Line]:
        """Yield the hospital's contact data."""
        profile = self.tools.snapshot.profile
        house = Thing(Kind.HOSPITAL, profile.slug, profile.name)
        own = {FindingKind.PHONE: profile.phone, FindingKind.ADDRESS: profile.address,
               FindingKind.HOURS: profile.phone_hours}  # fmt: skip
        found = [Finding(says, house, value=value) for says, value in own.items() if value]
        yield from self._desk(house, found)

    def days(self) -> Iterator[Line]:
        """Yield the days asked about, as code and model read them."""
        calendar = self.tools.snapshot.derived(calendar_of)
        for day in self._days():
            text = format_day(day, self.language, calendar)
            yield from self._lines(text, LineKind.MOMENT)

    def _days(self) -> Sequence[date]:
        by_code = (day for moment in self.moments if not moment.is_now for day in moment.days)
        return tuple(dict.fromkeys((*by_code, *meant_days(self.ctx))))[:MOST_DAYS]

    def _now(self, place: Thing, written: str) -> Iterator[Line]:
        """Yield whether a desk is open now and on the days asked about, except public holidays."""
        snapshot, now = self.tools.snapshot, self.tools.now
        calendar = snapshot.derived(calendar_of)
        week = _week(written, snapshot.profile.default_language, calendar)
        if week is None:
            return
        opens = week.next_opening(now, calendar.country)
        usual = [d for d in self._days() if not is_holiday(d, calendar.country)]
        texts = [format_on(week, day, self.language, calendar) for day in usual]
        if not any(is_holiday(d, calendar.country) for d in (now.date(), (opens or now).date())):
            texts.insert(0, format_now(week, now, self.language, calendar.country, dated=True))
        for text in texts:
            name = self.phrasing.name(place)
            for line in self._lines(f"{name}: {text}", LineKind.MOMENT, [place]):
                yield replace(line, role=Role.NOW)

    def _desk(self, place: Thing, found: Sequence[Finding]) -> Iterator[Line]:
        if found:
            text = card(place, found, self.phrasing)
            yield from self._lines(text.replace(" \u00b7 ", "; "), LineKind.FACT, [place])

    def _findings(self, found: Sequence[Finding]) -> Iterator[Line]:
        for finding in found:
            kind = KINDS.get(finding.kind, LineKind.FACT)
            role = Role.VISITING if finding.kind is FindingKind.VISITING_HOURS else None
            for text, _ in sentences_of([finding], self.phrasing):
                for line in self._lines(text, kind, (finding.about, *finding.things)):
                    yield replace(line, role=role)

    def _lines(
        self,
        text: str,
        kind: LineKind,
        owners: Iterable[Thing | None] = (),
        above: str = "",
        source: str = "",
    ) -> Iterator[Line]:
        named = tuple(dict.fromkeys(each for each in owners if each))
        of = tuple(map(key_of, named))
        for part in cut(_plain(text)):
            page = self._page(named[0] if named else None, source)
            yield Line("", part, above, self.language, kind, owners=of, page=page)

    def _page(self, thing: Thing | None, source: str) -> Citation | None:
        """Return the page that supports a line: the one that its fact names, else its entity's."""
        pages = self.tools.corpus.pages
        found = pages.by_path.get(source) or pages.by_url.get(source)
        if thing and not found:
            found = pages.about(thing.name, thing.url)
            if thing.kind is Kind.CAMPUS:
                found = found or pages.titled_after(thing.name)
        if found:
            return Citation.of_page(found)
        return Citation(0, thing.name, thing.url) if thing and thing.url else None


def meant_days(ctx: Context) -> Iterator[date]:
    """Yield the first and the last day of each period that the question refers to."""
    for moment in ctx.understanding.moments:
        first, last = date.fromisoformat(moment.from_[:10]), date.fromisoformat(moment.to[:10])
        yield first
        if last - timedelta(days=1) > first:
            yield last - timedelta(days=1)


def _week(written: str, language: str, calendar: Calendar) -> Hours | None:
    """Parse weekly hours, with or without a label; None if a part of them cannot be parsed."""
    for text in (written, _LABEL.sub("", written, count=1)):
        try:
            return Hours.parse({"week": text.replace("\u2013", "-")})
        except WrongValue:
            continue
    found = read_hours(written, language, calendar)
    return found.hours if found else None


def _plain(text: str) -> str:
    """Return the plain text of the product's own Markdown."""
    return squash(_ESCAPE.sub(r"\1", text.replace("**", "")))
