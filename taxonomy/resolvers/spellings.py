"""Resolvers that look up names and aliases, as written, as heard, or by their stem."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from taxonomy.kinds import Kind
from taxonomy.lexicon import FUNCTION
from taxonomy.resolvers.entries import Entry
from taxonomy.resolvers.index import ResolverIndex
from taxonomy.resolvers.question import Candidate, Hit, Question, confidence, joined
from taxonomy.vocabulary import Thing

Chosen = tuple[Candidate, ...]
#: Which kind words are taken for, when they name things of several and no resolver decides.
FIRST_KINDS = (
    Kind.DEPARTMENT, Kind.CONDITION, Kind.TREATMENT, Kind.EXAMINATION, Kind.SPECIALTY, Kind.CAMPUS,
)  # fmt: skip


def enrichment_trigger(
    question: Question, index: ResolverIndex, chosen: Chosen
) -> Iterator[Candidate]:
    """Recognise "meer informatie over …": the rest, without articles, is one thing's name."""
    size = len(question.tokens)
    for end in range(1, size):
        if joined(question, 0, end) in index.triggers:
            start = end
            while start < size and _is_function_word(question, start, index):
                start += 1
            yield from _candidates(
                [h for h in question.hits if (h.start, h.end) == (start, size)], question, index
            )


def campus_exact(question: Question, index: ResolverIndex, chosen: Chosen) -> Iterator[Candidate]:
    """Recognise a campus by its name, its town, or what people call it."""
    yield from _of_kind(question, index, Kind.CAMPUS)


def department_n_gram(
    question: Question, index: ResolverIndex, chosen: Chosen
) -> Iterator[Candidate]:
    """Recognise a department by two or more words that follow each other."""
    yield from _of_kind(question, index, Kind.DEPARTMENT, lambda e: not e.is_name and e.size > 1)


def department_single_alias(
    question: Question, index: ResolverIndex, chosen: Chosen
) -> Iterator[Candidate]:
    """Recognise a department by one word: "cardio", "huidarts"."""
    yield from _of_kind(question, index, Kind.DEPARTMENT, lambda e: not e.is_name and e.size == 1)


def department_exact_name(
    question: Question, index: ResolverIndex, chosen: Chosen
) -> Iterator[Candidate]:
    """Recognise a department by its own name."""
    yield from _of_kind(question, index, Kind.DEPARTMENT, lambda entry: entry.is_name)


def condition(question: Question, index: ResolverIndex, chosen: Chosen) -> Iterator[Candidate]:
    """Recognise a condition by its name, an alias, its Latin name, or a word for the same."""
    yield from _of_kind(question, index, Kind.CONDITION)


def treatment(question: Question, index: ResolverIndex, chosen: Chosen) -> Iterator[Candidate]:
    """Recognise a treatment."""
    yield from _of_kind(question, index, Kind.TREATMENT)


def examination(question: Question, index: ResolverIndex, chosen: Chosen) -> Iterator[Candidate]:
    """Recognise an examination."""
    yield from _of_kind(question, index, Kind.EXAMINATION)


def specialty(question: Question, index: ResolverIndex, chosen: Chosen) -> Iterator[Candidate]:
    """Recognise a specialty by its name or its profession: "orthopedisch chirurg"."""
    yield from _of_kind(question, index, Kind.SPECIALTY)


def _of_kind(
    question: Question,
    index: ResolverIndex,
    kind: Kind,
    fits: Callable[[Entry], bool] = lambda entry: True,
) -> Iterator[Candidate]:
    if of_kind := question.by_kind.get(kind):
        yield from _candidates([hit for hit in of_kind if fits(hit.entry)], question, index)


def _candidates(hits: list[Hit], question: Question, index: ResolverIndex) -> Iterator[Candidate]:
    """Make one candidate of all hits on the same words, keeping those that fit best."""
    spans: dict[tuple[int, int], list[Hit]] = {}
    for hit in hits:
        spans.setdefault((hit.start, hit.end), []).append(hit)
    for (start, end), found in spans.items():
        ranks = [_rank(hit, question, index) for hit in found]
        best = min(ranks)
        kept = [hit for hit, rank in zip(found, ranks, strict=True) if rank == best]
        yield Candidate(
            tuple(range(start, end)),
            of_first_kind(hit.entry.thing for hit in kept),
            max(confidence(hit, question, index) for hit in kept),
            kept[0].level,
        )


def _rank(hit: Hit, question: Question, index: ResolverIndex) -> tuple[bool, int, bool]:
    """Order hits on the same words: a code of a ward last, then the level, then the language."""
    at_home = hit.entry.language in ("", question.language or index.language)
    return index.is_bare_ward(hit.entry.thing), int(hit.level), not at_home


def _is_function_word(question: Question, at: int, index: ResolverIndex) -> bool:
    found = index.lexicon.find(question.tokens[at].folded, question.language or index.language)
    return any(concept.kind == FUNCTION for concept in found)


def of_first_kind(things: Iterable[Thing]) -> tuple[Thing, ...]:
    """Return the things of the kind that comes first, each once."""
    distinct = tuple(dict.fromkeys(things))
    for kind in FIRST_KINDS:
        if fitting := tuple(thing for thing in distinct if thing.kind is kind):
            return fitting
    return distinct
