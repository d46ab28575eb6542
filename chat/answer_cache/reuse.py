"""Decide whether a cached answer may be reused, and reuse it.

Two questions share an answer if they have the same intent, entities, figures, names, negation and
order in time, and enough common content words (Jaccard). Cosine similarity alone is not enough: it
reflects sentence structure more than subject, and a rewritten question drops words such as
"before". `chat.answer_cache.store` looks answers up and stores them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from chat.behaviours import Behaviour
from chat.question.content_words import without_marks
from chat.turn import EMBEDDED, Answer, Context, StageResult, Ticket, Token, Understanding
from taxonomy.language.lexicon import FUNCTION, Concept, Lexicon, lexicon_of
from taxonomy.resolvers import resolve, resolver_index
from taxonomy.resolvers.entries import Match
from taxonomy.snapshot import Snapshot
from zol.text import words

#: Concepts that any question to a hospital may contain.
GENERIC = frozenset(
    {"doctor", "specialist", "department", "hospital", "patient", "staff", "campus"}
)
#: Function words that change the answer: negation, order in time, kind of question.
DECISIVE = frozenset(
    {
        "not", "no", "without", "except", "before", "after", "start_verb", "stop_verb",
        "where", "when", "what_time", "how", "how_long", "how_often", "how_much", "why",
    }
)  # fmt: skip
#: Further ones that must be equal where a model can answer variants.
DECISIVE_FOR_MODELS = DECISIVE | {
    "who", "which", "from", "to", "during", "between", "under", "above", "against", "may",
    "must", "all", "every", "other", "same", "more", "less", "most", "only", "again", "together",
    "self", "own", "if", "early_late", "daily_often", "since_when", "ordinal_first",
    "ordinal_second", "ordinal_third", "ordinal_last",
}  # fmt: skip
#: "Hoeveel kost het" equals "wat kost het".
MONEY, HOW_MUCH = "money", "how_much"
#: Concept kinds that must be equal, as figures must: days, money, people, body parts.
EQUAL = frozenset({"time", MONEY, "person", "body"})
#: Minimum letters of half a compound, and linking letters: "borst onderzoek", "borstonderzoek".
HALF, LINKS = 4, ("", "s", "en", "n")


@dataclass(frozen=True, slots=True)
class Gist:
    """The properties of a question that its answer depends on, whatever its wording."""

    intent: str
    #: Entities of the question, as `kind:key`.
    things: frozenset[str] = frozenset()
    #: Number of questions in one message; 0 for a single one.
    parts: int = 0
    #: Words that must be equal: decisive function words, figures, times, and unknown words, which
    #: may be names.
    decisive: frozenset[str] = frozenset()
    #: Concepts of the other words.
    content: frozenset[str] = frozenset()

    @property
    def sense(self) -> str:
        """Return a digest of all properties that must be equal."""
        return digest(self.intent, *sorted(self.things), str(self.parts), *sorted(self.decisive))


def gist_of(ctx: Context, snapshot: Snapshot) -> Gist:
    """Return the gist of a question.

    If a model classified the question, all concepts and days must be equal, so that similar
    questions are answered afresh.
    """
    meant = ctx.understanding
    by_model = meant.by_model
    gist = replace(
        _gist(
            without_marks(ctx.question),
            meant.written_in,
            meant.matches,
            snapshot,
            DECISIVE_FOR_MODELS if by_model else DECISIVE,
        ),
        intent=str(meant.intent),
        parts=len(meant.parts),
    )
    if not by_model:
        return gist
    days = (f"{each.from_}/{each.to}" for each in meant.moments)
    return replace(gist, decisive=gist.decisive.union(gist.content, days))


def has_wording(ctx: Context, wordings: Iterable[tuple[str, str]], snapshot: Snapshot) -> bool:
    """Return whether one of these wordings has the concepts, figures and days of a question.

    Each wording is a language code and a text.
    """
    meant, index = ctx.understanding, snapshot.derived(resolver_index)
    text = without_marks(ctx.question)
    asked = _gist(text, meant.written_in, meant.matches, snapshot, DECISIVE_FOR_MODELS)
    return any(
        _gist(text, code, resolve(text, index, code), snapshot, DECISIVE_FOR_MODELS) == asked
        for code, text in wordings
    )


def _gist(
    text: str,
    language: str,
    matches: Iterable[Match],
    snapshot: Snapshot,
    decisive_words: Collection[str],
) -> Gist:
    """Return the gist of a text, without its intent."""
    rest, things = words(text), set()
    for match in matches:
        rest = _without(rest, words(match.text))
        things.add(f"{match.thing.kind}:{match.thing.key}")
    own = frozenset(words(f"{snapshot.profile.short_name} {snapshot.profile.name}"))
    lexicon = snapshot.derived(lexicon_of)
    decisive, content = split_words(rest, language, lexicon, own, decisive_words)
    return Gist("", frozenset(things), decisive=decisive, content=content)


def _without(all_words: Sequence[str], run: Sequence[str]) -> tuple[str, ...]:
    """Return words without the first occurrence of a run."""
    for start in range(len(all_words) - len(run) + 1) if run else ():
        if tuple(all_words[start : start + len(run)]) == tuple(run):
            return (*all_words[:start], *all_words[start + len(run) :])
    return tuple(all_words)


def split_words(
    question: Sequence[str],
    language: str,
    lexicon: Lexicon,
    own: Collection[str] = (),
    decisive_words: Collection[str] = DECISIVE,
) -> tuple[frozenset[str], frozenset[str]]:
    """Return the words that must be equal, and the concepts that must overlap.

    `own` are words of the hospital's name, which are left out.
    """
    uses = lexicon.read(question, language)
    known = {at for use in uses for at in range(use.start, use.end)}
    concepts = [use.concepts for use in uses]
    decisive: set[str] = set()
    for word in (each for at, each in enumerate(question) if at not in known and each not in own):
        halves = next(_halves(word, language, lexicon), ())
        concepts += halves
        if not halves:
            decisive.add(word)
    content: set[str] = set()
    for meanings in concepts:
        names = frozenset(each.name for each in meanings)
        if any(each.kind == FUNCTION for each in meanings):
            decisive |= names.intersection(decisive_words)
        elif not names & GENERIC:
            is_decisive = all(each.kind in EQUAL for each in meanings)
            (decisive if is_decisive else content).add("|".join(sorted(names)))
    if any(each.kind == MONEY for meanings in concepts for each in meanings):
        decisive.discard(HOW_MUCH)
    return frozenset(decisive), frozenset(content)


def _halves(
    word: str, language: str, lexicon: Lexicon
) -> Iterator[tuple[tuple[Concept, ...], ...]]:
    """Yield the concepts of the two halves of a compound."""
    for cut in range(HALF, len(word) - HALF + 1):
        for link in (each for each in LINKS if word[:cut].endswith(each)):
            first = lexicon.written(word[: cut - len(link)], language)
            second = lexicon.written(word[cut:], language)
            if first and second:
                yield first, second


def overlap(one: frozenset[str], other: frozenset[str]) -> float:
    """Return the Jaccard coefficient of two sets of concepts; 1 when both are empty."""
    return len(one & other) / len(one | other) if one | other else 1.0


def digest(*parts: str) -> str:
    """Return a collision-free fingerprint of texts."""
    return hashlib.sha256("\x1f".join(parts).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class CachedReply:
    """An answer from the cache, and the look-up that found it."""

    reply: Answer
    #: The understanding of the question that it was written for.
    understanding: Understanding
    #: "exact", "rewritten" or "similar".
    tier: str
    similarity: float = 1.0


class Cache(Protocol):
    """Cache of one hospital's answers. A look-up returns the place to store the answer if it finds
    none."""

    def exact(self, ctx: Context) -> CachedReply | Ticket:
        """Find the answer to the identical question."""
        ...

    def similar(self, ctx: Context, gist: Gist) -> CachedReply | Ticket:
        """Find the answer to a question with the same meaning."""
        ...


def may_read(ctx: Context) -> bool:
    """Return whether a question may be answered from the cache: nothing personal, no emergency."""
    return not ctx.alarm and without_marks(ctx.question) == ctx.question


def may_store(ctx: Context) -> bool:
    """Return whether an answer may be cached for other visitors (spec D10).

    In a conversation only if the question is self-contained and code has both understood and
    answered it: a model has read the history.
    """
    return (
        ctx.reply.ticket is not None
        and bool(ctx.reply.ticket.reworded)
        and ctx.behaviour is Behaviour.ANSWER
        and bool(ctx.answer.strip())
        and may_read(ctx)
        and not (ctx.reply.cached or ctx.degraded or ctx.safety.redacted)
        and ctx.reply.lasts
        and not ctx.understanding.is_followup
        and not any(
            each.published.fact and each.published.fact.is_of_the_moment
            for each in (ctx, *ctx.parts)
        )
        and not (ctx.turn.history and (ctx.understanding.by_model or ctx.reply.engine != EMBEDDED))
    )


def reuse(ctx: Context, found: CachedReply | Ticket, emit: Callable[[Token], None]) -> StageResult:
    """Show a cached answer and end the turn; without one, note where to store the turn's own."""
    if isinstance(found, Ticket):
        return StageResult(ctx.learn(ticket=found), {"found": False})
    emit(Token(found.reply.text))
    meant = ctx.understanding if ctx.understanding.query else found.understanding
    detail = {"found": True, "tier": found.tier, "similarity": round(found.similarity, 4)}
    return StageResult(replace(ctx, reply=found.reply, understanding=meant), detail, stop=True)
