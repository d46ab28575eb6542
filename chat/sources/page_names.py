"""By which words the pages may call what a question speaks of; and which campuses, departments and
doctors a text names."""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from chat.checking.knowledge import knowledge_of
from chat.question.content_words import stop_words_of
from chat.question.word_matching import Term
from chat.sources.quotation.scores import anywhere
from taxonomy.kinds import Kind
from taxonomy.lexicon import Concept, lexicon_of
from taxonomy.lookup.question import CARE
from taxonomy.snapshot import Snapshot
from taxonomy.vocabulary import Thing
from zol.text import fold, spaced, words

#: What concepts say that every page speaks of, and those that only ask for a sort of answer.
EVERYWHERE = frozenset(
    {
        "hospital",
        "department",
        "information",
        "brochure",
        "patient",
        "contact",
        "doctor",
        "website",
        "building",
        "wing",
        "campus",
        "question",
    }
)
#: Words of a longer name that are looked for.
MOST_PARTS = 3
#: Letters up to which a name of one word is an abbreviation, which pages may not use.
ABBREVIATED = 4


class PageNames(NamedTuple):
    """What the pages may call something."""

    words: frozenset[str]
    #: Names of several words, and those of `words` that only stand for such a one.
    phrases: frozenset[frozenset[str]] = frozenset()
    loose: frozenset[str] = frozenset()

    def as_term(self, worth: float) -> Term:
        return Term(self.words, worth, phrases=self.phrases, loose=self.loose)


def names_of(
    thing: Thing, text: str, snapshot: Snapshot, languages: Sequence[str]
) -> tuple[PageNames, ...]:
    """Return the words by which the pages may call a thing; of each set they should have one.

    A name of one word says it all. In a language that has only longer ones, as French often does,
    the words of the first say it together.
    """
    spoken = {code: [a.text for a in thing.aliases if a.language == code] for code in languages}
    own = snapshot.profile.default_language
    spoken[own] = [thing.name, thing.get("latin"), *spoken.get(own, ())]
    whole, longer = called(spoken, snapshot)
    # Of a longer name, as it was said: the word by which the pages' tables and headings have it.
    stop = stop_words_of(snapshot)
    whole |= {telling(text, stop) if len(words(text)) > 1 else fold(text)} - {""} - stop
    many = max(map(len, longer), default=1)
    parts = (whole.union(name[at % len(name)] for name in longer) for at in range(many))
    phrases = together(spoken, snapshot) if many == 1 and thing.kind in CARE else frozenset()
    return tuple(PageNames(part, phrases) for part in parts if part)


def called(
    spoken: Mapping[str, Iterable[str]], snapshot: Snapshot
) -> tuple[frozenset[str], tuple[Sequence[str], ...]]:
    """Return the names of one word in some languages; and of those that have none that is more than
    an abbreviation, what says most in the first longer one, the longest word first."""
    lexicon, own = snapshot.derived(lexicon_of), words(snapshot.profile.short_name)
    little = snapshot.derived(says_little)
    whole: set[str] = set()
    longer: list[Sequence[str]] = []
    for code, texts in spoken.items():
        stop = lexicon.stop_words(code).union(own)
        names = [said for said in map(words, texts) if said]
        single = {said[0] for said in names if len(said) == 1} - stop
        whole |= single
        if all(len(word) <= ABBREVIATED for word in single):
            longer += [found for said in names if (found := specific(said, stop | little))][:1]
    return frozenset(whole), tuple(longer)


def specific(said: Sequence[str], without: Container[str]) -> Sequence[str]:
    """Return the words of a longer name that say what it is, the longest first."""
    told = [word for word in said if word not in without] if len(said) > 1 else []
    return sorted(told, key=len, reverse=True)[:MOST_PARTS]


def says_little(snapshot: Snapshot) -> frozenset[str]:
    """Return the words, in any language, of what every page of a hospital speaks of."""
    known = snapshot.derived(lexicon_of).concepts
    spoken = (known[name].words.values() for name in EVERYWHERE if name in known)
    return frozenset(word for said in spoken for texts in said for t in texts for word in words(t))


def telling(name: str, stop: frozenset[str]) -> str:
    """Return the word of a name that says most: the longest, of equals the last."""
    parts = [word for word in words(name) if word not in stop]
    return max(enumerate(parts), key=lambda pair: (len(pair[1]), pair[0]))[1] if parts else ""


def names_in(concept: Concept, snapshot: Snapshot, languages: Sequence[str]) -> PageNames:
    """Return the words by which pages call a concept; of an expression, the one that says most.

    The others may be anybody's: "maag" of "met een lege maag".
    """
    spoken = {code: concept.words.get(code, ()) for code in languages}
    whole, longer = called(spoken, snapshot)
    most = frozenset(name[0] for name in longer)
    return PageNames(whole | most, together(spoken, snapshot), most - whole)


def together(spoken: Mapping[str, Iterable[str]], snapshot: Snapshot) -> frozenset[frozenset[str]]:
    """Return the names of several words, each as those that say something, whatever their order."""
    lexicon = snapshot.derived(lexicon_of)
    stop = {code: lexicon.stop_words(code) for code in spoken}
    said = (frozenset(words(t)) - stop[code] for code, texts in spoken.items() for t in texts)
    return frozenset(each for each in said if len(each) > 1)


def campuses_in(snapshot: Snapshot) -> Callable[[str], frozenset[str]]:
    """Return what tells the keys of the campuses that a text names; use it through
    `snapshot.derived(campuses_in)`."""
    names = [
        (spaced(text), campus.key)
        for campus in snapshot.vocabulary.of_kind(Kind.CAMPUS)
        for text in (campus.name, *(alias.text for alias in campus.aliases))
    ]

    @lru_cache(maxsize=8_192)
    def named(text: str) -> frozenset[str]:
        said = spaced(text)
        return frozenset(key for name, key in names if name in said)

    return named


def names_one(snapshot: Snapshot) -> Callable[[str], bool]:
    """Return what tells whether a text names a campus, department or doctor."""
    people, campuses = snapshot.derived(knowledge_of).names, snapshot.derived(campuses_in)
    return lambda text: bool(campuses(text)) or any(people.find(words(text)))


def is_at(campuses: Collection[Thing], snapshot: Snapshot) -> Callable[[str], bool | None]:
    """Return what tells whether a text is about one of these campuses; None: it names none."""
    wanted = frozenset(campus.key for campus in campuses)
    named = snapshot.derived(campuses_in)

    def tell(text: str) -> bool | None:
        found = named(text)
        return not wanted.isdisjoint(found) if found else None

    return tell if wanted else anywhere
