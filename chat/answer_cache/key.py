"""Decide whether two questions may share an answer.

They must have the same intent, entities, figures, names, negation and order in time, and enough
common content words (Jaccard). Cosine alone is not enough: it reflects sentence structure more than
subject, and a rewritten question drops words such as "before".
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
TELLING = frozenset(
    {
        "not", "no", "without", "except", "before", "after", "start_verb", "stop_verb",
        "where", "when", "what_time", "how", "how_long", "how_often", "how_much", "why",
    }
)  # fmt: skip
#: Further ones that must be equal where a model can answer variants.
MORE_TELLING = TELLING | {
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
    """What the answer to a question depends on, however the question is worded."""

    intent: str
    #: Entities of the question, as `kind:key`.
    things: frozenset[str] = frozenset()
    #: Number of questions in one: 0 for a single one.
    parts: int = 0
    #: Distinguishing function words, figures, times, and unknown words, which may be names.
    telling: frozenset[str] = frozenset()
    #: Concepts of the other words.
    content: frozenset[str] = frozenset()

    @property
    def sense(self) -> str:
        """Return a digest of everything that must be equal."""
        return digest(self.intent, *sorted(self.things), str(self.parts), *sorted(self.telling))

    def agrees(self, others: Collection[str], *, least: float) -> bool:
        """Return whether the content overlaps enough with that of a question of the same sense."""
        return overlap(self.content, frozenset(others)) >= least


def gist_of(ctx: Context, snapshot: Snapshot) -> Gist:
    """Return the gist of a question.

    If a model classified it, all concepts and days must be equal: similar questions are answered
    anew.
    """
    meant = ctx.understanding
    said = without_marks(ctx.question), meant.written_in
    gist = _gist(*said, meant.matches, snapshot, MORE_TELLING if meant.by_model else TELLING)
    gist = replace(gist, intent=str(meant.intent), parts=len(meant.parts))
    if not meant.by_model:
        return gist
    days = (f"{each.from_}/{each.to}" for each in meant.moments)
    return replace(gist, telling=gist.telling.union(gist.content, days))


def says_the_same(ctx: Context, wordings: Iterable[tuple[str, str]], snapshot: Snapshot) -> bool:
    """Return whether one of these wordings has the concepts, figures and days of a question."""
    meant, index = ctx.understanding, snapshot.derived(resolver_index)
    said = without_marks(ctx.question), meant.written_in
    asked = _gist(*said, meant.matches, snapshot, MORE_TELLING)
    return any(
        _gist(text, code, resolve(text, index, code), snapshot, MORE_TELLING) == asked
        for code, text in wordings
    )


def _gist(
    text: str, language: str, matches: Iterable[Match], snapshot: Snapshot, telling: Collection[str]
) -> Gist:
    """Return the gist of a text."""
    spoken, things = words(text), set()
    for match in matches:
        spoken = without(spoken, words(match.text))
        things.add(f"{match.thing.kind}:{match.thing.key}")
    own = frozenset(words(f"{snapshot.profile.short_name} {snapshot.profile.name}"))
    lexicon = snapshot.derived(lexicon_of)
    told, content = sorted_out(spoken, language, lexicon, own, telling)
    return Gist("", frozenset(things), telling=told, content=content)


def without(spoken: Sequence[str], run: Sequence[str]) -> tuple[str, ...]:
    """Return words without the first run that names an entity."""
    for start in range(len(spoken) - len(run) + 1) if run else ():
        if tuple(spoken[start : start + len(run)]) == tuple(run):
            return (*spoken[:start], *spoken[start + len(run) :])
    return tuple(spoken)


def sorted_out(
    spoken: Sequence[str],
    language: str,
    lexicon: Lexicon,
    own: Collection[str] = (),
    telling_words: Collection[str] = TELLING,
) -> tuple[frozenset[str], frozenset[str]]:
    """Return the words that must be equal, and the concepts of which enough must be.

    `own` are words of the hospital's name, which are left out.
    """
    uses = lexicon.read(spoken, language)
    read = {at for use in uses for at in range(use.start, use.end)}
    concepts = [use.concepts for use in uses]
    telling: set[str] = set()
    for word in (each for at, each in enumerate(spoken) if at not in read and each not in own):
        halves = next(_halves(word, language, lexicon), ())
        concepts += halves
        if not halves:
            telling.add(word)
    content: set[str] = set()
    for meanings in concepts:
        names = frozenset(each.name for each in meanings)
        if any(each.kind == FUNCTION for each in meanings):
            telling |= names.intersection(telling_words)
        elif not names & GENERIC:
            is_telling = all(each.kind in EQUAL for each in meanings)
            (telling if is_telling else content).add("|".join(sorted(names)))
    if any(each.kind == MONEY for meanings in concepts for each in meanings):
        telling.discard(HOW_MUCH)
    return frozenset(telling), frozenset(content)


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
