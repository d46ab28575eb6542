"""Questions in the form that resolvers need: tokens, and every known spelling among them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

from taxonomy.language.lexicon import Use
from taxonomy.language.tokens import Token, folded, join, normalise, root, sound, stem, tokens
from taxonomy.resolvers.entries import Entry
from taxonomy.resolvers.index import ELSEWHERE, LONGEST, SOUNDS_FROM, STEMMED_FROM, ResolverIndex
from taxonomy.vocabulary import Thing

#: Minimum letters of a name that matches words written apart or together.
APART_FROM = 7
#: Minimum letters of a match in another language; shorter ones are a coincidence.
FOREIGN_FROM = 4
#: Minimum letters of a term; shorter ones are abbreviations with many meanings.
TERM_FROM = 4
#: The kind of concepts for people and professions.
PERSON = "person"


class Level(IntEnum):
    """Level of a match, best first."""

    EXACT = 0
    SOUND = 1
    STEM = 2
    BORROWED = 3
    LOOSE = 4
    #: Found in the reference terminology only: a term of the entity, or of a narrower concept.
    TERM = 5
    NARROWER = 6


CONFIDENCE = {
    Level.EXACT: 1.0, Level.SOUND: 0.95, Level.STEM: 0.9, Level.BORROWED: 0.9, Level.LOOSE: 0.85,
    Level.TERM: 0.85, Level.NARROWER: 0.75,
}  # fmt: skip
#: Factor for a spelling in a language that is neither the question's nor the hospital's.
FOREIGN = 0.9


@dataclass(frozen=True, slots=True)
class Hit:
    """A range of words that is a spelling of an entity."""

    start: int
    end: int
    level: Level
    entry: Entry


@dataclass(frozen=True, slots=True)
class ResolverCandidate:
    """Positions of words, and the entities that a resolver found for them."""

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

    def letters(self, at: tuple[int, ...]) -> int:
        return sum(len(self.tokens[position].folded) for position in at)


def read(text: str, index: ResolverIndex, language: str = "") -> ResolverQuestion:
    text = normalise(text)
    found = tokens(text)
    uses = index.lexicon.read([token.folded for token in found], language or index.language)
    hits = tuple(hit for hit in _hits(found, index, language) if not _is_another(hit, uses, index))
    return ResolverQuestion(text, found, language, hits)


def _hits(question: tuple[Token, ...], index: ResolverIndex, language: str) -> Iterator[Hit]:
    words = [token.folded for token in question]
    languages = tuple(dict.fromkeys(code for code in (language, index.language) if code))
    sounds = [sound(word) for word in words]
    stems = {code: [stem(word, code) for word in words] for code in languages}
    for start in range(len(words)):
        key = sounded = ""
        for last in range(start, min(len(words), start + LONGEST)):
            forms = [(code, key + stemmed[last]) for code, stemmed in stems.items()]
            key += words[last]
            sounded += sounds[last]
            end = last + 1
            run = _WordRun(key, sounded, forms, end - start)
            for level, entry in (*_spellings(run, index), *_terms(run, index)):
                if _is_meant(entry, level, question[start:end], index, language):
                    yield Hit(start, end, level, entry)
    for code in languages:
        yield from _inflected(words, code, index)


def _is_another(hit: Hit, uses: Sequence[Use], index: ResolverIndex) -> bool:
    """Return whether the words of a fuzzy hit mean something else.

    A practical word is no name that merely sounds alike: "geraak" (reach). A word for people is no
    name of an entity ("medici", "medicazioni") unless the entity is named after them, as dietetics
    after dietitians. A borrowed word is not taken from a longer expression of the same kind:
    "laser eye surgery" is not "laser".
    """
    if hit.level is Level.EXACT:
        return False
    for use in uses:
        if use.start <= hit.start and hit.end <= use.end:
            kinds = {concept.kind for concept in use.concepts}
            if hit.level is not Level.BORROWED and ELSEWHERE.issuperset(kinds):
                return True
            if kinds == {PERSON} and not _is_named_after(use, hit.entry.thing, index):
                return True
            if hit.end - hit.start < use.end - use.start and kinds == {str(hit.entry.thing.kind)}:
                return True
    return False


def _is_named_after(use: Use, thing: Thing, index: ResolverIndex) -> bool:
    """Return whether the entity is named after the people that a word stands for."""
    texts = (each for concept in use.concepts for each in concept.words.values())
    return any(
        entry.thing == thing
        for words in texts
        for word in words
        for entry in index.exact.get(join(folded(word)), ())
    )


def _inflected(words: list[str], language: str, index: ResolverIndex) -> Iterator[Hit]:
    """Yield multi-word names in any inflected form, with or without articles."""
    names, articles = index.roots.get(language, {}), index.articles.get(language, frozenset())
    content = [(at, root(word, language)) for at, word in enumerate(words) if word not in articles]
    for first, (start, stemmed_first) in enumerate(content):
        name = stemmed_first
        for at, stemmed in content[first + 1 : first + LONGEST]:
            if at - start >= LONGEST:
                break
            name = f"{name} {stemmed}"
            for entry in names.get(name, ()):
                yield Hit(start, at + 1, Level.STEM, entry)


class _WordRun(NamedTuple):
    """Consecutive words, joined: as written, by sound, and by language with a stemmed last word."""

    key: str
    sound: str
    stems: list[tuple[str, str]]
    size: int


def _spellings(form: _WordRun, index: ResolverIndex) -> Iterator[tuple[Level, Entry]]:
    """Yield entries with these words as a spelling; by sound or stem only if none is exact."""
    if exact := index.exact.get(form.key):
        for entry in exact:
            if _fits(entry, form):
                yield (Level.BORROWED if entry.is_borrowed else Level.EXACT), entry
    elif len(form.key) >= min(SOUNDS_FROM, STEMMED_FROM):
        yield from _alike(form, index)


def _terms(form: _WordRun, index: ResolverIndex) -> Iterator[tuple[Level, Entry]]:
    """Yield terms of the terminology, if the words are no spelling of the hospital's own."""
    if not index.terminology or len(form.key) < TERM_FROM or form.key in index.exact:
        return
    meaning = index.terminology.find(form.key)
    if meaning and (meaning.size == form.size or len(form.key) >= APART_FROM):
        level = Level.NARROWER if meaning.is_narrower else Level.TERM
        words = (form.key,)
        for thing in meaning.things:
            yield level, Entry(thing, words, meaning.language, is_name=False, key=form.key)


def _fits(entry: Entry, form: _WordRun) -> bool:
    """Return whether words written apart or together are long enough to be no coincidence."""
    return entry.size == form.size or len(form.key) >= APART_FROM


def _alike(form: _WordRun, index: ResolverIndex) -> Iterator[tuple[Level, Entry]]:
    is_ordinary = form.size == 1 and any(index.is_ordinary(form.key, c) for c, _ in form.stems)
    if not is_ordinary:
        for entry in index.sounds.get(form.sound, ()):
            if _fits(entry, form):
                yield Level.SOUND, entry
    for code, stemmed in form.stems:
        for entry in index.stems.get(code, {}).get(stemmed, ()):
            if _fits(entry, form):
                yield Level.STEM, entry


def _is_meant(
    entry: Entry, level: Level, words: tuple[Token, ...], index: ResolverIndex, language: str
) -> bool:
    """Return whether a spelling is more than a coincidence of letters."""
    languages = (language, index.language) if language else (index.language,)
    stop = frozenset().union(*map(index.lexicon.stop_words, languages))
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
    languages = ("", question.language, index.language)
    foreign = bool(question.language) and hit.entry.language not in languages
    return CONFIDENCE[hit.level] * (FOREIGN if foreign else 1.0)
