"""Dictionaries of ordinary words in all supported languages, from the package `wordfreq`.

Each has some 30,000 to 60,000 words. A hospital's own words (names, lexicon) are not among them.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from zol.languages import LANGUAGES
from zol.text import fold

#: Sizes of the lists of the most frequent words, which tell little about the topic of a question.
EVERYDAY, COMMON = 300, 1_500
#: Minimum share of the word count of the likeliest language for a language to be likely too.
LIKELY = 0.75
#: The shorter of the package's two lists; the longer one begins with the same words.
LIST = "small"


@cache
def _known() -> dict[str, int]:
    """Return all folded words, each with one bit per language that has it."""
    found: dict[str, int] = {}
    for bit, language in enumerate(LANGUAGES):
        for word in _listed(language):
            found[word] = found.get(word, 0) | 1 << bit
    return found


def _listed(language: str, most: int = 0) -> list[str]:
    """Return the folded words of a language, most frequent first; all, or the first `most`."""
    # Imported late: the import takes longer than most commands run.
    import wordfreq  # noqa: PLC0415

    try:
        listed = wordfreq.top_n_list(language, most, LIST) if most else None
        # Folded as one text, which is five times as fast as word by word.
        return fold("\n".join(listed or wordfreq.iter_wordlist(language, LIST))).split("\n")
    finally:
        # The package would cache every list forever: 20 MB per language.
        wordfreq.get_frequency_list.cache_clear()


def has(word: str) -> bool:
    """Return whether a folded word exists in a supported language."""
    return word in _known()


@cache
def everyday(language: str) -> frozenset[str]:
    """Return the most frequent folded words of a language (`EVERYDAY`)."""
    return frozenset(_listed(language, EVERYDAY)) if language in LANGUAGES else frozenset()


@cache
def common(language: str) -> frozenset[str]:
    """Return the frequent folded words of a language (`COMMON`)."""
    return frozenset(_listed(language, COMMON)) if language in LANGUAGES else frozenset()


def is_everyday(word: str) -> bool:
    """Return whether a folded word is among the `EVERYDAY` words of any language."""
    return any(word in everyday(language) for language in LANGUAGES)


def is_common(word: str) -> bool:
    """Return whether a folded word is among the `COMMON` words of any language."""
    return any(word in common(language) for language in LANGUAGES)


def words_of(language: str) -> tuple[str, ...]:
    """Return the folded words of a language, most frequent first."""
    bit = _bit(language)
    return tuple(word for word, bits in _known().items() if bits & bit)


def is_word_of(word: str, language: str) -> bool:
    """Return whether a folded word exists in a language."""
    return bool(_known().get(word, 0) & _bit(language))


def _bit(language: str) -> int:
    return 1 << LANGUAGES.index(language) if language in LANGUAGES else 0


def is_foreign(word: str, language: str, *, asked_in: str) -> bool:
    """Return whether a word exists in the question's language but not in another one.

    Pages in the other language cannot contain it, and it is no name.
    """
    return asked_in != language and is_word_of(word, asked_in) and not is_word_of(word, language)


def likely_languages(words: Iterable[str]) -> tuple[str, ...]:
    """Return the possible languages of folded words, likeliest first.

    Of equally likely languages German comes last, since only its nouns have capitals.
    """
    given = tuple(words)
    votes = {code: sum(is_word_of(word, code) for word in given) for code in LANGUAGES}
    least = LIKELY * max(votes.values())
    likely = (code for code in LANGUAGES if votes[code] >= least)
    return tuple(sorted(likely, key=lambda code: (-votes[code], code == "de")))
