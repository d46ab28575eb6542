"""The answer without a model: what the hospital has published, else a section of one page.

Every claim shows lines of the numbered evidence; nothing is put into words here. How sure an answer
is rests on two numbers, fitted on golden questions (`python -m lab answering`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import groupby
from math import exp, log
from typing import Any

from chat.checking.base import Claim, Form, Line, LineKind, NumberedEvidence, Role, Source
from chat.lookup.finding import PEOPLE
from chat.question.content_words import asked_before, asked_words, without_marks
from chat.sources.guards import Guards
from chat.sources.published import published
from chat.tools import Tools
from chat.turn import Context
from retrieval.fields import PATH
from retrieval.intents import Intent
from retrieval.query import QueryText
from retrieval.statements import OPEN
from taxonomy.kinds import Kind
from taxonomy.lexicon import lexicon_of
from zol.text import words

#: What a line's traits are worth, and how sure the best line's score makes an answer.
WORTH: Mapping[str, float] = {
    "own": 2.0, "above": 2.0, "title": 1.0, "likeness": 6.0, "rank": -0.15, "form": 0.8,
}  # fmt: skip
SURE_AT, SLOPE = 3.0, 1.5
#: How likely an answer is right that is given as one, and that is shown as what comes nearest.
SURE, NEAR = 0.5, 0.2
#: Lines that are compared by their meaning, and lines and words of a section at most.
COMPARED, LINES, WORDS = 24, 10, 90
#: Lines of a list that is shown whole, and how far behind the best row others are that are shown.
STEPS, ROW_BEHIND = 15, 0.8
#: Letters from which a stem counts as a part of a longer word; texts that are remembered.
PART_OF_WORD, REMEMBERED = 5, 16_384
#: Further pages that are named, and how likely they are to help as a share of the best.
PAGES, AS_LIKELY = 3, 0.5
#: Needs that a department and how it is reached answer.
REACHED_BY = frozenset(
    {"contact", "appointment", "person", "doctor", "department", "which_department", "offered"}
)
#: What a line that answers looks like, by need.
MONEY = re.compile(r"€|\beuro?\b|\beur\b|\d,\d\d\b", re.IGNORECASE)
CLOCK = re.compile(r"\b\d{1,2}\s?(?:[:.uh]\s?\d{2}|u\b|h\b|uur\b)|\b\d{1,2}\s?[-–]\s?\d{1,2}\b")
REACH = re.compile(r"@|\b0\d[\d ./-]{6,}|\+\d{2}")
FIGURE = re.compile(r"\d")
LOOKS: Mapping[str, re.Pattern[str]] = {
    "parking_price": MONEY, "price": MONEY, "payment": MONEY, "reimbursement": MONEY,
    "visiting_hours": CLOCK, "opening_hours": CLOCK, "contact": REACH, "duration": FIGURE,
    "waiting_time": FIGURE,
}  # fmt: skip


def generate(ctx: Context, shown: Sequence[Claim], tools: Tools) -> Iterator[Claim]:
    """Yield what answers each part of a question, none of it twice; last, that it only comes close
    or that a part has no answer."""
    evidence = ctx.evidence or NumberedEvidence()
    told = {each for claim in shown for each in claim.lines}
    parts = [Answering(part, ctx, evidence, tools) for part in ctx.parts or (ctx,)]
    sureties = [part.surety for part in parts]
    for part, surety in zip(parts, sureties, strict=True):
        for claim in part.claims() if surety >= NEAR else ():
            lines = tuple(each for each in claim.lines if each not in told)
            if lines:
                told.update(lines)
                yield Claim("", lines, claim.form)
    if max(sureties) >= NEAR:
        if min(sureties) < NEAR:
            yield Claim("", form=Form.MISSING)
        elif min(sureties) < SURE:
            yield Claim("", form=Form.NEAR)


@dataclass(frozen=True, slots=True)
class Rated:
    """A line and how well it answers."""

    line: Line
    score: float


@dataclass(frozen=True)
class Answering:
    """One question, or a part of one, before the evidence of the turn."""

    ctx: Context
    whole: Context
    evidence: NumberedEvidence
    tools: Tools

    @cached_property
    def surety(self) -> float:
        """How likely what is shown answers."""
        return 1.0 if self.facts else self._surety_of(self.best)

    def claims(self) -> Iterator[Claim]:
        """Yield what answers, then further pages, then how the department is reached."""
        desk = (*self._role(Role.ANSWER), *self._role(Role.DESK)[:1])
        if self.facts:
            yield Claim("", _ids(self.facts), Form.SHOW)
            return
        yield Claim("", _ids(self.section), Form.SHOW)
        yield Claim("", _ids(self.pages), Form.PAGE)
        if self.ctx.routed and self.surety >= SURE:
            yield Claim("", _ids(desk), Form.SHOW)

    # What the hospital has published

    @cached_property
    def facts(self) -> tuple[Line, ...]:
        """The published lines that answer; none where only a page can tell."""
        answer, desk = self._role(Role.ANSWER), self._role(Role.DESK)[:1]
        if self.ctx.fact:
            return self._role(Role.FACT)
        if any(found.says in PEOPLE for found in self.ctx.findings):
            return answer
        if self.need == "visiting_hours":
            return self._role(Role.VISITING)
        if self.need == "opening_hours":
            now = self._role(Role.NOW) if self.ctx.understanding.moments else ()
            hours = (line for line in desk if CLOCK.search(line.text))
            return (*(line for line in hours if line.owners[0].startswith(Kind.DEPARTMENT)), *now)
        is_complaint = self.ctx.understanding.intent is Intent.AMBIGUOUS_SYMPTOM_DESCRIPTION
        is_reached = self.need in REACHED_BY or (is_complaint and bool(answer))
        return (*answer, *desk) if is_reached else ()

    @cached_property
    def need(self) -> str:
        """What is most likely needed."""
        needs = self.tools.needs(self.ctx)
        return max(needs, key=needs.__getitem__, default="")

    def _role(self, *roles: Role) -> tuple[Line, ...]:
        lines = self.evidence.by_number[1].lines if self.evidence.sources else ()
        asked = [line for line in lines if not self._own or line.told in self._own]
        return tuple(line for line in asked if line.role in roles)

    @cached_property
    def _own(self) -> frozenset[str]:
        """What is published of this part of a question; nothing where it has no parts."""
        if self.ctx is self.whole:
            return frozenset()
        return frozenset(each.told for each in published(self.ctx, self.tools, for_asker=True))

    # Sections of pages

    @cached_property
    def _lines(self) -> Sequence[tuple[Source, Line]]:
        """The lines of pages that may answer; of a part of a question, of what was found for it."""
        found = {passage.source.url for passage in self.ctx.passages}
        sources = [source for source in self.evidence.sources if source.n > 1]
        if self.ctx is not self.whole:
            sources = [source for source in sources if source.citation.url in found] or sources
        guards = Guards.of(self.ctx, self.tools.snapshot)
        return [
            (source, line)
            for source in sources
            for line in source.lines
            if guards.allow(line, source.citation.title)
        ]

    @cached_property
    def _asked(self) -> frozenset[str]:
        """Stems of what is asked, in the pages' language and in the asker's words."""
        meant, snapshot = self.ctx.understanding, self.tools.snapshot
        spoken = snapshot.derived(lexicon_of).stop_words(meant.detected or meant.language)
        own = (word for word in words(without_marks(self.ctx.question)) if word not in spoken)
        return frozenset(map(self.tools.stem, (*asked_words(self.ctx, snapshot), *own)))

    @cached_property
    def rated(self) -> Sequence[Rated]:
        """The lines of pages, the one that answers best first."""
        if not self._lines or not self._asked:
            return ()
        spoken = [self._traits(source, line) for source, line in self._lines]
        worth = self._worth(own | above | title for own, above, title in spoken)
        looks = LOOKS.get(self.need)
        rated = []
        for (source, line), (own, above, title) in zip(self._lines, spoken, strict=True):
            score = (
                WORTH["own"] * sum(worth[stem] for stem in own)
                + WORTH["above"] * sum(worth[stem] for stem in above - own)
                + WORTH["title"] * sum(worth[stem] for stem in title - above - own)
                + WORTH["rank"] * log(source.n)
                + (WORTH["form"] if looks and looks.search(line.text) else 0.0)
            )
            rated.append(Rated(line, score))
        rated.sort(key=lambda each: -each.score)
        alike = self._likeness([each.line for each in rated[:COMPARED]])
        compared = [
            Rated(each.line, each.score + WORTH["likeness"] * like)
            for each, like in zip(rated[:COMPARED], alike, strict=True)
        ]
        return sorted(compared, key=lambda each: -each.score)

    def _traits(self, source: Source, line: Line) -> tuple[frozenset[str], ...]:
        """Return which of the stems asked stand in a line, above it and in its page's title."""
        texts = (line.text, line.above, source.citation.title)
        return tuple(shared(self._asked, stems_in(text, self.tools.stem)) for text in texts)

    def _worth(self, spoken: Iterable[frozenset[str]]) -> Mapping[str, float]:
        """Return what each stem asked is worth, 1 in all: the rarer in the evidence the more."""
        times = Counter(stem for each in spoken for stem in each)
        rare = {stem: log(1 + len(self._lines) / (1 + times[stem])) for stem in self._asked}
        return {stem: each / sum(rare.values()) for stem, each in rare.items()}

    def _likeness(self, lines: Sequence[Line]) -> Sequence[float]:
        meant = self.ctx.understanding
        asked = QueryText(
            without_marks(self.ctx.question), meant.language, meant.query, asked_before(self.ctx)
        )
        titles = [self.evidence.source_of(line).citation.title for line in lines]
        texts = [f"{title}. {line.told}" for title, line in zip(titles, lines, strict=True)]
        return self.tools.likeness(asked, texts)

    @property
    def best(self) -> Rated | None:
        return self.rated[0] if self.rated else None

    def _surety_of(self, best: Rated | None) -> float:
        return 1 / (1 + exp(-SLOPE * (best.score - SURE_AT))) if best else 0.0

    @cached_property
    def section(self) -> tuple[Line, ...]:
        """The best line with what belongs to it: its whole section if that is short; its list or
        the rows of its table that match; else the sentences around it."""
        best = self.rated[0].line
        source = self.evidence.source_of(best)
        whole = _run(source.lines, best, heading_of)
        if _is_short(whole):
            return whole
        part = _run(source.lines, best, lambda line: (line.above, line.kind))
        if best.kind is LineKind.ROW:
            return self._rows(part)
        if best.kind is LineKind.ITEM and len(part) <= STEPS:
            return part
        at = part.index(best)
        begin = at if at == 0 or not _is_short(part[at - 1 : at + 1]) else at - 1
        end = begin + 1
        while end < len(part) and _is_short(part[begin : end + 1]):
            end += 1
        return part[begin:end]

    def _rows(self, table: Sequence[Line]) -> tuple[Line, ...]:
        """Return the rows of a table that answer about as well as the best."""
        scores = {each.line.id: each.score for each in self.rated}
        least = self.rated[0].score - ROW_BEHIND
        near = sorted(table, key=lambda line: -scores.get(line.id, 0.0))[:LINES]
        chosen = [line for line in near if scores.get(line.id, 0.0) >= least]
        return tuple(line for line in table if line in chosen)

    @cached_property
    def pages(self) -> tuple[Line, ...]:
        """The best line of each further page that is about as likely to help."""
        if not self.rated:
            return ()
        best: dict[int, Rated] = {}
        for each in self.rated:
            best.setdefault(self.evidence.source_of(each.line).n, each)
        first, *others = best.values()
        least = AS_LIKELY * self._surety_of(first)
        return tuple(each.line for each in others if self._surety_of(each) >= least)[:PAGES]


