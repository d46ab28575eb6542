"""What an answer depends on, whatever words were used to ask.

A rewritten question leaves things out (before or after, the campus, how long), and a cosine hears
the build of a sentence above its subject. Two questions share an answer only when they agree here.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from chat.question.content_words import without_marks
from chat.turn import Context
from taxonomy.lexicon import FUNCTION, Concept, Lexicon, lexicon_of
from taxonomy.snapshot import Snapshot
from zol.text import words

#: Letters from which a word may be one of several that two questions share; a shorter one is a
#: name ("MRI", "B3") that both must have.
LONG = 4
#: Words that two adjoining ones may stand for, by what joins them: "borst onderzoek".
LINKS = ("", "s", "en", "n")
#: Concepts of the lexicon that every question to a hospital may hold: they tell nothing apart.
GENERIC = frozenset(
    {"doctor", "specialist", "department", "hospital", "patient", "work_verb", "staff", "campus"}
)
#: Function words whose absence or presence changes no answer; all others do: when, where, not,
#: before, after, without …
INDIFFERENT = frozenset(
    {
        "who", "what", "which", "how", "article_definite", "article_indefinite", "i", "me", "you",
        "he", "she", "it", "we", "they", "my", "your", "his_her", "our", "their", "this", "that",
        "that_conj", "here", "there", "there_is", "be", "have", "do", "can", "may", "must", "want",
        "will", "get", "go", "come", "know", "say", "ask", "find", "search", "give", "see", "make",
        "use", "happen", "call_named", "in", "on", "at", "of", "to", "by", "about", "and", "but",
        "so", "also", "very", "maybe", "well", "actually", "please", "thanks", "hello", "goodbye",
        "sorry", "sir_madam", "ok", "lets", "help_verb", "possible",
    }
)  # fmt: skip
#: "Hoeveel kost het" asks what "wat kost het" asks.
MONEY = "money"
HOW_MUCH = "how_much"


@dataclass(frozen=True, slots=True)
class Gist:
    """What an answer depends on, whatever words were used to ask."""

    intent: str
    topic: str = ""
    #: What the words resolve to, as `kind:key`.
    things: frozenset[str] = frozenset()
    wants_list: bool = False
    parts: int = 0
    #: Function words that change the answer, short words and figures.
    telling: frozenset[str] = frozenset()
    #: Words with content, in order; "artsen/doctor" where it is known what a word stands for.
    content: tuple[str, ...] = ()

    @property
    def sense(self) -> str:
        """Return a digest of all that must be equal."""
        return digest(
            self.intent,
            self.topic,
            *sorted(self.things),
            str(self.wants_list),
            str(self.parts),
            *sorted(self.telling),
        )

    @property
    def forms(self) -> tuple[str, ...]:
        """Return what the content words stand for, sorted: the same whatever their order."""
        return tuple(sorted({form_of(each) for each in self.content}))

    def agrees(self, others: Sequence[str], *, least: float) -> bool:
        """Whether the content words are near enough to those of a question of the same sense."""
        return overlap(self.content, others) >= least


def gist_of(ctx: Context, snapshot: Snapshot) -> Gist:
    """Return what the answer to a question depends on."""
    meant, lexicon = ctx.understanding, snapshot.derived(lexicon_of)
    spoken = words(without_marks(ctx.question))
    for match in meant.matches:
        spoken = without(spoken, words(match.text))
    own = frozenset(words(f"{snapshot.profile.short_name} {snapshot.profile.name}"))
    language = meant.detected or meant.language
    telling, content = sorted_out(spoken, language, lexicon, own)
    return Gist(
        intent=str(meant.intent),
        topic=meant.topic,
        things=frozenset(f"{match.thing.kind}:{match.thing.key}" for match in meant.matches),
        wants_list=meant.wants_list,
        parts=len(meant.parts),
        telling=telling,
        content=content,
    )


def without(spoken: Sequence[str], run: Sequence[str]) -> tuple[str, ...]:
    """Return words without a run of them: what it stands for is compared as a thing."""
    for start in range(len(spoken) - len(run) + 1) if run else ():
        if tuple(spoken[start : start + len(run)]) == tuple(run):
            return (*spoken[:start], *spoken[start + len(run) :])
    return tuple(spoken)


def sorted_out(
    spoken: Sequence[str], language: str, lexicon: Lexicon, own: Collection[str] = ()
) -> tuple[frozenset[str], tuple[str, ...]]:
    """Return the words that must be equal, and those of which enough must be.

    A word becomes the concept that it stands for, so that inflections and persons for subjects
    ("cardiologen", "cardiologie") are one; `own` are words of the hospital's name.
    """
    uses = {use.start: use for use in lexicon.read(spoken, language)}
    read = [concept for use in uses.values() for concept in use.concepts]
    telling: set[str] = set()
    content: dict[str, None] = {}
    place = 0
    while place < len(spoken):
        use = uses.get(place)
        if use:
            _put_concepts(" ".join(spoken[place : use.end]), use.concepts, telling, content)
        elif spoken[place] not in own:
            _put(spoken[place], telling, content)
        place = use.end if use else place + 1
    if any(concept.kind == MONEY for concept in read):
        telling.discard(HOW_MUCH)
    return frozenset(telling), tuple(content)


def _put_concepts(
    said: str, concepts: Sequence[Concept], telling: set[str], content: dict[str, None]
) -> None:
    names = frozenset(concept.name for concept in concepts)
    if names & GENERIC:
        return
    name = "|".join(sorted(names))
    if not any(concept.kind == FUNCTION for concept in concepts):
        content.setdefault(f"{said}/{name}")
    elif not names & INDIFFERENT:
        telling.add(name)


def _put(word: str, telling: set[str], content: dict[str, None]) -> None:
    if len(word) < LONG or any(letter.isdigit() for letter in word):
        telling.add(word)
    else:
        content.setdefault(word)


def form_of(said: str) -> str:
    """Return what a content word stands for; one that nobody knows stands for itself."""
    word, _, concept = said.partition("/")
    return concept or word


def overlap(one: Sequence[str], other: Sequence[str]) -> float:
    """Return the Jaccard coefficient of two questions' content words; compounds may be apart.

    It is 0 when one has a word that we do not know and the other has not: it may be a name.
    """
    first, second = joined(one, other), joined(other, one)
    either, both = first | second, first & second
    known = {form_of(each) for each in (*one, *other) if "/" in each}
    if not either - both <= known:
        return 0.0
    return len(both) / len(either) if either else 1.0


def joined(said: Sequence[str], other: Sequence[str]) -> frozenset[str]:
    """Return what words stand for, adjoining ones as one where the other question does so."""
    whole = {each.partition("/")[0]: form_of(each) for each in other}
    found: list[str] = []
    before = ""
    for each in said:
        word = each.partition("/")[0]
        compound = next((c for c in _compounds(before, word) if c in whole), "")
        if compound:
            found[-1] = whole[compound]
        else:
            found.append(form_of(each))
        before = compound or word
    return frozenset(found)


def _compounds(first: str, second: str) -> tuple[str, ...]:
    return tuple(f"{first}{link}{second}" for link in LINKS) if first else ()


def digest(*parts: str) -> str:
    """Return a fingerprint of texts that no other texts have."""
    return hashlib.sha256("\x1f".join(parts).encode()).hexdigest()
