"""Choosing what is quoted: the statements that answer best, each with what completes it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from operator import attrgetter
from typing import TypeAlias

import numpy as np

from chat.question.answer_types import Sort, Sorts
from chat.question.word_matching import Stem, meanings, surety, worths
from chat.sources.quotation.blocks import Candidate, block_of, is_beside, said_in
from chat.sources.quotation.features import StatementSet, StatementSignals, grid
from chat.sources.quotation.scores import Measure, Quote, QuoteRequest, Reading, Statement, place_of
from chat.sources.quotation.segments import Column, cuttings_of
from chat.sources.quotation.weights import WEIGHTS, WEIGHTS_BY_WORDS, Weights
from retrieval.passage import Passage
from retrieval.vectors import Matrix

#: How alike all statements of passages are to the question, by their meaning.
Likeness: TypeAlias = Callable[[Sequence[Passage]], Matrix]

#: How far behind the best a further quotation of its page may be, one that completes a short
#: quotation, and one that gives a sort of answer that is not given yet.
SAME_PAGE, COMPLETES, MISSING_SORT = 2.4, 3.5, 4.0
#: How far behind the best a further page may be, and how likely to answer as a share of it, how
#: many pages are quoted, and letters in all, where the best may not answer. Of strangers' 422 such
#: questions the first page answers 53 %, one of those shown 66 %, beside 1.4 quotations that do
#: not; without the share 68 % beside 1.8.
NEAR_PAGE, NEAR_SHARE, NEAR_PAGES, NEAR_LETTERS = 3.0, 0.4, 3, 1_800
#: What it counts that a page was cited by the answer before, as odds to the base e. Of strangers'
#: 125 later questions 66 get a page that answers with it, 55 without; from 4 on fewer again.
CITED_BEFORE = 3.0
#: Letters up to which a quotation says little.
LITTLE = 160
#: The likeness from which a sentence is about the question though it shares no word.
MEANT = 0.4
OWN, ABOVE = attrgetter("own"), attrgetter("above")
#: The odds of what is out of date.
STALE = -np.inf


def choose(
    passages: Sequence[Passage],
    wanted: QuoteRequest,
    stem: Stem,
    sorts: Sorts | None = None,
    likeness: Likeness | None = None,
) -> tuple[Quote, ...]:
    """Return the quotations that best answer, best first; none when nothing has to do with it."""
    seen = seen_in(passages, wanted, stem, sorts, likeness)
    if seen is None or (not seen.both.any() and seen.alike.max() < MEANT):
        return ()
    ranked = ranking(seen)
    if not ranked or ranked[0].score == STALE:
        return ()
    told, may_be_told = {place_of(each.statement) for each in ranked}, wanted.may_be_told
    others = (each for each in seen.pool if may_be_told(each.text))
    kept_out = frozenset(map(place_of, others)) - told
    return tuple(gathered(ranked, replace(seen.reading, kept_out=kept_out)))


def part_of(statement: Statement) -> tuple[int, int]:
    """Return what the rows of one table have in common; of anything else, its place."""
    chunk, line = statement.passage.chunk_id, statement.line
    return (chunk, -1 - line.run) if statement.is_row else (chunk, statement.place)


def seen_in(
    passages: Sequence[Passage],
    wanted: QuoteRequest,
    stem: Stem,
    sorts: Sorts | None = None,
    likeness: Likeness | None = None,
) -> StatementSet | None:
    """Return the statements of passages together; None where nothing is said or nothing asked."""
    known = zip(passages, cuttings_of(passages, stem), strict=True)
    speaking = [(passage, cut) for passage, cut in known if cut.lines]
    if not speaking or not wanted.terms:
        return None
    those, cuttings = zip(*speaking, strict=True)
    own, above = ([of(each) for each in cuttings] for of in (OWN, ABOVE))
    meaning = meanings(wanted.terms, [*own, *above], stem)
    sizes = [len(each.lines) for each in cuttings]
    sure, sure_above = (surety(each, sizes, meaning) for each in (own, above))
    reading = Reading(meaning, worths(wanted.terms, sure, sure_above), wanted, sorts)
    alike = likeness(those).astype(np.float64) if likeness else np.zeros(sum(sizes))
    return StatementSet(those, cuttings, reading, StatementSignals(sure, sure_above, alike))


def ranking(seen: StatementSet) -> list[Candidate]:
    """Return the statements that may be quoted, best first; last those that are about something
    else, which only complete others."""
    odds, sureties = rated(seen)
    stale, wanted = outdated(seen), seen.reading.wanted
    rows = zip(seen.pool, odds.tolist(), sureties.tolist(), stale, strict=True)
    # Of a table with doses of something else no row is quoted: one may go on from another.
    doses = {part_of(each) for each in seen.pool if wanted.is_dose(each)}
    found = [
        Candidate(statement, score, surety)
        for statement, score, surety, is_stale in rows
        if not is_stale and wanted.may_be_told(statement.text) and part_of(statement) not in doses
    ]
    return sorted(found, key=lambda each: -each.score)


def rated(seen: StatementSet) -> tuple[Column, Column]:
    """Return for each statement its odds, `STALE` where it is about something else or out of date,
    and how likely it is to answer at all."""
    figures, weights = grid(seen), weights_for(seen)
    cited = seen.spread(lambda p: p.source.url in seen.reading.wanted.cited_before)
    odds = np.where(suited(seen), weights.scores(figures) + CITED_BEFORE * cited, STALE)
    if not np.isfinite(odds).any():
        return odds, np.zeros(len(odds))
    return without_stale(odds, seen), weights.sureties(figures, odds)


def suited(seen: StatementSet) -> list[bool]:
    """Return for each statement whether it is about what is asked about: the same person, medicine
    and examination.

    A page that has nothing of it and is about another examination is not, nor is one about another
    medicine that lacks a word which nobody knows: it may be a medicine's name.
    """
    wanted = seen.reading.wanted
    known = [term.is_subject and not term.is_unknown for term in wanted.terms]
    unknown = [term.is_subject and term.is_unknown for term in wanted.terms]
    nowhere = [False] * len(seen.alike)
    strange = (seen.whole[:, known].max(axis=1) == 0).tolist() if any(known) else nowhere
    lacking = (seen.whole[:, unknown].min(axis=1) == 0).tolist() if any(unknown) else nowhere
    return [
        wanted.suits(each)
        and not (is_strange and wanted.is_of_another(each.passage.source.title))
        and not (is_lacking and wanted.is_of_another_medicine(each.passage.source.title))
        for each, is_strange, is_lacking in zip(seen.pool, strange, lacking, strict=True)
    ]


def weights_for(seen: StatementSet) -> Weights:
    return WEIGHTS if seen.alike.any() else WEIGHTS_BY_WORDS


def without_stale(odds: Column, seen: StatementSet) -> Column:
    kept: Column = np.where(outdated(seen), STALE, odds)
    return kept


def outdated(seen: StatementSet) -> list[bool]:
    """Return for each statement whether the period that it tells is over, or the page that took the
    place of its own is read as well."""
    wanted = seen.reading.wanted
    return [
        source.document_id in wanted.replaced or wanted.is_over(each.text, source.language)
        for each in seen.pool
        for source in (each.passage.source,)
    ]


def readings(seen: StatementSet) -> Column:
    """Return what each statement speaks for its passage, `STALE` where it is out of date."""
    return without_stale(weights_for(seen).readings(grid(seen)), seen)


def best_by_passage(seen: StatementSet, odds: Column) -> dict[int, float]:
    """Return for each chunk that says something the odds of the statement that speaks best for
    it."""
    best = np.maximum.reduceat(odds, seen.starts).tolist()
    known = zip(seen.passages, best, strict=True)
    return {passage.chunk_id: each for passage, each in known if each != STALE}


def gathered(ranked: Sequence[Candidate], reading: Reading) -> Iterator[Quote]:
    """Yield the best quotations that add something to each other, within a glance.

    What gives a sort of answer that was asked for and not given yet, comes before the rest.
    """
    best, measure = ranked[0], reading.wanted.measure
    chosen = [block_of(best, ranked, reading)]
    for sort in sorted(reading.wanted.sorts - given_by(chosen, reading), key=lambda s: s.value):
        chosen += islice(giving(sort, ranked, chosen, reading), 1)
    for each in ranked[1:]:
        if len(chosen) >= measure.quotes or each.score < best.score - COMPLETES:
            break
        says_little = sum(len(quote.text) for quote in chosen) < LITTLE
        near = COMPLETES if says_little else SAME_PAGE
        if is_near(each, best, near, measure):
            chosen += filter(None, [joining(each, ranked, chosen, reading)])
    if best.surety < reading.wanted.sure_from:
        chosen += of_other_pages(ranked, chosen, reading)
    yield from chosen


def of_other_pages(
    ranked: Sequence[Candidate], chosen: Sequence[Quote], reading: Reading
) -> Sequence[Quote]:
    """Return what further pages say that may answer as well, a quotation of each."""
    measure = reading.wanted.measure
    pages, letters = max(measure.pages, NEAR_PAGES), max(measure.letters, NEAR_LETTERS)
    roomy = replace(measure, pages=pages, letters=letters)
    reading = replace(reading, wanted=replace(reading.wanted, measure=roomy))
    known = {quote.passage.source.document_id for quote in chosen}
    more: list[Quote] = []
    for each in ranked:
        if each.score < ranked[0].score - NEAR_PAGE or len(known) >= pages:
            break
        if each.page in known or each.surety < NEAR_SHARE * ranked[0].surety:
            continue
        if quote := joining(each, ranked, (*chosen, *more), reading):
            known.add(each.page)
            more.append(quote)
    return more


def is_near(each: Candidate, best: Candidate, same_page: float, measure: Measure) -> bool:
    """Whether a statement comes near enough to the best: nearer if it is of another page."""
    near = same_page if each.page == best.page else measure.other_page
    return best.score - each.score <= near


def given_by(quotes: Sequence[Quote], reading: Reading) -> frozenset[Sort]:
    """Return the sorts of answer that quotations give."""
    if reading.sorts is None:
        return reading.wanted.sorts
    return frozenset().union(
        *(reading.sorts.given(s.text) for quote in quotes for s in quote.statements)
    )


def giving(
    sort: Sort, ranked: Sequence[Candidate], chosen: Sequence[Quote], reading: Reading
) -> Iterator[Quote]:
    """Yield what the page of the best quotation says that gives a sort of answer."""
    for each in ranked:
        is_here = each.page == ranked[0].page and gives(each, sort, ranked[0], reading)
        if is_here and (quote := joining(each, ranked, chosen, reading)):
            yield quote


def gives(each: Candidate, sort: Sort, best: Candidate, reading: Reading) -> bool:
    """Whether a statement gives a sort of answer, and answers not much worse than the best."""
    is_near = each.score >= best.score - MISSING_SORT
    return (
        is_near and reading.sorts is not None and sort in reading.sorts.given(each.statement.text)
    )


def joining(
    each: Candidate, ranked: Sequence[Candidate], chosen: Sequence[Quote], reading: Reading
) -> Quote | None:
    """Return the quotation around a statement if it may join: not said yet, not too long together,
    not of a page too many, nor of one in another language: it may be the same page translated."""
    if language_of(each) != language_of(ranked[0]):
        return None
    quoted = [statement for quote in chosen for statement in quote.statements]
    said_already = set(map(said_in, quoted))
    # Of a table or list of which a part is quoted already, no other part is.
    known = said_already.union(said_in(each) for quote in chosen for each in quote.whole)
    if said_in(each.statement) in known or is_row_of(each.statement, quoted):
        return None
    quote = block_of(each, ranked, reading, without=said_already)
    if each.page == ranked[0].page:
        # It completes the best one, and is as sure.
        quote = replace(quote, surety=ranked[0].surety)
    pages = {quote.passage.source.document_id for quote in chosen}
    letters = sum(len(quote.text) for quote in chosen) + len(quote.text)
    most = reading.wanted.measure
    fits = letters <= most.letters and (each.page in pages or len(pages) < most.pages)
    return quote if fits else None


def language_of(each: Candidate) -> str:
    return each.statement.passage.source.language


def is_row_of(statement: Statement, quoted: Sequence[Statement]) -> bool:
    """Whether a statement is a row of a table whose rows that answer are quoted already."""
    return statement.is_row and any(is_beside(statement, each) for each in quoted)