def heading_of(line: Line) -> tuple[str, ...]:
    """Return the headings above a line, without what opens its list."""
    parts = line.above.split(PATH)
    ends = (at for at, part in enumerate(parts) if part.endswith(OPEN))
    return tuple(parts[: next(ends, len(parts))])


def _run(lines: Sequence[Line], best: Line, key: Callable[[Line], Any]) -> tuple[Line, ...]:
    """Return the lines around the best one that have its key."""
    for _, group in groupby(lines, key=key):
        run = tuple(group)
        if best in run:
            return run
    return (best,)


def _is_short(lines: Sequence[Line]) -> bool:
    return len(lines) <= LINES and sum(len(line.text.split()) for line in lines) <= WORDS


def _ids(lines: Iterable[Line]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(line.id for line in lines))


def shared(asked: frozenset[str], said: frozenset[str]) -> frozenset[str]:
    """Return the stems asked that a text has, also as a part of a longer word."""
    found = asked & said
    rest = [stem for stem in asked - found if len(stem) >= PART_OF_WORD]
    return found.union(stem for stem in rest if any(stem in word for word in said))


@lru_cache(maxsize=REMEMBERED)
def stems_in(text: str, stem: Callable[[str], str]) -> frozenset[str]:
    return frozenset(map(stem, words(text)))
