"""All spellings of a published version, ready to be looked up: derived once, never changed."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from taxonomy.language.dictionary import is_word_of
from taxonomy.language.lexicon import Lexicon, lexicon_of
from taxonomy.language.names import NameIndex
from taxonomy.language.tokens import (
    FUZZY_FROM,
    ByLength,
    beginnings,
    by_length,
    folded,
    grouped,
    join,
    sound,
    starts,
    stem,
)
from taxonomy.publishing.snapshot import SharedValue, Snapshot
from taxonomy.resolvers.complaints import ROWS as COMPLAINT_ROWS
from taxonomy.resolvers.complaints import Routes, departments_of, routes_of
from taxonomy.resolvers.entries import Entries, Entry, articles_of, by_roots, of_saints
from taxonomy.vocabulary import AliasKind, Kind, Spelling, Terminology, Thing, Vocabulary
from zol.languages import LANGUAGES

#: Shorter words sound like too many others.
SOUNDS_FROM = 5
STEMMED_FROM = 5
#: Words of a spelling at most, when words are looked up together.
LONGEST = 7
#: Spellings whose words are remembered: those of a few hospitals and their lexicon, which the next
#: version nearly all has too.
SPELLINGS = 65_536
#: A word in the names of so many departments says nothing about which one it is.
GENERIC_IN = 3
SPECIALTY_LETTERS = 4
#: What the numbers of wards are written with, as letters.
ROMAN = frozenset("IVX")
#: Concepts of the lexicon whose words stand in the name of any department.
ANY_DEPARTMENT = ("department", "ward")
#: Kinds of concepts whose words may name a thing of the hospital.
NAMING = frozenset(
    {"symptom", "condition", "specialty", "examination", "treatment", "practical", "person"}
)
#: Kinds of concepts that are nothing of care, whatever a word for one looks like.
ELSEWHERE = frozenset({"practical", "money", "rights", "time", "function", "everyday"})
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue"})


@dataclass(frozen=True, slots=True)
class DepartmentPhrase:
    """The telling words of a department's multi-word name, in any order."""

    entry: Entry
    sounds: frozenset[str]


@dataclass(frozen=True, slots=True)
class Wording:
    """Rows about how people speak, as far as resolvers use them."""

    #: "Meer informatie over": what follows is one thing's name.
    triggers: Iterable[str] = ()
    #: "Die heet": the words beside it are a name.
    announcing: Iterable[str] = ()
    #: Words that people use in questions of a language: never misspelt names.
    ordinary: Mapping[str, frozenset[str]] = field(default_factory=dict)
    #: Complaints and the specialties that help with them.
    complaints: Iterable[Mapping[str, Any]] = ()


@dataclass(frozen=True, slots=True)
class ResolverIndex:
    """Index in which resolvers look words up."""

    vocabulary: Vocabulary
    lexicon: Lexicon
    language: str
    names: NameIndex
    exact: Entries
    sounds: Entries
    stems: dict[str, Entries]
    #: Names of several words by the roots of those that are no stop words.
    roots: dict[str, Entries]
    #: Words of each language that may be missing from such a name, or stand in it.
    articles: dict[str, frozenset[str]]
    phrases: dict[str, tuple[DepartmentPhrase, ...]]
    #: Spellings by the first letter of their sound and by length, and by all but their first.
    fuzzy: ByLength
    tails: dict[str, tuple[str, ...]]
    generic: frozenset[str]
    #: Departments to which complaints and parts of the body lead.
    complaints: Routes
    #: The department for each specialty.
    specialists: Mapping[str, Thing]
    triggers: frozenset[str] = frozenset()
    ordinary: Mapping[str, frozenset[str]] = field(default_factory=dict)
    terminology: Terminology = field(default_factory=Terminology)
    longest: int = LONGEST
    #: First words of the names in `roots`.
    first_roots: Mapping[str, frozenset[str]] = field(default_factory=dict)
    #: How spellings begin, as written or stemmed, and as heard.
    _begin: frozenset[str] = field(default_factory=frozenset)
    _begin_heard: frozenset[str] = field(default_factory=frozenset)
    _wards: frozenset[str] = field(default_factory=frozenset)

    def may_begin(self, key: str, heard: str = "") -> bool:
        """Tell whether words, joined, may be a spelling or the beginning of one."""
        return (
            starts(key, self._begin) or starts(heard, self._begin_heard) or bool(self.terminology)
        )

    def is_ordinary(self, word: str, language: str) -> bool:
        """Tell whether a folded word is one of a language, and so no misspelt name."""
        return (
            word in self.ordinary.get(language, ())
            or bool(self.lexicon.find(word, language))
            or is_word_of(word, language)
        )

    def is_bare_ward(self, thing: Thing) -> bool:
        """Tell whether a ward is named by a code only, such as "N2-afdeling"."""
        return thing.key in self._wards


