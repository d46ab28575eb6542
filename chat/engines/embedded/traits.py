"""What speaks for and against a statement as the answer to a question, in figures.

A row for each statement, a column for each trait, in the order of `TRAITS`; what each is worth is
fitted (weights.py).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from chat.engines.embedded.coverage import Grid
from chat.engines.embedded.scoring import (
    Reading,
    Statement,
    anywhere,
    gives_sort,
    main_subject,
    there,
)

Column: TypeAlias = NDArray[np.float64]

_FIGURE = re.compile(r"\d")
#: A page that was hardly found counts as one that was found as well as this.
LEAST_WEIGHT = 0.01
#: Years beyond which a page is just old.
OLDEST = 6.0
#: Letters of a statement of middling length.
MIDDLING = 80


class Seen:
    """The statements of a question's passages, seen together."""

    def __init__(
        self, pool: Sequence[Statement], reading: Reading, alike: Column, own: Grid, above: Grid
    ) -> None:
        self.pool, self.reading, self.alike = pool, reading, alike
        self.own, self.both = own, np.maximum(own, above)
        by_passage = [[*those] for _, those in groupby(pool, key=lambda s: id(s.passage))]
        #: The first statement of each passage, and how many there are.
        self.heads, self.sizes = [those[0] for those in by_passage], [*map(len, by_passage)]
        self.page = np.repeat(
            _places([s.passage.source.document_id for s in self.heads]), self.sizes
        )
        self.paragraph = _places([(s.passage.chunk_id, s.line.run) for s in pool])
        self.whole = best_of(self.page, self.both)
        self.weight = self.spread(lambda s: max(s.passage.found, LEAST_WEIGHT))
        self.page_weight = best_of(self.page, self.weight)
        self.gives = self.column(lambda s: bool(reading.wanted.sorts) and gives_sort(s, reading))
        languages = Counter(s.passage.source.language for s in pool)
        self.main_language = languages.most_common(1)[0][0]
        is_asked = reading.wanted.is_there is not anywhere
        self.there = [there(s, reading.wanted) if is_asked else None for s in pool]

    def column(self, of: Callable[[Statement], float]) -> Column:
        return np.array([of(statement) for statement in self.pool], dtype=float)

    def spread(self, of: Callable[[Statement], float]) -> Column:
        """Return for each statement what is the same for all of its passage."""
        return np.repeat(np.array([of(head) for head in self.heads], dtype=float), self.sizes)

    def covered(self, shares: Grid) -> Column:
        """Return which share of the question's weight is covered."""
        weights = np.asarray(self.reading.weights, dtype=float)
        covered: Column = shares @ weights / (weights.sum() or 1.0)
        return covered

    def subject(self, shares: Grid) -> Column:
        """Return how surely each speaks of what the question is mostly about."""
        main = main_subject(self.reading)
        return np.ones(len(self.pool)) if main is None else shares[:, main]


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


def _asker(seen: Seen) -> str:
    return seen.reading.wanted.language


def _titled_after(seen: Seen) -> Column:
    """Return whether the page bears the name of a thing that the question names."""
    terms = seen.reading.wanted.terms
    known = zip(terms, seen.reading.meaning, strict=True)
    named = [means for term, means in known if term.is_thing]
    return seen.spread(lambda s: any(means.is_in(s.title) for means in named))


def _is_third(statement: Statement, seen: Seen) -> bool:
    """Whether a page is neither in the asker's language nor in the one of most pages."""
    return statement.passage.source.language not in {_asker(seen), seen.main_language}


def _age(seen: Seen) -> Column:
    """Return by how many years a page is older than the newest, as far as that is known."""
    dates = [s.passage.source.updated_on for s in seen.heads]
    newest = max((date for date in dates if date), default=None)
    if newest is None:
        return np.zeros(len(seen.pool))
    years = [(newest - date).days / 365 if date else 0.0 for date in dates]
    return np.repeat(np.minimum(years, OLDEST), seen.sizes)


def _known_subjects(seen: Seen) -> Column:
    """Return for each term whether the question is about it and it is known what it means."""
    known = [term.is_subject and not term.is_unknown for term in seen.reading.wanted.terms]
    return np.array(known, dtype=float)


#: By its words, by its meaning, by its page, by the sort of answer, by place and form.
TRAITS: Mapping[str, Callable[[Seen], Column]] = {
    "covers": lambda seen: seen.covered(seen.both),
    "covers_most": lambda seen: _relative(seen.covered(seen.both)),
    "page_covers": lambda seen: seen.covered(seen.whole),
    "on_subject": lambda seen: seen.subject(seen.own),
    "under_subject": lambda seen: seen.subject(seen.both),
    "page_on_subject": lambda seen: seen.subject(seen.whole),
    "page_misses": lambda seen: seen.covered(_known_subjects(seen) * (1 - seen.whole)),
    "titled_after": _titled_after,
    "alike": lambda seen: seen.alike,
    "page_alike": lambda seen: best_of(seen.page, seen.spread(lambda s: s.passage.similarity)),
    "page_weight": lambda seen: np.log(seen.page_weight / seen.weight.max()),
    "weight": lambda seen: np.log(seen.weight / seen.page_weight),
    "not_found": lambda seen: seen.spread(
        lambda s: s.passage.dense_rank == 0 and s.passage.keyword_rank == 0
    ),
    "gives": lambda seen: seen.gives,
    "gives_beside": lambda seen: best_of(seen.paragraph, seen.gives) * (1 - seen.gives),
    "gives_not": lambda seen: (1 - seen.gives) * bool(seen.reading.wanted.sorts),
    "there": lambda seen: np.array([at is True for at in seen.there], dtype=float),
    "elsewhere": lambda seen: np.array([at is False for at in seen.there], dtype=float),
    "in_table": lambda seen: seen.column(lambda s: s.line.is_row),
    "length": lambda seen: np.log(seen.column(lambda s: len(s.text)) / MIDDLING),
    "figure": lambda seen: seen.column(lambda s: bool(_FIGURE.search(s.text))),
    "same_language": lambda seen: seen.spread(lambda s: s.passage.source.language == _asker(seen)),
    "third_language": lambda seen: seen.spread(lambda s: _is_third(s, seen)),
    "age": _age,
    "authority": lambda seen: np.log(seen.spread(lambda s: s.passage.source.authority)),
}


def grid(seen: Seen) -> Grid:
    """Return the traits of statements that are seen together."""
    return np.stack([trait(seen) for trait in TRAITS.values()], axis=1)
