"""Detect the language of a question.

The lexicon of the eight supported languages comes first. The package lingua also recognises other
languages, so that Polish is not taken for Dutch. Single words are looked up, never guessed: a short
Dutch medical word resembles Romanian. Names are ignored: a French question about a Dutch town is
French.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import regex
from lingua import Language, LanguageDetector, LanguageDetectorBuilder

from taxonomy.language.tokens import Token, folded, join, normalise, tokens
from taxonomy.resolvers import ResolverIndex
from taxonomy.vocabulary import Kind
from zol.languages import LANGUAGES

#: Languages that are recognised but not supported.
OTHERS = (
    "ar", "bg", "cs", "da", "es", "fa", "hi", "hr", "hu", "ja", "ko", "nb", "pl", "pt", "ru", "sk",
    "sq", "sv", "th", "uk", "zh",
)  # fmt: skip
#: Maximum words of a question that is looked up, not guessed.
SHORT = 2
#: Weights of the lexicon, of character statistics, and of the page's language, for a longer and
#: for a short question.
LEXICON, STATISTICS, PAGE, PAGE_SHORT = 0.6, 0.4, 0.08, 0.2
#: Share of words, and margin over the next language, from which the lexicon alone decides.
CERTAIN, LEAD = 0.55, 0.3
#: Confidence of a language that was looked up.
SURELY = 0.9
#: Minimum known words, and their minimum share of all words, to choose the language of most words.
KNOWN, MOSTLY = 3, 0.6
#: Confidence from which an unsupported language is detected.
FOREIGN = 0.6
#: Kinds of entities with the same name in every language.
NAMED = (Kind.CAMPUS, Kind.DOCTOR)
#: Scripts of no supported language.
_UNREAD = regex.compile(r"[\p{L}--[\p{Latin}\p{Greek}]]", regex.V1)


@dataclass(frozen=True, slots=True)
class LanguageVerdict:
    """The language to answer in, the language of the question, and its certainty."""

    language: str
    written: str
    confidence: float

    @property
    def is_foreign(self) -> bool:
        """Return whether the question is in an unsupported language."""
        return self.written not in LANGUAGES


def detect(text: str, page: str, index: ResolverIndex) -> LanguageVerdict:
    """Detect the language of a text; the page's language is the prior."""
    if 2 * len(_UNREAD.findall(text)) > sum(letter.isalpha() for letter in text):
        guessed = _guessed(text)
        best = max(OTHERS, key=lambda code: guessed.get(code, 0.0))
        return LanguageVerdict(page, best, guessed.get(best, 0.0))
    return _supported(normalise(text), page, index)


def _supported(text: str, page: str, index: ResolverIndex) -> LanguageVerdict:
    """Detect a supported language."""
    words = folded(text)
    if not any(letter.isalpha() for word in words for letter in word):
        return LanguageVerdict(page, page, 0.0)
    is_term = len(words) <= SHORT or bool(index.lexicon.languages_of(join(words)))
    if is_term and (known := _looked_up(words, page, index)):
        return LanguageVerdict(known, known, SURELY)
    first, *rest = tokens(text)
    unnamed = [first, *(word for word in rest if not _is_name(word, index))]
    shares = _shares([word.folded for word in unnamed], index)
    best, lead = _leader(shares)
    if shares[best] >= CERTAIN and lead >= LEAD:
        return LanguageVerdict(best, best, shares[best])
    if own := _of_most(unnamed, index):
        return LanguageVerdict(own, own, CERTAIN)
    remaining = " ".join(text[word.start : word.end] for word in unnamed)
    return _weighed(remaining, page, shares, is_short=len(words) <= SHORT)


def _is_name(word: Token, index: ResolverIndex) -> bool:
    """Return whether a word inside a sentence is a name, known or capitalised."""
    if _languages_using(word.folded, index):
        return False
    return word.folded in index.exact or word.text[0].isupper()


def _languages_using(word: str, index: ResolverIndex) -> tuple[str, ...]:
    """Return the languages that use a folded word, by the lexicon and the examples."""
    known = index.lexicon.languages_of(word)
    return tuple(
        code for code in LANGUAGES if code in known or word in index.ordinary.get(code, ())
    )


def _looked_up(words: tuple[str, ...], page: str, index: ResolverIndex) -> str:
    """Return the language of a term or an ordinary word; empty if unknown."""
    key = join(words)
    entries = index.exact.get(key, ())
    if entries and all(entry.thing.kind in NAMED for entry in entries):
        return page
    languages = (
        {entry.language or index.language for entry in entries}
        or set(index.lexicon.languages_of(key))
        or set.intersection(*(set(_languages_using(word, index)) for word in words))
    )
    if not languages and len(words) == 1:
        return page
    preferred = (code for code in (page, index.language) if code in languages)
    return next(preferred, min(languages, default="", key=LANGUAGES.index))


def _shares(words: Sequence[str], index: ResolverIndex) -> dict[str, float]:
    """Return the share of words that belong to each language."""
    shares = dict.fromkeys(LANGUAGES, 0.0)
    for word in words:
        languages = index.lexicon.languages_of(word)
        for code in languages:
            shares[code] += 1 / (len(languages) * len(words))
    return shares


def _of_most(words: Sequence[Token], index: ResolverIndex) -> str:
    """Return the language of most known words; empty if too few are known.

    "Le docteur, il consulte quand": half of the words are also Italian, but all are French.
    """
    known = [found for word in words if (found := _languages_using(word.folded, index))]
    if len(known) < max(KNOWN, MOSTLY * len(words)):
        return ""
    return max(LANGUAGES, key=lambda code: sum(code in found for found in known))


def _leader(scores: Mapping[str, float]) -> tuple[str, float]:
    first, second = sorted(scores, key=lambda code: -scores[code])[:2]
    return first, scores[first] - scores[second]


def _weighed(text: str, page: str, shares: dict[str, float], *, is_short: bool) -> LanguageVerdict:
    guessed = _guessed(text)
    known = max(shares.values())
    foreign = max(OTHERS, key=lambda code: guessed.get(code, 0.0))
    if not is_short and guessed.get(foreign, 0.0) >= FOREIGN and known < CERTAIN / 2:
        return LanguageVerdict(page, foreign, guessed[foreign])
    total = sum(shares.values()) or 1.0
    scores = {
        code: LEXICON * shares[code] / total + STATISTICS * guessed.get(code, 0.0)
        for code in LANGUAGES
    }
    scores[page] = scores.get(page, 0.0) + (PAGE if not is_short else PAGE_SHORT)
    best = max(scores, key=lambda code: scores[code])
    return LanguageVerdict(best, best, min(1.0, scores[best]))


def _guessed(text: str) -> dict[str, float]:
    """Return the probability of each language by character statistics."""
    return {
        found.language.iso_code_639_1.name.lower(): found.value
        for found in _detector().compute_language_confidence_values(text)
    }


@cache
def _detector() -> LanguageDetector:
    """Load the statistics (0.3 s, 40 MB) when first needed."""
    wanted = {*LANGUAGES, *OTHERS}
    languages = [one for one in Language.all() if one.iso_code_639_1.name.lower() in wanted]
    return LanguageDetectorBuilder.from_languages(*languages).with_low_accuracy_mode().build()
