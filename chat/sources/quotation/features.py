"""What speaks for and against a statement as the answer to a question, in figures.

A row for each statement, a column for each trait, in the order of `TRAITS`; what each is worth is
fitted (weights.py).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from chat.question.word_matching import Grid
from chat.sources.quotation.scores import (
    Reading,
    Statement,
    anywhere,
    main_subject,
    statements_of,
    there,
)
from chat.sources.quotation.segments import Column, Cutting, given_in
from retrieval.passage import Passage

#: A page that was hardly found counts as one that was found as well as this.
LEAST_WEIGHT = 0.01
#: Years beyond which a page is just old.
OLDEST = 6.0
#: Letters of a statement of middling length.
MIDDLING = 80


@dataclass(frozen=True, slots=True, eq=False)
class StatementSignals:
    """Statements beside a question: what each says of it itself and stands under, and how
    alike its meaning is."""

    own: Grid
    above: Grid
    alike: Column


class StatementSet:
    """The statements of a question's passages, seen together: passages that say something, each
    with its cutting, and its statements beside the question."""

    def __init__(
        self,
        passages: Sequence[Passage],
        cuttings: Sequence[Cutting],
        reading: Reading,
        compared: StatementSignals,
    ) -> None:
        self.passages, self.cuttings = passages, cuttings
        self.reading, self.alike = reading, compared.alike
        self.own, self.both = compared.own, np.maximum(compared.own, compared.above)
        self.sizes = [len(each.lines) for each in cuttings]
        #: The number of the first statement of each passage.
        self.starts = np.cumsum([0, *self.sizes[:-1]])
        self.page = np.repeat(_places([p.source.document_id for p in passages]), self.sizes)
        runs = [each.runs for each in cuttings]
        before = np.cumsum([0, *(int(each.max()) + 1 for each in runs[:-1])])
        self.paragraph = np.concatenate(runs) + np.repeat(before, self.sizes)
        self.whole = best_of(self.page, self.both)
        self.weight = self.spread(lambda p: max(p.found, LEAST_WEIGHT))
        self.page_weight = best_of(self.page, self.weight)
        self.gives = self._gives()
        languages: Counter[str] = Counter()
        for passage, size in zip(passages, self.sizes, strict=True):
            languages[passage.source.language] += size
        self.main_language = languages.most_common(1)[0][0]
        is_asked = reading.wanted.is_there is not anywhere
        nowhere = [None] * len(self.alike)
        self.there = [there(s, reading.wanted) for s in self.pool] if is_asked else nowhere

    @cached_property
    def pool(self) -> Sequence[Statement]:
        """All statements, passage by passage, in reading order."""
        known = zip(self.passages, self.cuttings, strict=True)
        return [each for passage, cut in known for each in statements_of(passage, cut.lines)]

    def _gives(self) -> Column:
        """Return whether each gives a sort of answer that is asked for."""
        wanted, sorts = self.reading.wanted.sorts, self.reading.sorts
        if not wanted or sorts is None:
            return np.full(len(self.alike), float(bool(wanted)))
        given = (given for each in self.cuttings for given in given_in(each, sorts))
        return np.array([not wanted.isdisjoint(each) for each in given], dtype=float)

    def column(self, of: Callable[[Cutting], Column]) -> Column:
        """Return what is kept of each statement."""
        return np.concatenate([of(each) for each in self.cuttings])

    def spread(self, of: Callable[[Passage], float]) -> Column:
        """Return for each statement what is the same for all of its passage."""
        return np.repeat(np.array([of(each) for each in self.passages], dtype=float), self.sizes)

    def covered(self, shares: Grid) -> Column:
        """Return which share of the question's weight is covered."""
        weights = np.asarray(self.reading.weights, dtype=float)
        covered: Column = shares @ weights / (weights.sum() or 1.0)
        return covered

    def subject(self, shares: Grid) -> Column:
        """Return how surely each speaks of what the question is mostly about."""
        main = main_subject(self.reading)
        return np.ones(len(self.alike)) if main is None else shares[:, main]


def _places(keys: Sequence[object]) -> NDArray[np.intp]:
    """Return a number for each key, the same for the same."""
    numbers: dict[object, int] = {}
    return np.array([numbers.setdefault(key, len(numbers)) for key in keys], dtype=np.intp)


