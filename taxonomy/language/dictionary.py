"""The ordinary words of all our languages, from counted texts: is this a word, and in which?

The lists are those of the package `wordfreq`, some 30,000 to 60,000 words in each language; a
hospital's own words (names, lexicon) are asked for beside them, by who uses this.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from zol.languages import LANGUAGES
from zol.text import fold

#: As many of the most frequent words of a language say little of what a question is about, and
#: so many hardly more, where nobody gave them a meaning.
EVERYDAY, COMMON = 300, 1_500
#: A language may be that of a text when it has this share of the words that the likeliest has.
LIKELY = 0.75
#: The shorter of the package's lists; the longer begin with the same words.
LIST = "small"


@cache
def _known() -> dict[str, int]:
    """Return every word, folded, with one bit for each language that has it."""
    found: dict[str, int] = {}
    for bit, language in enumerate(LANGUAGES):
        for word in _listed(language):
            found[word] = found.get(word, 0) | 1 << bit
    return found


def _listed(language: str, most: int = 0) -> list[str]:
    """Return the folded words of a language's list, the most frequent first; all, or so many."""
    # Takes longer to import than most commands take to run.
    import wordfreq  # noqa: PLC0415

    try:
        listed = wordfreq.top_n_list(language, most, LIST) if most else None
        # Folded as one text: word by word takes five times as long.
        return fold("\n".join(listed or wordfreq.iter_wordlist(language, LIST))).split("\n")
    finally:
        # It would keep every list for good: twenty megabytes a language.
        wordfreq.get_frequency_list.cache_clear()


def has(word: str) -> bool:
    """Tell whether a folded word is an ordinary word of one of our languages."""
    return word in _known()


@cache
def everyday(language: str) -> frozenset[str]:
    """Return the most frequent folded words of a language (`EVERYDAY`)."""
    return frozenset(_listed(language, EVERYDAY)) if language in LANGUAGES else frozenset()


@cache
def common(language: str) -> frozenset[str]:
    """Return the folded words that a language uses every day, whatever is spoken of."""
    return frozenset(_listed(language, COMMON)) if language in LANGUAGES else frozenset()


def is_everyday(word: str) -> bool:
    """Return whether a folded word is among the most frequent of any language."""
    return any(word in everyday(language) for language in LANGUAGES)


def is_common(word: str) -> bool:
    """Tell whether a folded word is one that some language of ours uses every day."""
    return any(word in common(language) for language in LANGUAGES)


def words_of(language: str) -> tuple[str, ...]:
    """Return the folded words of a language, the most frequent first."""
    bit = _bit(language)
    return tuple(word for word, spoken in _known().items() if spoken & bit)


def is_word_of(word: str, language: str) -> bool:
    """Tell whether a folded word is an ordinary word of one of our languages."""
    return bool(_known().get(word, 0) & _bit(language))


def _bit(language: str) -> int:
    return 1 << LANGUAGES.index(language) if language in LANGUAGES else 0


def says_nothing_in(word: str, language: str, *, asked_in: str) -> bool:
    """Return whether a word is ordinary in the question's language but not in another one.

    Pages in that language cannot hold it, and it is nobody's name.
    """
    return asked_in != language and is_word_of(word, asked_in) and not is_word_of(word, language)


def likely_languages(words: Iterable[str]) -> tuple[str, ...]:
    """Return the languages that these folded words may be of, the likeliest first.

    German comes after others as likely: what its capitals say, they say in no other.
    """
    said = tuple(words)
    votes = {code: sum(is_word_of(word, code) for word in said) for code in LANGUAGES}
    least = LIKELY * max(votes.values())
    likely = (code for code in LANGUAGES if votes[code] >= least)
    return tuple(sorted(likely, key=lambda code: (-votes[code], code == "de")))
