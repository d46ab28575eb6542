"""Decide whether two questions may share an answer.

They must have the same intent, entities, figures, names, negation and order in time, and enough
common content words (Jaccard). Cosine similarity alone is not enough: it reflects sentence
structure more than subject, and a rewritten question drops words such as "before".
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from chat.question.content_words import without_marks
from chat.turn import Context
from taxonomy.language.lexicon import FUNCTION, Concept, Lexicon, lexicon_of
from taxonomy.publishing.snapshot import Snapshot
from taxonomy.resolvers import resolve, resolver_index
from taxonomy.resolvers.entries import Match
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
