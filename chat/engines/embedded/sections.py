"""Select the sections of pages that answer a question best, with the probability that they do."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby, islice
from math import exp, log
from typing import Any

from chat.checking.base import Line, LineKind, Source
from chat.checking.figures import HOUR
from chat.question.content_words import asked_before, without_marks
from chat.sources.guards import Guards
from chat.sources.question_terms import AskedTerms
from chat.tools import Tools
from chat.turn import Context
from retrieval.query import Query
from zol.errors import EmbeddingFailed, SearchFailed

logger = logging.getLogger(__name__)

#: Weights of a line's features, fitted on golden and strangers' questions of three hospitals: asked
#: things matched by the line, by its headings and by its page's title, weighted by rarity in the
#: evidence; the rarest match; price and time words; a row label that matches; cosine with the
#: question; log weight of its passage; the form of an answer; its language (the asker's, or neither
#: theirs nor the hospital's); and being a list item.
WEIGHTS: Mapping[str, float] = {
    "own": 2.5, "above": 1.5, "title": 0.9, "rarest": 1.1, "formal": 0.8, "first": 0.8,
    "likeness": 6.0, "weight": 2.2, "looks": 1.6, "language": 3.2, "foreign": -1.5,
    "list": -0.5,
}  # fmt: skip
#: Weights of the log odds that a line answers: its cosine with the question, the best passage's
#: cosine as a multiple of the calibrated one, and the probability that the question asks whether
#: something is offered (pages seldom state what is not). Fitted on 439 turns, 103 of them answered
#: by no page (curve: docs/measurements/answers.md).
OFFERED = "offered"
ODDS: Mapping[str, float] = {"likeness": 3.13, "found": 0.97, OFFERED: -6.25}
BASE_ODDS = -3.24
#: Maximum probability of lines that match no content word of the question.
UNMATCHED = 0.4
#: Defaults of the two cosines if the question could not be embedded.
NO_COSINE, NO_MULTIPLE = 0.4, 1.25
#: Best lines by words that are compared by embedding.
COMPARED = 20
#: Maximum places shown, how far other places and other rows may score below the best, and number
#: of words after which no place is added. Of 155 facts in the evidence of 114 turns one place shows
#: 50 %, these settings 70 % in 51 words.
PLACES, BEHIND, ROW_BEHIND, ENOUGH = 5, 2.0, 0.8, 60
#: Lines and words of a section, list or table shown whole, and lines of a list of steps.
LINES, WORDS, STEPS = 10, 90, 15
#: Maximum rows of a table shown whole if several may answer.
ROWS = 6
#: Minimum share of the question that pages must cover to be shown beside published data.
ADDED = 0.15
#: Weight of a passage adjacent to a retrieved one.
BESIDE = 0.05
#: Runner-up pages named, and their minimum probability relative to the best.
PAGES, AS_LIKELY = 2, 0.6


@dataclass(frozen=True, slots=True)
class RatedLine:
    """A page line with its score and its cosine with the question."""

    source: Source
    line: Line
    score: float
    likeness: float = 0.0


@dataclass(frozen=True)
class Sections:
    """The sections of pages for a question."""

    ctx: Context
    sources: Sequence[Source]
    tools: Tools

    @cached_property
    def surety(self) -> float:
        """Return the probability that the shown lines answer."""
        surety = self._surety(self.rated[0]) if self.best else 0.0
        return surety if self.coverage else min(surety, UNMATCHED)

    def _surety(self, rated: RatedLine) -> float:
        """Return the probability that a line answers."""
        found = self.ctx.found.best_similarity / self.tools.corpus.low_similarity
        traits = {
            "likeness": rated.likeness,
            "found": found or NO_MULTIPLE,
            OFFERED: self.tools.reading.needs(self.ctx).get(OFFERED, 0.0),
        }
        odds = BASE_ODDS + sum(ODDS[name] * value for name, value in traits.items())
        return 1 / (1 + exp(-odds))

    @cached_property
    def best(self) -> tuple[tuple[Line, ...], ...]:
        """Return the best lines, page by page, each with its context."""
        found: dict[int, dict[Line, None]] = {}
        places, own = 0, self.ctx.understanding.language
        read = {own}
        for each in self.rated:
            chosen = found.get(each.source.n, {})
            is_enough = sum(map(count_words, found.values())) >= ENOUGH or places == PLACES
            if is_enough or each.score < self.rated[0].score - BEHIND:
                break
            # A second language other than the asker's repeats the same content.
            is_read = each.line.language in read or read == {own}
            if is_read and each.line not in chosen and not self._is_general(each.line):
                places += 1
                read.add(each.line.language)
                found[each.source.n] = chosen | dict.fromkeys(self._place(each))
        pages = sorted(found.values(), key=lambda lines: all(x.language != own for x in lines))
        return tuple(tuple(self._dated(in_order(lines))) for lines in pages)

    @cached_property
    def first(self) -> tuple[Line, ...]:
        """Return the best place only."""
        return tuple(self._dated(self._place(self.rated[0]))) if self.rated else ()

    def _dated(self, lines: Iterable[Line]) -> Iterator[Line]:
        """Yield lines, each followed by its lines about the days asked about."""
        for line in lines:
            yield line
            yield from self._days.get(line.id, ())

    @cached_property
    def _days(self) -> Mapping[str, Sequence[Line]]:
        """Return the lines about days that follow each line."""
        found, last = dict[str, list[Line]](), ""
        for line in (line for source in self.sources for line in source.lines):
            if line.kind is LineKind.MOMENT:
                found.setdefault(last, []).append(line)
            else:
                last = line.id
        return found

    def _is_general(self, line: Line) -> bool:
        """Return whether a line gives hours for something else than the best row's label."""
        best = self.rated[0].line
        if line == best or self.asked.counted(line) - {""} != {HOUR}:
            return False
        label = self.asked.labelled(best)
        return HOUR in self.asked.counted(best) and not self.asked.is_of(line, label)

    def _place(self, rated: RatedLine) -> Sequence[Line]:
        """Return a line with its context: its list, the matching rows of its table, or its section
        if that is short. Lines for other groups of people are left out."""
        line = rated.line
        held = [each for each in rated.source.lines if self._may_answer(rated.source, each)]
        run = run_of(held, line, lambda each: (each.above, each.kind))
        if line.kind is LineKind.ROW:
            return self._rows(run, rated)
        if line.kind is LineKind.ITEM and (
            is_short(run) or (line.mark[:1].isdigit() and len(run) <= STEPS)
        ):
            return run
        section = run_of(held, line, lambda each: each.above)
        at = section.index(line)
        return section if is_short(section) else section[at : at + 2]

    def _may_answer(self, source: Source, line: Line) -> bool:
        """Return whether a line of a page applies to the person and campus asked about."""
        if line.kind is LineKind.MOMENT:
            return False
        return self._guards.allow(line, source.citation.title) and self.asked.is_there(line)

    def _rows(self, table: Sequence[Line], rated: RatedLine) -> Sequence[Line]:
        """Return the rows that match the question and score about as well as the best; a small
        table as a whole if none does."""
        labels = [self.asked.labelled(each) for each in table]
        times = Counter(at for label in labels for at in label)
        scores = [sum(log(1 + len(table) / times[at]) for at in label) for label in labels]
        least = rated.score - ROW_BEHIND
        is_near = [self._scores.get(each.id, least - 1) >= least for each in table]
        if min(scores) < max(scores):
            best = max(scores)
            fits = [s == best or (s > 0 and n) for s, n in zip(scores, is_near, strict=True)]
        elif len(table) <= ROWS and is_short(table):
            return table
        else:
            fits = is_near
        kept = (each for each, is_fit in zip(table, fits, strict=True) if is_fit)
        return list(islice(kept, LINES))

    @cached_property
    def _scores(self) -> Mapping[str, float]:
        return {each.line.id: each.score for each in self.rated}

    @cached_property
    def further(self) -> tuple[Line, ...]:
        """Return the best line of each runner-up page."""
        shown = {line for page in self.best for line in page}
        best: dict[int, RatedLine] = {}
        for each in self.rated:
            best.setdefault(each.source.n, each)
        near = (
            each.line
            for each in best.values()
            if self._surety(each) >= AS_LIKELY * self.surety and shown.isdisjoint(each.source.lines)
        )
        return tuple(islice(near, PAGES))

    @cached_property
    def rated(self) -> Sequence[RatedLine]:
        """Return the candidate lines, best first."""
        lines = [(source, line) for source in self.sources for line in source.lines]
        if not lines or not self.asked.terms:
            return ()
        rough = sorted(self._by_words(lines), key=lambda each: -each.score)
        allowed = (each for each in rough if self._may_answer(each.source, each.line))
        chosen = list(islice(allowed, COMPARED))
        texts = [f"{each.source.citation.title}. {each.line.full_text}" for each in chosen]
        compared = (
            replace(each, score=each.score + WEIGHTS["likeness"] * like, likeness=like)
            for each, like in zip(chosen, self._likeness(texts), strict=True)
        )
        return sorted(compared, key=lambda each: -each.score)

    def _likeness(self, texts: Sequence[str]) -> Sequence[float]:
        """Return the cosines of the question with texts; a default if embedding fails."""
        meant, text = self.ctx.understanding, without_marks(self.ctx.question)
        question = Query(
            meant.query, asked=text, asked_in=meant.language, before=asked_before(self.ctx)
        )
        try:
            return self.tools.corpus.likeness(question, texts)
        except (EmbeddingFailed, SearchFailed):
            logger.warning("Embedding failed; lines are ranked by words alone", exc_info=True)
            return [NO_COSINE] * len(texts)

    @cached_property
    def _guards(self) -> Guards:
        return Guards.of(self.ctx, self.tools.snapshot)

    @cached_property
    def _rare(self) -> Sequence[float]:
        """Return the rarity of each term of the question in the evidence."""
        lines = [(source, line) for source in self.sources for line in source.lines]
        times = Counter(at for each in lines for at in frozenset().union(*self._levels(*each)))
        return [log(1 + len(lines) / (1 + times[at])) for at in range(len(self.asked.terms))]

    @cached_property
    def coverage(self) -> float:
        """Return the share of the question that the best section covers."""
        return self._weighed(self._matched(line for page in self.best for line in page))

    def _matched(self, lines: Iterable[Line]) -> frozenset[int]:
        """Return the things asked about that lines, their headings and titles match."""
        sources = {line.id: source for source in self.sources for line in source.lines}
        matched = (self._levels(sources[line.id], line) for line in lines)
        return frozenset().union(*(level for levels in matched for level in levels))

    @property
    def is_of_row(self) -> bool:
        """Return whether the best line is a row whose label matches the question."""
        return bool(self.rated and self.asked.labelled(self.rated[0].line))

    def adds(self, lines: Iterable[Line]) -> bool:
        """Return whether the best place covers a thing or a day of the question that these lines do
        not; they are in the asker's language."""
        known, days = frozenset[int](), frozenset[int]()
        for line in lines:
            known |= self.asked.met(line.full_text, line.language)
            days |= self.asked.met(line.full_text, line.language, formal=True)
        found = (self.asked.met(each.full_text, each.language, formal=True) for each in self.first)
        new = frozenset().union(*found) - days - self.asked.priced
        return bool(new) or self._weighed(self._matched(self.first) - known) >= ADDED

    def share(self, texts: Iterable[str], named: Iterable[str]) -> float:
        """Return the share of the question, weighted by rarity, that texts in the asker's language
        and the words of named entities cover."""
        meant = self.ctx.understanding
        met = [self.asked.met(text, meant.language) for text in texts]
        met += [self.asked.met(text, meant.written_in) for text in named]
        return self._weighed(frozenset().union(*met))

    def _weighed(self, met: frozenset[int]) -> float:
        """Return the share of these things in the question, weighted by rarity and without function
        words."""
        idle = self.asked.idle
        rare = {at: rarity for at, rarity in enumerate(self._rare) if at not in idle}
        return sum(rarity for at, rarity in rare.items() if at in met) / (sum(rare.values()) or 1)

    @cached_property
    def asked(self) -> AskedTerms:
        return AskedTerms(self.ctx, self.tools)

    def _by_words(self, lines: Sequence[tuple[Source, Line]]) -> Iterable[RatedLine]:
        """Yield lines with their scores by words alone."""
        rare, whole = self._rare, sum(self._rare)
        weights = {passage.chunk_id: passage.weight for passage in self.ctx.passages}
        language = self.ctx.understanding.language
        own_language = self.tools.snapshot.profile.default_language
        levels = [self._levels(source, line) for source, line in lines]
        met = {at for each in levels for level in each for at in level}
        rarest = max(met, key=rare.__getitem__, default=-1)
        for (source, line), (own, above, title) in zip(lines, levels, strict=True):
            parts = {"own": own, "above": above - own, "title": title - above - own}
            score = sum(WEIGHTS[name] * rare[at] / whole for name in parts for at in parts[name])
            formal = self.asked.met(line.full_text, line.language, formal=True)
            traits = {
                "rarest": rarest in own | above,
                "formal": len(formal) / (len(self.asked.formal) or 1),
                "first": line.kind is not LineKind.SENTENCE and bool(self.asked.labelled(line)),
                "weight": log(max(weights.get(line.chunk_id, 0.0), BESIDE)),
                "looks": self.asked.suits(line),
                "language": line.language == language,
                "foreign": line.language not in (language, own_language),
                "list": line.kind is not LineKind.SENTENCE,
            }
            score += sum(WEIGHTS[name] * value for name, value in traits.items())
            yield RatedLine(source, line, score)

    def _levels(self, source: Source, line: Line) -> tuple[frozenset[int], ...]:
        """Return the things asked about that a line, its headings and its title match."""
        texts = (line.text, line.above, source.citation.title)
        return tuple(self.asked.met(text, line.language) for text in texts)


def run_of(lines: Sequence[Line], best: Line, key: Callable[[Line], Any]) -> tuple[Line, ...]:
    """Return the consecutive lines around one that share its key."""
    runs = (tuple(group) for _, group in groupby(lines, key=key))
    return next((run for run in runs if best in run), (best,))


def in_order(lines: Iterable[Line]) -> Iterator[Line]:
    """Yield lines in page order under each heading, best heading first."""
    under: dict[str, list[Line]] = {}
    for each in lines:
        under.setdefault(each.above, []).append(each)
    for section in under.values():
        yield from sorted(section, key=lambda each: int(each.id.partition(".")[2]))


def is_short(lines: Sequence[Line]) -> bool:
    return len(lines) <= LINES and count_words(lines) <= WORDS


def count_words(lines: Iterable[Line]) -> int:
    return sum(len(line.text.split()) for line in lines)