def build_index(
    vocabulary: Vocabulary, lexicon: Lexicon, language: str = "nl", wording: Wording | None = None
) -> ResolverIndex:
    wording = wording or Wording()
    entries = [entry for thing in vocabulary.things for entry in _entries_of(thing)]
    entries += [*of_saints(entries, lexicon)]
    exact = grouped((entry.key, entry) for entry in entries)
    borrowed = list(_borrow(exact, lexicon, language))
    exact = grouped((entry.key, entry) for entry in [*entries, *borrowed])
    generic = _generic_words(vocabulary, lexicon) - exact.keys()
    articles = {code: articles_of(lexicon, code) for code in LANGUAGES}
    sounds = grouped((entry.heard, entry) for entry in entries if len(entry.key) >= SOUNDS_FROM)
    stems = _stems([*entries, *borrowed], language)
    roots = by_roots([*entries, *borrowed], articles)
    single = sorted({entry.key for entry in entries if len(entry.key) >= FUZZY_FROM})
    return ResolverIndex(
        vocabulary=vocabulary,
        lexicon=lexicon,
        language=language,
        names=NameIndex(vocabulary, lexicon, wording.announcing),
        exact=exact,
        sounds=sounds,
        stems=stems,
        roots=roots,
        articles=articles,
        phrases=_phrases(entries, generic),
        fuzzy=by_length((sound(key)[:1], key) for key in single),
        tails=grouped((key[1:], key) for key in single),
        generic=generic,
        complaints=routes_of(wording.complaints, lexicon, exact, vocabulary),
        specialists=departments_of(lexicon, exact, vocabulary),
        triggers=frozenset(join(folded(trigger)) for trigger in wording.triggers),
        ordinary=wording.ordinary,
        first_roots={c: frozenset(name.split(" ")[0] for name in roots[c]) for c in roots},
        _begin=beginnings([*exact, *(key for found in stems.values() for key in found)]),
        _begin_heard=beginnings(sounds),
        _wards=frozenset(
            thing.key
            for thing in vocabulary.of_kind(Kind.DEPARTMENT)
            if not has_specialty_word(thing.name, generic)
        ),
    )


#: Cues of these kinds say that more is wanted about what follows ("meer informatie over"), and
#: that the words beside them are a name ("die heet", "soyadı").
TRIGGER, ANNOUNCING = "trigger", "naming"


def resolver_index(snapshot: Snapshot) -> ResolverIndex:
    """Return a version's index; use it through `snapshot.derived(resolver_index)`."""
    cues = [(row["kind"], str(row["text"])) for row in snapshot.rows_of("chat.cue")]
    index = build_index(
        snapshot.vocabulary,
        snapshot.derived(lexicon_of),
        snapshot.profile.default_language,
        Wording(
            triggers=[text for kind, text in cues if kind == TRIGGER],
            announcing=[text for kind, text in cues if kind == ANNOUNCING],
            ordinary=_ordinary.of(snapshot.rows_of("chat.intentexample")),
            complaints=snapshot.rows_of(COMPLAINT_ROWS),
        ),
    )
    return replace(index, terminology=snapshot.terminology)


def _words_by_language(rows: Iterable[Mapping[str, Any]]) -> dict[str, frozenset[str]]:
    spoken: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        spoken[str(row["language"])].update(folded(str(row["text"])))
    return {language: frozenset(words) for language, words in spoken.items()}


_ordinary = SharedValue(_words_by_language)


def has_specialty_word(name: str, generic: frozenset[str]) -> bool:
    """Tell whether a department's name says what it does, unlike "N2-afdeling": by a word, or by an
    abbreviation ("ORL", "NKO"), which is no number."""
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
            entry = _entry(thing, text, spelling.language, kind=spelling.kind)
            if entry.key not in ("", name.key):
                yield entry


def _entry(
    thing: Thing,
    text: str,
    language: str = "",
    *,
    is_name: bool = False,
    kind: AliasKind = AliasKind.SYNONYM,
    is_borrowed: bool = False,
) -> Entry:
    words, key, heard = _spelled(text)
    return Entry(thing, words, language, is_name, kind, is_borrowed, key, heard)


@lru_cache(maxsize=SPELLINGS)
def _spelled(text: str) -> tuple[tuple[str, ...], str, str]:
    """Return a text's folded words, all as one, and as they sound."""
    words = folded(text)
    return words, join(words), join(sound(word) for word in words)


def _borrow(exact: Entries, lexicon: Lexicon, language: str) -> Iterator[Entry]:
    """Index synonyms of a concept under the entity that one of its words names."""

    def own(key: str) -> list[Entry]:
        return [entry for entry in exact.get(key, ()) if entry.language in ("", language)]

    for concept in lexicon.concepts.values():
        if concept.kind not in NAMING:
            continue
        spoken = concept.words.get(language, ())
        named = next(filter(None, (own(join(folded(word))) for word in spoken)), ())
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
    """Return the words that say nothing of which department is meant: those that the names of
    several share, and what any is called: "afdeling", "service"."""
    seen: Counter[str] = Counter()
    for thing in vocabulary.of_kind(Kind.DEPARTMENT):
        texts = (thing.name, *(alias.text for alias in thing.aliases))
        seen.update({word for text in texts for word in folded(text)})
    concepts = (lexicon.concepts[name] for name in ANY_DEPARTMENT if name in lexicon.concepts)
    called = (text for concept in concepts for said in concept.words.values() for text in said)
    shared = (word for word, times in seen.items() if times >= GENERIC_IN)
    return frozenset((*shared, *(word for text in called for word in folded(text))))


def _phrases(
    entries: Iterable[Entry], generic: frozenset[str]
) -> dict[str, tuple[DepartmentPhrase, ...]]:
    """Index departments' multi-word names by the rarest of their words."""
    phrases: list[DepartmentPhrase] = []
    for entry in entries:
        if entry.thing.kind is not Kind.DEPARTMENT or entry.size < 2:
            continue
        telling = [word for word in entry.words if len(word) >= SPECIALTY_LETTERS]
        if len(telling) < 2 or all(word in generic for word in telling):
            continue
        phrases.append(DepartmentPhrase(entry, frozenset(sound(word) for word in telling)))
    common = Counter(heard for phrase in phrases for heard in phrase.sounds)
    index: dict[str, list[DepartmentPhrase]] = defaultdict(list)
    for phrase in phrases:
        index[min(phrase.sounds, key=lambda heard: (common[heard], heard))].append(phrase)
    return {heard: tuple(found) for heard, found in index.items()}
