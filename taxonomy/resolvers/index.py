"""Lookup index of all spellings of a published version, built once."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from taxonomy.language.dictionary import is_word_of
from taxonomy.language.lexicon import Lexicon, lexicon_of
from taxonomy.language.names import NameIndex
from taxonomy.language.tokens import FUZZY_FROM, folded, grouped, join, sound, stem
from taxonomy.resolvers.complaints import ROWS as COMPLAINT_ROWS
from taxonomy.resolvers.complaints import departments_of, routes_of
from taxonomy.resolvers.entries import Entries, Entry, articles_of, by_roots, of_saints
from taxonomy.snapshot import SharedValue, Snapshot
from taxonomy.vocabulary import AliasKind, Kind, Spelling, Terminology, Thing, Vocabulary
from zol.languages import LANGUAGES

#: Shorter words sound like too many others.
SOUNDS_FROM = 5
STEMMED_FROM = 5
#: Maximum words of a spelling.
LONGEST = 7
#: Cached spellings: enough for a few hospitals and their lexicons. Most recur in the next version.
SPELLINGS = 65_536
#: A word in the names of at least this many departments does not identify one.
GENERIC_IN = 3
SPECIALTY_LETTERS = 4
#: Letters of Roman ward numbers.
ROMAN = frozenset("IVX")
#: Concepts whose words occur in the names of departments in general.
ANY_DEPARTMENT = ("department", "ward")
#: Kinds of concepts whose words may name an entity of the hospital.
NAMING = frozenset(
    {"symptom", "condition", "specialty", "examination", "treatment", "practical", "person"}
)
#: Kinds of concepts that are unrelated to care, even if their words resemble a medical one.
ELSEWHERE = frozenset({"practical", "money", "rights", "time", "function", "everyday"})
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue"})


@dataclass(frozen=True, slots=True)
class DepartmentPhrase:
    """The identifying words of a department's multi-word name, in any order."""

    entry: Entry
    sounds: frozenset[str]


@dataclass(frozen=True, slots=True)
class Wording:
    """Phrases and example questions that resolvers use."""

    #: Phrases followed by the name of one entity: "meer informatie over".
    triggers: Iterable[str] = ()
    #: Phrases next to a doctor's name: "die heet".
    announcing: Iterable[str] = ()
    #: Words of example questions by language, which are never misspelt names.
    ordinary: Mapping[str, frozenset[str]] = field(default_factory=dict)
    #: Complaints and the specialties that help with them.
    complaints: Iterable[Mapping[str, Any]] = ()


class ResolverIndex:
    """Index in which resolvers look words up. Immutable once built."""

    def __init__(
        self,
        vocabulary: Vocabulary,
        lexicon: Lexicon,
        language: str = "nl",
        wording: Wording | None = None,
        terminology: Terminology | None = None,
    ) -> None:
        wording = wording or Wording()
        self.vocabulary, self.lexicon, self.language = vocabulary, lexicon, language
        self.terminology = terminology or Terminology()
        self.ordinary, self.triggers = wording.ordinary, {join(folded(t)) for t in wording.triggers}
        self.names = NameIndex(vocabulary, lexicon, wording.announcing)
        entries = [entry for thing in vocabulary.things for entry in _entries_of(thing)]
        entries += [*of_saints(entries, lexicon)]
        own = grouped((entry.key, entry) for entry in entries)
        with_borrowed = [*entries, *_borrow(own, lexicon, language)]
        self.exact: Entries = grouped((entry.key, entry) for entry in with_borrowed)
        self.sounds: Entries = grouped(
            (entry.sound, entry) for entry in entries if len(entry.key) >= SOUNDS_FROM
        )
        self.stems = _stems(with_borrowed, language)
        #: By language, articles, which a multi-word name may lack or contain.
        self.articles = {code: articles_of(lexicon, code) for code in LANGUAGES}
        #: By language, multi-word names by the roots of their words without articles.
        self.roots = by_roots(with_borrowed, self.articles)
        self.generic = _generic_words(vocabulary, lexicon) - self.exact.keys()
        self.phrases = _phrases(entries, self.generic)
        long = sorted({entry.key for entry in entries if len(entry.key) >= FUZZY_FROM})
        #: Spellings by the first letter of their sound; and without their first letter.
        self.fuzzy = grouped((sound(key)[:1], key) for key in long)
        self.tails = grouped((key[1:], key) for key in long)
        #: The departments for complaints and parts of the body, and the one for each specialty.
        self.complaints = routes_of(wording.complaints, lexicon, self.exact, vocabulary)
        self.specialists = departments_of(lexicon, self.exact, vocabulary)
        self._wards = frozenset(
            thing.key
            for thing in vocabulary.of_kind(Kind.DEPARTMENT)
            if not has_specialty_word(thing.name, self.generic)
        )

    def is_ordinary(self, word: str, language: str) -> bool:
        """Return whether a folded word exists in a language, so that it is no misspelt name."""
        return (
            word in self.ordinary.get(language, ())
            or bool(self.lexicon.find(word, language))
            or is_word_of(word, language)
        )

    def is_bare_ward(self, thing: Thing) -> bool:
        """Return whether a ward is named by a code only, such as "N2-afdeling"."""
        return thing.key in self._wards


#: Kinds of cues: phrases followed by a name ("meer informatie over"), and phrases next to the name
#: of a doctor ("die heet", "soyadı").
TRIGGER, ANNOUNCING = "trigger", "naming"


