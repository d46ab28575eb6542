"""Choosing the sentences that answer a question, from runs of statements that follow each other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from chat.engines.embedded.kinds import Sort, Sorts
from chat.engines.embedded.matching import Stem, meanings
from chat.engines.embedded.scoring import (
    Quote,
    Reading,
    Wanted,
    cut,
    runs_of,
    suits,
    turned,
    worths,
)
from retrieval.passage import Passage
from retrieval.statements import Said, said_under

#: Further quotations must come this near to the best.
NEAR_BEST = 0.72
#: … and those of the same page, this near.
ENOUGH_SAME_PAGE = 0.42
#: What the best page says that gives what was asked for must cover this share.
LEAST_GIVING = 0.08
MOST_QUOTES, MOST_PAGES, MOST_LETTERS = 3, 2, 750
#: How much a page's rank counts: 1 would be its weight itself.
STANDING = 0.5
#: What a page counts that speaks of nothing of the question but where the run stands.
WHOLE_PAGE = 0.25
#: What a page counts that never speaks of what the question is about.
OTHER_SUBJECT = 0.55
#: Letters up to which a quotation reads on in its paragraph, and rows in its table.
READS_ON, WHOLE_TABLE = 320, 5

#: How alike statements are to the question, by their meaning.
Likeness: TypeAlias = Callable[[Sequence[Said]], Sequence[float]]
#: Quotations whose meaning is listened to: the best by words, and the best of the best pages.
LISTENED = 12
#: What a quotation's words and its meaning count.
WORDS, MEANING = 0.55, 0.75
#: The likeness from which a sentence is about the question though it shares no word.
MEANT = 0.4


def choose(
    passages: Sequence[Passage],
    wanted: Wanted,
    stem: Stem,
    sorts: Sorts | None = None,
    likeness: Likeness | None = None,
) -> tuple[Quote, ...]:
    """Return the quotations that best answer, best first; none when nothing has to do with it."""
    statements = {p.chunk_id: tuple(cut(p, stem)) for p in passages}
    pool = [each for group in statements.values() for each in group]
    if not pool or not wanted.terms:
        return ()
    vocabulary = frozenset().union(*(s.terms | s.above for s in pool))
    meaning = meanings(wanted.terms, vocabulary, stem)
    weights = worths(wanted.terms, meaning, pool)
    bare = Reading(statements, meaning, weights, wanted, sorts, stands_for=turned(meaning))
    reading = replace(bare, pages=pages_of(passages, bare))
    runs = (quote for group in statements.values() for quote in runs_of(group, reading))
    ranked = sorted(runs, key=lambda quote: -quote.score)
    if likeness is not None:
        ranked = by_meaning(ranked, likeness)
    return tuple(gathered([quote for quote in ranked if quote.cover > 0], reading))


def by_meaning(ranked: Sequence[Quote], likeness: Likeness) -> list[Quote]:
    """Return the likeliest quotations anew, by what they mean as well as by their words."""
    likely = dict.fromkeys(ranked[:LISTENED])
    single = (quote for quote in ranked if len(quote.statements) == 1)
    by_page = sorted(single, key=lambda quote: -quote.passage.weight * quote.rate)
    likely |= dict.fromkeys(by_page[:LISTENED])
    heard = likeness([said(quote) for quote in likely])
    weighed = [
        replace(
            quote,
            cover=WORDS * quote.cover + MEANING * max(0.0, alike),
            is_relevant=quote.is_relevant or alike >= MEANT,
        )
        for quote, alike in zip(likely, heard, strict=True)
    ]
    return sorted(weighed, key=lambda quote: -quote.score)


def said(quote: Quote) -> Said:
    """Return a quotation as its meaning is looked up: by its places in its passage."""
    places = tuple(statement.place for statement in quote.statements)
    return Said(quote.passage, places, said_under(quote.heading, quote.text))


def pages_of(passages: Sequence[Passage], reading: Reading) -> Mapping[int, float]:
    """Return how likely each page is to answer: by its rank, and by how much of the question
    it speaks of as a whole."""
    best: dict[int, float] = {}
    said: dict[int, list[float]] = {}
    for passage in passages:
        page = passage.source.document_id
        best[page] = max(best.get(page, 0.0), passage.weight)
        for statement in reading.statements[passage.chunk_id]:
            shares = reading.shares(statement.terms | statement.above)
            known = said.setdefault(page, [0.0] * len(shares))
            said[page] = list(map(max, known, shares))
    top = max(best.values(), default=1.0)
    main = main_subject(reading)
    return {
        page: (max(best[page], 0.01) / max(top, 0.01)) ** STANDING
        * (WHOLE_PAGE + reading.covered(shares))
        * (1.0 if main is None or shares[main] else OTHER_SUBJECT)
        for page, shares in said.items()
    }


def main_subject(reading: Reading) -> int | None:
    """Return which term says most of what the question is about, among those that pages have."""
    known = [
        place
        for place, (term, means) in enumerate(
            zip(reading.wanted.terms, reading.meaning, strict=True)
        )
        if term.is_subject and means and not term.is_unknown
    ]
    return max(known, key=lambda place: reading.weights[place], default=None)


def gathered(ranked: Sequence[Quote], reading: Reading) -> Iterator[Quote]:
    """Yield the best quotations that add something to each other, within a glance.

    The page of the best one may say more; another page must come near it. What gives a sort of
    answer that was asked for and not given yet, comes before the rest.
    """
    chosen: list[Quote] = []
    if ranked:
        chosen = [read_on(ranked[0], reading)]
        for sort in sorted(reading.wanted.sorts - given_by(chosen, reading), key=lambda s: s.value):
            chosen += list(giving(sort, ranked, chosen, reading))[:1]
    for found in ranked[1:]:
        if len(chosen) >= MOST_QUOTES or found.score < ENOUGH_SAME_PAGE * chosen[0].score:
            break
        quote = read_on(found, reading)
        if fits(quote, chosen) and adds(quote, chosen, reading.wanted.category):
            chosen.append(quote)
    yield from chosen


def adds(quote: Quote, chosen: Sequence[Quote], category: str) -> bool:
    """Whether a quotation comes near enough to the best: nearer from another page."""
    if quote.passage.source.document_id == chosen[0].passage.source.document_id:
        return quote.score >= ENOUGH_SAME_PAGE * chosen[0].score
    return suits(quote.passage, category) and quote.score >= NEAR_BEST * chosen[0].score


def given_by(quotes: Sequence[Quote], reading: Reading) -> frozenset[Sort]:
    """Return the sorts of answer that quotations give."""
    if reading.sorts is None:
        return reading.wanted.sorts
    return frozenset().union(
        *(reading.sorts.given(s.text) for quote in quotes for s in quote.statements)
    )


def giving(
    sort: Sort, ranked: Sequence[Quote], chosen: Sequence[Quote], reading: Reading
) -> Iterator[Quote]:
    """Yield what the page of the best quotation says that gives a sort of answer."""
    page = chosen[0].passage.source.document_id
    for quote in ranked:
        is_of_page = quote.passage.source.document_id == page and quote.cover >= LEAST_GIVING
        if is_of_page and sort in given_by([quote], reading) and fits(quote, chosen):
            yield quote


def read_on(quote: Quote, reading: Reading) -> Quote:
    """Return a quotation with what its paragraph says next, or the rest of a small table."""
    group = reading.statements[quote.passage.chunk_id]
    run = [s for s in group if s.line.run == quote.statements[0].line.run]
    if quote.statements[0].is_row:
        small = len(run) <= WHOLE_TABLE and sum(len(s.text) for s in run) <= 2 * READS_ON
        return replace(quote, statements=tuple(run)) if small else quote
    taken = list(quote.statements)
    for statement in run:
        longer = sum(len(s.text) for s in taken) + len(statement.text)
        if statement.place == taken[-1].place + 1 and longer <= READS_ON:
            taken.append(statement)
    return replace(quote, statements=tuple(taken))


def fits(quote: Quote, chosen: Sequence[Quote]) -> bool:
    """Whether a quotation may join: not said yet, not too long together, not of a third page."""
    if not chosen:
        return True
    said = {statement.text for each in chosen for statement in each.statements}
    pages = {each.passage.source.document_id for each in chosen}
    letters = sum(len(each.text) for each in chosen) + len(quote.text)
    is_page_known = quote.passage.source.document_id in pages
    return (
        letters <= MOST_LETTERS
        and (is_page_known or len(pages) < MOST_PAGES)
        and said.isdisjoint(statement.text for statement in quote.statements)
    )


def texts(quotes: Iterable[Quote]) -> list[str]:
    return [statement.text for quote in quotes for statement in quote.statements]