def best_of(groups: NDArray[np.intp], values: Grid) -> Grid:
    """Return for each statement the best value of its group."""
    best = np.full((int(groups.max()) + 1, *values.shape[1:]), -np.inf)
    np.maximum.at(best, groups, values)
    return best[groups]


def _relative(covered: Column) -> Column:
    best: Column = covered / max(float(covered.max()), 1e-6)
    return best


def _asker(seen: StatementSet) -> str:
    return seen.reading.wanted.language


def _titled_after(seen: StatementSet) -> Column:
    """Return whether the page bears the name of a thing that the question names."""
    terms = seen.reading.wanted.terms
    known = zip(terms, seen.reading.meaning, strict=True)
    named = [means for term, means in known if term.is_thing]
    bears = [any(means.is_in(each.title) for means in named) for each in seen.cuttings]
    return np.repeat(np.array(bears, dtype=float), seen.sizes)


def _is_third(passage: Passage, seen: StatementSet) -> bool:
    """Whether a page is neither in the asker's language nor in the one of most pages."""
    return passage.source.language not in {_asker(seen), seen.main_language}


def _age(seen: StatementSet) -> Column:
    """Return by how many years a page is older than the newest, as far as that is known."""
    dates = [each.source.updated_on for each in seen.passages]
    newest = max((date for date in dates if date), default=None)
    if newest is None:
        return np.zeros(len(seen.alike))
    years = [(newest - date).days / 365 if date else 0.0 for date in dates]
    return np.repeat(np.minimum(years, OLDEST), seen.sizes)


def _known_subjects(seen: StatementSet) -> Column:
    """Return for each term whether the question is about it and it is known what it means."""
    known = [term.is_subject and not term.is_unknown for term in seen.reading.wanted.terms]
    return np.array(known, dtype=float)


#: By its words, by its meaning, by its page, by the sort of answer, by place and form.
TRAITS: Mapping[str, Callable[[StatementSet], Column]] = {
    "covers": lambda seen: seen.covered(seen.both),
    "covers_most": lambda seen: _relative(seen.covered(seen.both)),
    "page_covers": lambda seen: seen.covered(seen.whole),
    "on_subject": lambda seen: seen.subject(seen.own),
    "under_subject": lambda seen: seen.subject(seen.both),
    "page_on_subject": lambda seen: seen.subject(seen.whole),
    "page_misses": lambda seen: seen.covered(_known_subjects(seen) * (1 - seen.whole)),
    "titled_after": _titled_after,
    "alike": lambda seen: seen.alike,
    "page_alike": lambda seen: best_of(seen.page, seen.spread(lambda p: p.similarity)),
    "page_weight": lambda seen: np.log(seen.page_weight / seen.weight.max()),
    "weight": lambda seen: np.log(seen.weight / seen.page_weight),
    "not_found": lambda seen: seen.spread(lambda p: p.dense_rank == 0 and p.keyword_rank == 0),
    "gives": lambda seen: seen.gives,
    "gives_beside": lambda seen: best_of(seen.paragraph, seen.gives) * (1 - seen.gives),
    "gives_not": lambda seen: (1 - seen.gives) * bool(seen.reading.wanted.sorts),
    "there": lambda seen: np.array([at is True for at in seen.there], dtype=float),
    "elsewhere": lambda seen: np.array([at is False for at in seen.there], dtype=float),
    "in_table": lambda seen: seen.column(lambda cut: cut.is_row),
    "length": lambda seen: np.log(seen.column(lambda cut: cut.letters) / MIDDLING),
    "figure": lambda seen: seen.column(lambda cut: cut.has_figure),
    "same_language": lambda seen: seen.spread(lambda p: p.source.language == _asker(seen)),
    "third_language": lambda seen: seen.spread(lambda p: _is_third(p, seen)),
    "age": _age,
    "authority": lambda seen: np.log(seen.spread(lambda p: p.source.authority)),
}


def grid(seen: StatementSet) -> Grid:
    """Return the traits of statements that are seen together."""
    return np.stack([trait(seen) for trait in TRAITS.values()], axis=1)
