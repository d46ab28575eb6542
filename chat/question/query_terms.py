"""What a question speaks of, as words that the hospital's pages may use."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from chat.checking.knowledge import knowledge_of
from chat.question.answer_types import ASKING
from chat.question.content_words import stop_words_of, without_marks
from chat.question.word_matching import Term
from chat.sources.page_names import EVERYWHERE, campuses_in, names_in, names_of
from chat.tools import Tools
from chat.turn import Context
from taxonomy.dictionary import common, everyday, says_nothing_in
from taxonomy.kinds import Kind
from taxonomy.lexicon import FUNCTION, Concept, Use, lexicon_of
from taxonomy.lookup.question import CARE
from taxonomy.resolvers.entries import Match
from taxonomy.snapshot import Snapshot
from taxonomy.tokens import Token, normalise, tokens
from zol.text import fold, words

#: Kinds whose names a quotation should contain.
NAMED = (Kind.CONDITION, Kind.TREATMENT, Kind.EXAMINATION, Kind.DEPARTMENT)
#: What a concept says about the question's subject, by its kind: who asks says little.
WORTH = {"person": 0.45, "time": 0.6}
LITTLE = 0.3
#: Concepts that are a subject of their own, though they also ask for a sort of answer.
SUBJECTS = frozenset({"visiting_hours", "opening_hours", "parking_fee", "deposit", "waiting_time"})
#: What a word counts that we do not know, in the pages' language and in another.
UNKNOWN_HERE, UNKNOWN_ELSEWHERE = 0.9, 0.5
#: … and one that is used every day, whatever is spoken of.
USUAL = 0.45
#: What a word of an earlier question counts in a follow-up.
EARLIER = 0.5
SHORTEST = 3


class Place(NamedTuple):
    start: int
    end: int


def terms_of(ctx: Context, tools: Tools, languages: Sequence[str]) -> tuple[Term, ...]:
    """Return what a question speaks of; of the names of one thing, any will do."""
    key = ctx.question, tuple(sorted(languages))
    meant, known = tools.terms.get(key, (None, ()))
    if meant is not ctx.understanding:
        known = tuple(dict.fromkeys(spoken_of(ctx, tools, languages)))
        tools.terms[key] = ctx.understanding, known
    return known


def spoken_of(ctx: Context, tools: Tools, languages: Sequence[str]) -> list[Term]:
    """Return the things and words of a question, and what a follow-up still speaks of."""
    snapshot, meant = tools.snapshot, ctx.understanding
    text = normalise(without_marks(ctx.question))
    spoken = tokens(text)
    taken = [Place(match.start, match.end) for match in ctx.understanding.matches if match.end]
    found = [*things(ctx, snapshot, languages), *said(spoken, taken, ctx, snapshot, languages)]
    if meant.is_followup:
        known = frozenset().union(*(term.names for term in found))
        here = {match.thing for match in meant.matches}
        names, campuses = snapshot.derived(knowledge_of), snapshot.derived(campuses_in)
        before = (
            earlier(text, snapshot, languages)
            for text in meant.terms
            # A place that was asked about before is not, where another one is named now; a campus
            # is no word to look for, but where the answer must hold.
            if here.issuperset(names.named(words(text)).values()) and not campuses(text)
        )
        found += [term for term in before if term and known.isdisjoint(term.names)]
    return found


def earlier(text: str, snapshot: Snapshot, languages: Sequence[str]) -> Term | None:
    """Return what a follow-up still speaks of, by all its names; words that join say nothing."""
    uses = snapshot.derived(lexicon_of).read(words(text), snapshot.profile.default_language)
    for use in uses:
        meant = use.concepts[0]
        named = names_in(meant, snapshot, languages)
        if named.words:
            worth = worth_of(meant)
            return replace(named.as_term(EARLIER * worth), is_subject=worth == 1.0)
    names = frozenset({fold(text)}) - stop_words_of(snapshot)
    return Term(names, EARLIER, is_subject=True) if names else None


def named(ctx: Context) -> tuple[Match, ...]:
    """Return the things named, without departments that only follow from one of them."""
    care = {(m.start, m.end) for m in ctx.understanding.matches if m.thing.kind in CARE}
    return tuple(
        match
        for match in ctx.understanding.matches
        if match.thing.kind in NAMED
        and (match.thing.kind in CARE or (match.start, match.end) not in care)
    )


def things(ctx: Context, snapshot: Snapshot, languages: Sequence[str]) -> Iterator[Term]:
    """Yield the things of the taxonomy that a question names, each by all of its names."""
    for match in named(ctx):
        parts = names_of(match.thing, match.text, snapshot, languages)
        for names in parts:
            term = names.as_term(1.0 / len(parts))
            yield replace(term, is_subject=True, is_thing=True, parts=len(parts))


def said(
    spoken: Sequence[Token],
    taken: Sequence[Place],
    ctx: Context,
    snapshot: Snapshot,
    languages: Sequence[str],
) -> Iterator[Term]:
    """Yield the other words of a question, each with what its concept is called on the pages."""
    lexicon = snapshot.derived(lexicon_of)
    asker = ctx.understanding.detected or ctx.understanding.language
    here = asker == snapshot.profile.default_language
    plain = [word.folded for word in spoken]
    uses = {use.start: use for use in lexicon.read(plain, asker)}
    stop = stop_words_of(snapshot) | lexicon.stop_words(asker)
    covered = 0
    for place, word in enumerate(spoken):
        if place < covered or any(t.start <= word.start < t.end for t in taken):
            continue
        use = uses.get(place)
        if use is not None:
            covered = use.end
            yield from concept(use, spoken, snapshot, languages, stop)
        elif (
            word.folded not in stop
            and len(word.folded) >= SHORTEST
            and not says_nothing_in(word.folded, snapshot.profile.default_language, asked_in=asker)
        ):
            yield unknown(word.folded, asker, worth=UNKNOWN_HERE if here else UNKNOWN_ELSEWHERE)


def unknown(word: str, language: str, *, worth: float) -> Term:
    """Return the term of a word that names nothing we know: an everyday one is no subject."""
    if word in everyday(language) or word.isdecimal():
        return Term(frozenset({word}), LITTLE)
    if word in common(language):
        return Term(frozenset({word}), min(worth, USUAL), is_unknown=True)
    return Term(frozenset({word}), worth, is_subject=True, is_unknown=True)


def concept(
    use: Use,
    spoken: Sequence[Token],
    snapshot: Snapshot,
    languages: Sequence[str],
    stop: frozenset[str],
) -> Iterator[Term]:
    """Yield the term of a concept, unless it only joins other words."""
    meant = use.concepts[0]
    if meant.kind == FUNCTION:
        return
    named = names_in(meant, snapshot, languages)
    said = frozenset(word.folded for word in spoken[use.start : use.end]) - stop
    as_said = frozenset() if named.words else said
    worth = worth_of(meant)
    term = named._replace(words=named.words | as_said).as_term(worth)
    yield replace(term, is_subject=worth == 1.0)


def worth_of(concept: Concept) -> float:
    """Return how much a concept says about what a question is about."""
    asks = concept.name in EVERYWHERE or (concept.name in ASKING and concept.name not in SUBJECTS)
    return LITTLE if asks else WORTH.get(concept.kind, 1.0)


def unsaid(ctx: Context, tools: Tools, told: str) -> Iterator[str]:
    """Yield what a question is about and a text does not speak of, in the question's words."""
    stem, asked = tools.stem, words(ctx.question)
    said = {stem(word) for word in words(told)}
    for term in terms_of(ctx, tools, (ctx.understanding.language,)):
        names = {stem(word) for name in term.names for word in words(name)}
        if term.is_subject and names.isdisjoint(said):
            yield from (word for word in asked if stem(word) in names)
