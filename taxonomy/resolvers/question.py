"""A question as resolvers see it: its words, and every spelling that occurs among them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

from taxonomy.language.lexicon import Use
from taxonomy.language.tokens import Token, folded, join, normalise, root, sound, stem, tokens
from taxonomy.resolvers.entries import Entry
from taxonomy.resolvers.index import ELSEWHERE, LONGEST, SOUNDS_FROM, STEMMED_FROM, ResolverIndex
from taxonomy.vocabulary import Kind, Thing

#: Words that were written apart must make up a name at least this long.
APART_FROM = 7
#: An abbreviation of another language, this short, is a coincidence.
FOREIGN_FROM = 4
#: Shorter terms of a terminology are abbreviations with many meanings.
TERM_FROM = 4
#: The kind of concepts that are people and their trades.
PERSON = "person"


class Level(IntEnum):
    """Level of a match, best first."""

    EXACT = 0
    SOUND = 1
    STEM = 2
    BORROWED = 3
    LOOSE = 4
    #: Only the reference terminology says so: of the thing itself, or of a narrower one.
    TERM = 5
    NARROWER = 6


CONFIDENCE = {
    Level.EXACT: 1.0, Level.SOUND: 0.95, Level.STEM: 0.9, Level.BORROWED: 0.9, Level.LOOSE: 0.85,
    Level.TERM: 0.85, Level.NARROWER: 0.75,
}  # fmt: skip
#: What a spelling of a language that nobody speaks here is worth.
FOREIGN = 0.9


@dataclass(frozen=True, slots=True)
class Hit:
    """Words that are a spelling of something."""

    start: int
    end: int
    level: Level
    entry: Entry


@dataclass(frozen=True, slots=True)
class ResolverCandidate:
    """Words, by position, and the things that a resolver says they name."""

    at: tuple[int, ...]
    things: tuple[Thing, ...]
    confidence: float
    level: Level = Level.EXACT


@dataclass(frozen=True, slots=True)
class ResolverQuestion:
    """A question that is being resolved."""

    text: str
    tokens: tuple[Token, ...]
    language: str
    hits: tuple[Hit, ...]
    #: The same, for those who look for one kind of things.
    by_kind: Mapping[Kind, Sequence[Hit]]

    def letters(self, at: tuple[int, ...]) -> int:
        return sum(len(self.tokens[position].folded) for position in at)


def read(text: str, index: ResolverIndex, language: str = "") -> ResolverQuestion:
    text = normalise(text)
    found = tokens(text)
    uses = index.lexicon.read([token.folded for token in found], language or index.language)
    hits = tuple(hit for hit in _hits(found, index, language) if not _is_another(hit, uses, index))
    by_kind: dict[Kind, list[Hit]] = {}
    for hit in hits:
        by_kind.setdefault(hit.entry.thing.kind, []).append(hit)
    return ResolverQuestion(text, found, language, hits, by_kind)


def _hits(question: tuple[Token, ...], index: ResolverIndex, language: str) -> Iterator[Hit]:
    words = [token.folded for token in question]
    spoken = tuple(dict.fromkeys(code for code in (language, index.language) if code))
    sounds = [sound(word) for word in words]
    stems = [[stem(word, code) for word in words] for code in spoken]
    for start in range(len(words)):
        key = heard = ""
        for last in range(start, min(len(words), start + LONGEST)):
            forms = [key + stemmed[last] for stemmed in stems]
            key += words[last]
            heard += sounds[last]
            is_beginning = index.may_begin(key, heard)
            if is_beginning or any(index.may_begin(form) for form in forms):
                end = last + 1
                form = _WordRun(key, heard, [*zip(spoken, forms, strict=True)], end - start)
                for level, entry in (*_spellings(form, index), *_terms(form, index)):
                    if _is_meant(entry, level, question[start:end], index, language):
                        yield Hit(start, end, level, entry)
            if not is_beginning:
                break
    for code in spoken:
        yield from _inflected(words, code, index)


def _is_another(hit: Hit, uses: Sequence[Use], index: ResolverIndex) -> bool:
    """Tell whether words that nobody wrote as a name of the thing are known for something else.

    What only sounds like a name, or has its stem, is a practical word before it is that: "geraak"
    is how to get there; nor is a word for people, "medici", a dressing, "medicazioni", unless they
    give the thing its name, as dietitians do. A word that another lends is not cut out of an
    expression for a thing of the same kind: "laser eye surgery" is no "laser".
    """
    if hit.level is Level.EXACT:
        return False
    for use in uses:
        if use.start <= hit.start and hit.end <= use.end:
            kinds = {concept.kind for concept in use.concepts}
            if hit.level is not Level.BORROWED and ELSEWHERE.issuperset(kinds):
                return True
            if kinds == {PERSON} and not _is_who_does(use, hit.entry.thing, index):
                return True
            if hit.end - hit.start < use.end - use.start and kinds == {str(hit.entry.thing.kind)}:
                return True
    return False


def _is_who_does(use: Use, thing: Thing, index: ResolverIndex) -> bool:
    """Tell whether a word for the people who are spoken of is also a name of the thing."""
    words = (word for concept in use.concepts for said in concept.words.values() for word in said)
    return any(
        entry.thing == thing for word in words for entry in index.exact.get(join(folded(word)), ())
    )


def _inflected(words: list[str], language: str, index: ResolverIndex) -> Iterator[Hit]:
    """Yield names of several words, each in any form, with or without their articles."""
    names, articles = index.roots.get(language, {}), index.articles.get(language, frozenset())
    telling = [(at, root(word, language)) for at, word in enumerate(words) if word not in articles]
    for first, (start, stemmed_first) in enumerate(telling):
        if stemmed_first not in index.first_roots.get(language, ()):
            continue
        name = stemmed_first
        for at, stemmed in telling[first + 1 : first + LONGEST]:
            if at - start >= LONGEST:
                break
            name = f"{name} {stemmed}"
            for entry in names.get(name, ()):
                yield Hit(start, at + 1, Level.STEM, entry)


class _WordRun(NamedTuple):
    """Words that follow each other, as one: as written, as heard, and by stem and language."""

    key: str
    heard: str
    stems: list[tuple[str, str]]
    size: int


def _spellings(form: _WordRun, index: ResolverIndex) -> Iterator[tuple[Level, Entry]]:
    """Yield what words may be a spelling of; as heard or by stem only when not as written."""
    if exact := index.exact.get(form.key):
        for entry in exact:
            if _fits(entry, form):
                yield (Level.BORROWED if entry.is_borrowed else Level.EXACT), entry
    elif len(form.key) >= min(SOUNDS_FROM, STEMMED_FROM):
        yield from _alike(form, index)


def _terms(form: _WordRun, index: ResolverIndex) -> Iterator[tuple[Level, Entry]]:
    """Yield what words stand for in the terminology, when they are no spelling of our own."""
    if not index.terminology or len(form.key) < TERM_FROM or form.key in index.exact:
        return
    meaning = index.terminology.find(form.key)
    if meaning and (meaning.size == form.size or len(form.key) >= APART_FROM):
        level = Level.NARROWER if meaning.is_narrower else Level.TERM
        words = (form.key,)
        for thing in meaning.things:
            yield level, Entry(thing, words, meaning.language, is_name=False, key=form.key)


def _fits(entry: Entry, form: _WordRun) -> bool:
    """Tell whether words that were joined or taken apart are long enough to be no coincidence."""
    return entry.size == form.size or len(form.key) >= APART_FROM


def _alike(form: _WordRun, index: ResolverIndex) -> Iterator[tuple[Level, Entry]]:
    is_ordinary = form.size == 1 and any(index.is_ordinary(form.key, c) for c, _ in form.stems)
    if not is_ordinary:
        for entry in index.sounds.get(form.heard, ()):
            if _fits(entry, form):
                yield Level.SOUND, entry
    for code, stemmed in form.stems:
        for entry in index.stems.get(code, {}).get(stemmed, ()):
            if _fits(entry, form):
                yield Level.STEM, entry


def _is_meant(
    entry: Entry, level: Level, words: tuple[Token, ...], index: ResolverIndex, language: str
) -> bool:
    """Tell whether a spelling is more than a coincidence of letters."""
    spoken = (language, index.language) if language else (index.language,)
    stop = frozenset().union(*map(index.lexicon.stop_words, spoken))
    if len(words) > 1:
        is_joined = entry.size != len(words) and level is not Level.EXACT
        return not (is_joined and any(word.folded in stop for word in words))
    word = words[0]
    if word.folded in index.generic:
        return False
    is_stop = word.folded in stop
    if is_stop:
        return level is Level.EXACT and len(word.text) > 1 and word.text.isupper()
    if entry.language in ("", language) or not language:
        return True
    if entry.language == index.language:
        return len(word.folded) >= FOREIGN_FROM or word.text.isupper()
    return len(word.folded) >= FOREIGN_FROM and not index.lexicon.knows(word.folded, language)


def confidence(hit: Hit, question: ResolverQuestion, index: ResolverIndex) -> float:
    spoken = ("", question.language, index.language)
    foreign = bool(question.language) and hit.entry.language not in spoken
    return CONFIDENCE[hit.level] * (FOREIGN if foreign else 1.0)
