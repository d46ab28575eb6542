"""What a question speaks of, as words that the hospital's pages may use."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from chat.checks.statements.knowledge import knowledge_of
from chat.engines.embedded.kinds import ASKING
from chat.engines.embedded.matching import Term
from chat.lookup.asked import CARE
from chat.tools import Tools
from chat.turn import Context
from chat.wording import stop_words_of, without_marks
from taxonomy.dictionary import everyday, says_nothing_in
from taxonomy.kinds import Kind
from taxonomy.lexicon import FUNCTION, Concept, Lexicon, Use, lexicon_of
from taxonomy.resolvers.base import Match
from taxonomy.snapshot import Snapshot
from taxonomy.tokens import Token, normalise, tokens
from taxonomy.vocabulary import Thing
from zol.text import fold, words

#: Kinds whose names a quotation should contain.
NAMED = (Kind.CONDITION, Kind.TREATMENT, Kind.EXAMINATION, Kind.DEPARTMENT)
#: What a concept says about the question's subject, by its kind: who asks says little.
WORTH = {"person": 0.45, "time": 0.6}
#: What concepts say that every page speaks of, and those that only ask for a sort of answer.
EVERYWHERE = frozenset(
    {
        "hospital",
        "department",
        "information",
        "patient",
        "contact",
        "doctor",
        "website",
        "building",
        "campus",
        "question",
    }
)
LITTLE = 0.3
#: Concepts that are a subject of their own, though they also ask for a sort of answer.
SUBJECTS = frozenset({"visiting_hours", "opening_hours", "parking_fee", "deposit", "waiting_time"})
#: What a word counts that we do not know, in the pages' language and in another.
UNKNOWN_HERE, UNKNOWN_ELSEWHERE = 0.9, 0.5
#: What a word of an earlier question counts in a follow-up.
EARLIER = 0.5
SHORTEST = 3


class Place(NamedTuple):
    start: int
    end: int


def terms_of(ctx: Context, tools: Tools, languages: Sequence[str]) -> tuple[Term, ...]:
    """Return what a question speaks of; of the names of one thing, any will do."""
    snapshot, meant = tools.snapshot, ctx.understanding
    text = normalise(without_marks(ctx.question))
    spoken = tokens(text)
    taken = [Place(match.start, match.end) for match in ctx.understanding.matches if match.end]
    found = [*things(ctx, snapshot, languages), *said(spoken, taken, ctx, snapshot, languages)]
    if meant.is_followup:
        known = frozenset().union(*(term.names for term in found))
        here = {match.thing for match in meant.matches}
        names = snapshot.derived(knowledge_of)
        before = (
            earlier(text, snapshot, languages)
            for text in meant.terms
            # A place that was asked about before is not, where another one is named now.
            if here.issuperset(names.named(words(text)).values())
        )
        found += [term for term in before if term and known.isdisjoint(term.names)]
    return tuple(dict.fromkeys(found))


def earlier(text: str, snapshot: Snapshot, languages: Sequence[str]) -> Term | None:
    """Return what a follow-up still speaks of, by all its names; words that join say nothing."""
    spoken = words(text)
    uses = snapshot.derived(lexicon_of).read(spoken, snapshot.profile.default_language)
    for use in uses:
        meant = use.concepts[0]
        called = [words(word) for code in languages for word in meant.words.get(code, ())]
        if names := frozenset(said[0] for said in called if len(said) == 1):
            worth = worth_of(meant)
            return Term(names, EARLIER * worth, is_subject=worth == 1.0)
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
        if names := names_of(match.thing, match.text, snapshot, languages):
            yield Term(names, is_subject=True, is_thing=True)


def names_of(
    thing: Thing, text: str, snapshot: Snapshot, languages: Sequence[str]
) -> frozenset[str]:
    """Return the words by which the pages may call a thing; of a longer name, the longest."""
    aliases = [alias.text for alias in thing.aliases if alias.language in languages]
    stop = stop_words_of(snapshot)
    spoken = [words(name) for name in (text, thing.name, thing.get("latin"), *aliases)]
    whole = frozenset(name[0] for name in spoken if len(name) == 1) - stop
    # Of a longer name, as it was said: the word by which the pages' tables and headings have it.
    longer = {telling(text, stop)} if len(words(text)) > 1 else set()
    return (whole | longer) - {""} or frozenset(filter(None, [telling(thing.name, stop)]))


def telling(name: str, stop: frozenset[str]) -> str:
    """Return the word of a name that says most: the longest, of equals the last."""
    parts = [word for word in words(name) if word not in stop]
    return max(enumerate(parts), key=lambda pair: (len(pair[1]), pair[0]))[1] if parts else ""


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
    uses = {use.start: use for use in lexicon.read([word.folded for word in spoken], asker)}
    stop = stop_words_of(snapshot) | lexicon.stop_words(asker)
    covered = 0
    for place, word in enumerate(spoken):
        if place < covered or any(t.start <= word.start < t.end for t in taken):
            continue
        use = uses.get(place)
        if use is not None:
            covered = use.end
            yield from concept(use, spoken, lexicon, languages, stop)
        elif (
            word.folded not in stop
            and len(word.folded) >= SHORTEST
            and not says_nothing_in(word.folded, snapshot.profile.default_language, asked_in=asker)
        ):
            yield unknown(word.folded, asker, worth=UNKNOWN_HERE if here else UNKNOWN_ELSEWHERE)


def unknown(word: str, language: str, *, worth: float) -> Term:
    """Return the term of a word that names nothing we know: an everyday one is no subject."""
    if word in everyday(language):
        return Term(frozenset({word}), LITTLE)
    return Term(frozenset({word}), worth, is_subject=True, is_unknown=True)


def concept(
    use: Use,
    spoken: Sequence[Token],
    lexicon: Lexicon,
    languages: Sequence[str],
    stop: frozenset[str],
) -> Iterator[Term]:
    """Yield the term of a concept, unless it only joins other words."""
    meant = use.concepts[0]
    if meant.kind == FUNCTION:
        return
    called = [words(word) for code in languages for word in meant.words.get(code, ())]
    # One word of an expression may be anybody's: "maag" of "met een lege maag".
    whole = frozenset(word for (word,) in (said for said in called if len(said) == 1)) - stop
    names = whole or frozenset(filter(None, (telling(" ".join(said), stop) for said in called)))
    as_said = {word.folded for word in spoken[use.start : use.end]} - stop if not names else set()
    worth = worth_of(meant)
    yield Term(names | as_said, worth, is_subject=worth == 1.0)


def worth_of(concept: Concept) -> float:
    """Return how much a concept says about what a question is about."""
    asks = concept.name in EVERYWHERE or (concept.name in ASKING and concept.name not in SUBJECTS)
    return LITTLE if asks else WORTH.get(concept.kind, 1.0)
