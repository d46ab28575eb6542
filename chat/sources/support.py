"""Passages in the order of what they say: who bears out what the taxonomy answers comes sooner."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from chat.question.answer_types import Sort
from chat.sources.quotation.candidates import seen_among
from chat.sources.quotation.choice import best_by_passage, readings
from chat.tools import Tools
from chat.turn import Context, StageResult
from retrieval.grading import PassageSupport, weigh
from retrieval.passage import Passage
from taxonomy.kinds import Kind
from taxonomy.lookup.finding import Finding, Says
from taxonomy.vocabulary import Thing
from zol.text import spaced, words

#: Findings whose value is an answer, by the sort of answer that it is.
DETAILS: Mapping[Sort, frozenset[Says]] = {
    Sort.PHONE: frozenset({Says.PHONE}),
    Sort.EMAIL: frozenset({Says.EMAIL}),
    Sort.TIME: frozenset({Says.HOURS, Says.VISITING_HOURS}),
}
#: What may stand between two letters or digits of a number, however it is grouped.
BETWEEN = r"[\W_]{0,2}"

#: The ways to write a name, each between spaces.
Forms = frozenset[str]


@dataclass(frozen=True, slots=True)
class Answers:
    """The names of each doctor and department that the taxonomy answers with, and the numbers or
    hours that are asked for."""

    people: tuple[Forms, ...]
    places: tuple[Forms, ...]
    details: tuple[re.Pattern[str], ...]

    def __bool__(self) -> bool:
        return bool(self.people or self.places or self.details)

    def held_by(self, passage: Passage) -> PassageSupport:
        text = spaced(passage.text)
        headed = f"{text}|{spaced(passage.source.title)}|{spaced(passage.section)}"
        return PassageSupport(
            _share(self.people, text),
            _share(self.places, headed),
            # One is enough: others are of other departments.
            float(any(each.search(passage.text) for each in self.details)),
        )


def held(
    findings: Iterable[Finding], wanted: Iterable[Sort], passages: Iterable[Passage]
) -> dict[int, PassageSupport]:
    """Return what each passage holds of what findings answer, by its chunk; nothing where they
    answer nothing."""
    answers = answers_of(findings, wanted)
    return {each.chunk_id: answers.held_by(each) for each in passages} if answers else {}


def answers_of(findings: Iterable[Finding], wanted: Iterable[Sort] = ()) -> Answers:
    """Return what findings name, and what they say of the sorts that are asked for."""
    # Of departments where more doctors are, only that there are some is said.
    known = [each for each in findings if each.says is not Says.FURTHER]
    things = dict.fromkeys(thing for each in known for thing in (each.about, *each.things))
    telling = frozenset[Says]().union(*(DETAILS.get(sort, ()) for sort in wanted))
    details = dict.fromkeys(each.value for each in known if each.says in telling)
    return Answers(
        _names(things, Kind.DOCTOR),
        _names(things, Kind.DEPARTMENT),
        tuple(_however_grouped(value) for value in details if any(map(str.isalnum, value))),
    )


def _names(things: Iterable[Thing], kind: Kind) -> tuple[Forms, ...]:
    named = (words(thing.name) for thing in things if thing.kind is kind)
    return tuple(_forms(name) for name in named if name)


def _forms(name: tuple[str, ...]) -> Forms:
    """Return a name as it is, and with what comes first at its end: "Peeters, Ann"."""
    return frozenset(f" {' '.join(each)} " for each in (name, (*name[1:], name[0])))


def _however_grouped(value: str) -> re.Pattern[str]:
    signs = [re.escape(sign) for sign in value if sign.isalnum()]
    return re.compile(rf"(?<!\w){BETWEEN.join(signs)}(?!\w)", re.IGNORECASE)


def _share(names: tuple[Forms, ...], said: str) -> float:
    found = sum(any(form in said for form in forms) for forms in names)
    return found / len(names) if names else 0.0


def read(ctx: Context, tools: Tools) -> StageResult:
    """Read what was found: a passage counts by the statement in it that answers best, by what it
    has of what the taxonomy answers, and by what else speaks for it, as loudly as passages that
    people judged ask for."""
    if any(passage.relevance is not None for passage in ctx.passages):
        return StageResult(ctx, {"off": "a reranker has read the passages"})
    seen = seen_among(ctx, tools, ctx.passages)
    if seen is None:
        return StageResult(ctx)
    odds = best_by_passage(seen, readings(seen))
    # Of what is out of date no statement was read: it bears nothing out.
    read = [passage for passage in ctx.passages if passage.chunk_id in odds]
    bear_out = held(ctx.findings, seen.reading.wanted.sorts, read)
    passages = weigh(ctx.passages, odds, bear_out)
    moved = sum(
        one.chunk_id != other.chunk_id for one, other in zip(ctx.passages, passages, strict=True)
    )
    return StageResult(ctx.learn(passages=passages), {"read": len(odds), "moved": moved})