def resolver_index(snapshot: Snapshot) -> ResolverIndex:
    """Build a version's index; call it through `snapshot.derived(resolver_index)`."""
    cues = [(row["kind"], str(row["text"])) for row in snapshot.rows_of("chat.cue")]
    return ResolverIndex(
        snapshot.vocabulary,
        snapshot.derived(lexicon_of),
        snapshot.profile.default_language,
        Wording(
            triggers=[text for kind, text in cues if kind == TRIGGER],
            announcing=[text for kind, text in cues if kind == ANNOUNCING],
            ordinary=_ordinary.of(snapshot.rows_of("chat.intentexample")),
            complaints=snapshot.rows_of(COMPLAINT_ROWS),
        ),
        snapshot.terminology,
    )


def _words_by_language(rows: Iterable[Mapping[str, Any]]) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        found[str(row["language"])].update(folded(str(row["text"])))
    return {language: frozenset(words) for language, words in found.items()}


_ordinary = SharedValue(_words_by_language)


def has_specialty_word(name: str, generic: frozenset[str]) -> bool:
    """Return whether a department's name describes what it does, unlike "N2-afdeling".

    The description is a word or an abbreviation such as "ORL", which is not a Roman number.
    """
    return any(
        word not in generic and word.isalpha() and len(word) >= SPECIALTY_LETTERS
        for word in folded(name)
    ) or any(
        len(word) > 1 and word.isalpha() and word.isupper() and not ROMAN.issuperset(word)
        and generic.isdisjoint(folded(word))
        for word in name.split()
    )  # fmt: skip


def _entries_of(thing: Thing) -> Iterator[Entry]:
    if thing.kind is Kind.DOCTOR:
        return
    name = _entry(thing, thing.name, is_name=True)
    yield name
    spellings = list(thing.aliases)
    if latin := thing.get("latin"):
        spellings.append(Spelling(latin, "", AliasKind.LATIN))
    for spelling in spellings:
        texts = {spelling.text}
        if spelling.language == "de":
            texts.add(spelling.text.translate(_UMLAUTS))
        for text in sorted(texts):
            entry = _entry(thing, text, spelling.language)
            if entry.key not in ("", name.key):
                yield entry


def _entry(
    thing: Thing, text: str, language: str = "", *, is_name: bool = False, is_borrowed: bool = False
) -> Entry:
    words, key, sounds = _spelled(text)
    return Entry(thing, words, language, is_name, is_borrowed, key, sounds)


@lru_cache(maxsize=SPELLINGS)
def _spelled(text: str) -> tuple[tuple[str, ...], str, str]:
    """Return the folded words of a text, joined, and their joined sounds."""
    words = folded(text)
    return words, join(words), join(sound(word) for word in words)


def _borrow(exact: Entries, lexicon: Lexicon, language: str) -> Iterator[Entry]:
    """Yield the synonyms of each concept as spellings of the entity that has one of its words."""

    def own(key: str) -> list[Entry]:
        return [entry for entry in exact.get(key, ()) if entry.language in ("", language)]

    for concept in lexicon.concepts.values():
        if concept.kind not in NAMING:
            continue
        known = concept.words.get(language, ())
        named = next(filter(None, (own(join(folded(word))) for word in known)), ())
        others = [(code, word) for code, words in concept.words.items() for word in words]
        for entry in named:
            for code, word in others:
                other = _entry(entry.thing, word, code, is_borrowed=True)
                if other.key and not any(
                    each.language in ("", code) for each in exact.get(other.key, ())
                ):
                    yield other


def _stems(entries: Iterable[Entry], language: str) -> dict[str, Entries]:
    pairs: dict[str, list[tuple[str, Entry]]] = {code: [] for code in LANGUAGES}
    for entry in entries:
        code = entry.language or language
        if len(entry.key) >= STEMMED_FROM and code in pairs:
            pairs[code].append((join(entry.words[:-1]) + stem(entry.words[-1], code), entry))
    return {code: grouped(found) for code, found in pairs.items()}


def _generic_words(vocabulary: Vocabulary, lexicon: Lexicon) -> frozenset[str]:
    """Return words that do not identify a department: shared by several names, or "afdeling"."""
    seen: Counter[str] = Counter()
    for thing in vocabulary.of_kind(Kind.DEPARTMENT):
        names = (thing.name, *(alias.text for alias in thing.aliases))
        seen.update({word for name in names for word in folded(name)})
    concepts = (lexicon.concepts[name] for name in ANY_DEPARTMENT if name in lexicon.concepts)
    texts = (text for each in concepts for words in each.words.values() for text in words)
    shared = (word for word, times in seen.items() if times >= GENERIC_IN)
    return frozenset((*shared, *(word for text in texts for word in folded(text))))


def _phrases(
    entries: Iterable[Entry], generic: frozenset[str]
) -> dict[str, tuple[DepartmentPhrase, ...]]:
    """Index the multi-word names of departments by their rarest word."""
    phrases: list[DepartmentPhrase] = []
    for entry in entries:
        if entry.thing.kind is not Kind.DEPARTMENT or entry.size < 2:
            continue
        words = [word for word in entry.words if len(word) >= SPECIALTY_LETTERS]
        if len(words) < 2 or all(word in generic for word in words):
            continue
        phrases.append(DepartmentPhrase(entry, frozenset(map(sound, words))))
    counts = Counter(each for phrase in phrases for each in phrase.sounds)
    return grouped(
        (min(phrase.sounds, key=lambda each: (counts[each], each)), phrase) for phrase in phrases
    )
