"""The section of one page that answers a question best, and how likely it does."""

from __future__ import annotations

import logging
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import groupby, islice
from math import exp, log
from typing import Any

from chat.checking.base import Line, LineKind, Source
from chat.question.content_words import asked_before, asked_words, without_marks
from chat.sources.guards import Guards
from chat.tools import Tools
from chat.turn import Context
from retrieval.fields import PATH
from retrieval.query import QueryText
from retrieval.statements import OPEN
from taxonomy.lexicon import lexicon_of
from zol.errors import EmbeddingFailed, SearchFailed
from zol.text import words

logger = logging.getLogger(__name__)

#: What a line's traits are worth, fitted on golden questions of two hospitals: stems asked that
#: stand in it, above it and in its page's title, its cosine with the question, the logarithm of its
#: passage's weight, whether it looks like an answer, is in the asker's language, and of a list.
WORTH: Mapping[str, float] = {
    "own": 2.5, "above": 0.5, "title": 0.3, "likeness": 7.0, "weight": 1.5, "looks": 1.8,
    "language": 2.0, "list": -0.6,
}  # fmt: skip
#: Log odds that a line answers: for a cosine of 1, for what it is worth, and else.
LIKE, WORTHY, UNLIKE = 6.5, 0.35, -4.3
#: The cosine of a line with a question that nobody could compare.
UNHEARD = 0.4
#: How likely a section answers at most that lacks what an answer looks like.
UNSEEN = 0.3
#: Lines that are compared by their meaning, and lines and words of a section at most.
COMPARED, LINES, WORDS = 16, 10, 90
#: Words of a section below which the one behind it joins.
LITTLE = 15
#: Lines of a list that is shown whole, and how far behind the best row others are that are shown.
STEPS, ROW_BEHIND = 15, 1.2
#: Letters from which a stem counts as a part of a longer word, and texts that are remembered.
PART_OF_WORD, REMEMBERED = 5, 16_384
#: The weight of a passage that stands beside one that was found.
BESIDE = 0.05
#: Further pages that are named, and how likely they are to help as a share of the best.
PAGES, AS_LIKELY = 3, 0.5
MONEY = re.compile(r"€|\beuro?\b|\beur\b|\d,\d\d\b", re.IGNORECASE)
CLOCK = re.compile(r"\b\d{1,2}\s?(?:[:.uh]\s?\d{2}|u\b|h\b|uur\b)|\b\d{1,2}\s?[-–]\s?\d{1,2}\b")
REACH = re.compile(r"@|\b0\d[\d ./-]{6,}|\+\d{2}")
FIGURE = re.compile(r"\d")
#: Concepts that ask how much, and the kind of those that say when.
PRICED, TIME = frozenset({"cost", "price", "pay"}), "time"
#: What a line that answers looks like, by need.
LOOKS: Mapping[str, re.Pattern[str]] = {
    "parking_price": MONEY, "price": MONEY, "payment": MONEY, "reimbursement": MONEY,
    "visiting_hours": CLOCK, "opening_hours": CLOCK, "contact": REACH, "duration": FIGURE,
    "waiting_time": FIGURE,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class RatedLine:
    """A line of a page, how well it answers beside others, and its cosine with the question."""

    source: Source
    line: Line
    score: float
    likeness: float = 0.0

    @property
    def surety(self) -> float:
        """How likely it answers at all."""
        return 1 / (1 + exp(-LIKE * self.likeness - WORTHY * self.score - UNLIKE))


@dataclass(frozen=True)
class Sections:
    """What pages say to a question."""

    ctx: Context
    sources: Sequence[Source]
    tools: Tools
    #: What is most likely needed.
    need: str

    @property
    def surety(self) -> float:
        """How likely the best section answers."""
        if not self.best:
            return 0.0
        looks, surety = LOOKS.get(self.need), self.rated[0].surety
        is_seen = looks is None or any(looks.search(line.text) for line in self.best)
        return surety if is_seen else min(surety, UNSEEN)

    @cached_property
    def best(self) -> tuple[Line, ...]:
        """The best line with what belongs to it: its section if that is short, its list, the rows
        of its table that match, else the sentences around it; what holds for others left out."""
        if not self.rated:
            return ()
        source, line = self.rated[0].source, self.rated[0].line
        found = run_of(source.lines, line, heading_of)
        if not is_short(found):
            found = run_of(source.lines, line, lambda each: (each.above, each.kind))
            if line.kind is LineKind.ROW:
                found = self._rows(found)
            elif line.kind is LineKind.SENTENCE or len(found) > STEPS:
                found = around(found, line)
        if sum(len(each.text.split()) for each in found) < LITTLE:
            # An opening sentence says little without what follows it.
            behind = source.lines[source.lines.index(found[-1]) + 1 :]
            more = run_of(behind, behind[0], heading_of) if behind else ()
            found = (*found, *more) if is_short((*found, *more)) else found
        title = source.citation.title
        return tuple(each for each in found if self._guards.allow(each, title))

    @cached_property
    def further(self) -> tuple[Line, ...]:
        """The best line of each further page that is about as likely to help."""
        best: dict[int, RatedLine] = {}
        for each in self.rated:
            best.setdefault(each.source.n, each)
        near = (each for each in best.values() if each.surety >= AS_LIKELY * self.rated[0].surety)
        return tuple(each.line for each in near)[1 : PAGES + 1]

    @cached_property
    def rated(self) -> Sequence[RatedLine]:
        """The lines that may answer, the best first."""
        lines = [(source, line) for source in self.sources for line in source.lines]
        if not lines or not self._asked:
            return ()
        rough = sorted(self._by_words(lines), key=lambda each: -each.score)
        guards = self._guards
        allowed = (each for each in rough if guards.allow(each.line, each.source.citation.title))
        chosen = list(islice(allowed, COMPARED))
        texts = [f"{each.source.citation.title}. {each.line.told}" for each in chosen]
        compared = (
            RatedLine(each.source, each.line, each.score + WORTH["likeness"] * like, like)
            for each, like in zip(chosen, self._likeness(texts), strict=True)
        )
        return sorted(compared, key=lambda each: -each.score)

    def _likeness(self, texts: Sequence[str]) -> Sequence[float]:
        """Return the cosines of the question with texts; where nobody can tell, one that shows
        them as what comes nearest."""
        meant, said = self.ctx.understanding, without_marks(self.ctx.question)
        question = QueryText(said, meant.language, meant.query, asked_before(self.ctx))
        try:
            return self.tools.corpus.likeness(question, texts)
        except (EmbeddingFailed, SearchFailed):
            logger.warning("Lines are chosen by their words alone", exc_info=True)
            return [UNHEARD] * len(texts)

    @cached_property
    def _guards(self) -> Guards:
        return Guards.of(self.ctx, self.tools.snapshot)

    @cached_property
    def _asked(self) -> frozenset[str]:
        """Stems of what is asked, in the pages' language and in the asker's words."""
        meant, snapshot = self.ctx.understanding, self.tools.snapshot
        lexicon, spoken = snapshot.derived(lexicon_of), meant.detected or meant.language
        joining = lexicon.stop_words(spoken)
        said = words(without_marks(self.ctx.question))
        asked = (*asked_words(self.ctx, snapshot), *(word for word in said if word not in joining))
        # How much or when is asked by some words; what an answer looks like tells that better.
        told = [(said, spoken), (asked, snapshot.profile.default_language)]
        formal = {
            word
            for texts, language in told
            for use in lexicon.read(texts, language)
            if any(each.kind == TIME or each.name in PRICED for each in use.concepts)
            for word in texts[use.start : use.end]
        }
        asked = tuple(word for word in asked if word not in formal) or asked
        return frozenset(map(self.tools.corpus.stem, asked))

    def _by_words(self, lines: Sequence[tuple[Source, Line]]) -> Iterable[RatedLine]:
        """Yield lines with what they are worth before their meaning is compared."""
        stem, asked = self.tools.corpus.stem, self._asked
        said = [
            [shared(asked, stems_in(text, stem))
             for text in (line.text, line.above, source.citation.title)]
            for source, line in lines
        ]  # fmt: skip
        times = Counter(stem for own, above, title in said for stem in own | above | title)
        rare = {each: log(1 + len(lines) / (1 + times[each])) for each in asked}
        whole = sum(rare.values())
        weights = {passage.chunk_id: passage.weight for passage in self.ctx.passages}
        looks, language = LOOKS.get(self.need), self.ctx.understanding.language
        for (source, line), (own, above, title) in zip(lines, said, strict=True):
            levels = {"own": own, "above": above - own, "title": title - above - own}
            score = sum(
                WORTH[name] * rare[each] / whole for name in levels for each in levels[name]
            )
            score += WORTH["weight"] * log(max(weights.get(line.chunk_id, 0.0), BESIDE))
            score += WORTH["looks"] * bool(looks and looks.search(line.text))
            score += WORTH["language"] * (line.language == language)
            score += WORTH["list"] * (line.kind is not LineKind.SENTENCE)
            yield RatedLine(source, line, score)

    def _rows(self, table: Sequence[Line]) -> tuple[Line, ...]:
        """Return the rows of a table that answer about as well as the best."""
        scores = {each.line.id: each.score for each in self.rated}
        least = self.rated[0].score - ROW_BEHIND
        near = {each for each in table if scores.get(each.id, least - 1) >= least}
        return tuple(islice((each for each in table if each in near), LINES))


def heading_of(line: Line) -> tuple[str, ...]:
    """Return the headings above a line, without what opens its list."""
    parts = line.above.split(PATH)
    ends = (at for at, part in enumerate(parts) if part.endswith(OPEN))
    return tuple(parts[: next(ends, len(parts))])


def run_of(lines: Sequence[Line], best: Line, key: Callable[[Line], Any]) -> tuple[Line, ...]:
    """Return the lines in a row around one that have its key."""
    runs = (tuple(group) for _, group in groupby(lines, key=key))
    return next((run for run in runs if best in run), (best,))


def around(lines: Sequence[Line], best: Line) -> tuple[Line, ...]:
    """Return the line before the best one, itself and those behind it, as far as it is short."""
    at = lines.index(best)
    begin = max(at - 1, 0) if is_short(lines[max(at - 1, 0) : at + 1]) else at
    end = at + 1
    while end < len(lines) and is_short(lines[begin : end + 1]):
        end += 1
    return tuple(lines[begin:end])


def is_short(lines: Sequence[Line]) -> bool:
    return len(lines) <= LINES and sum(len(line.text.split()) for line in lines) <= WORDS


def shared(asked: frozenset[str], said: frozenset[str]) -> frozenset[str]:
    """Return the stems asked that a text has, also as a part of a longer word."""
    found = asked & said
    rest = [stem for stem in asked - found if len(stem) >= PART_OF_WORD]
    return found.union(stem for stem in rest if any(stem in word for word in said))


@lru_cache(maxsize=REMEMBERED)
def stems_in(text: str, stem: Callable[[str], str]) -> frozenset[str]:
    return frozenset(map(stem, words(text)))
