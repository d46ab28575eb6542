"""What a Turkish word may be an ending of: "çocuğumun" of "çocuk", "ödeyebilir" of "ödemek".

Endings follow one another, so that no list of forms is ever complete. All ways in which a word can
be a shorter one with nothing but endings are tried, the longest first; whoever asks looks them up,
and a word that is found in none of these ways has no base. Works on folded words.
"""

from __future__ import annotations

import re
from functools import lru_cache

#: A word of fewer letters is too easily the beginning of another one.
SHORTEST = 3
#: A verb's stem may be this short where its endings are this long: "al-abilir", not "ye-ni".
BRIEF, LONG = 2, 4
#: What the stem of a verb is looked up as, so that it is no noun: "öde-" of "ödemek".
VERB = "-"
#: Endings of nouns, in the order in which they follow each other: plural, owner, case, and "is".
_NOUN = re.compile(
    r"(?:l[ae]r)?(?:[iu]?m[iu]z|[iu]?n[iu]z|[iu]?m|[iu]?n|l[ae]r[iu]|s?[iu])?"
    r"(?:n?[iu]n|n?d[ae]n?|t[ae]n?|y?l[ae]|[yn]?[iuae]|nc[ae])?(?:ki)?(?:n?d[ae]n?|n?[iu]n?)?"
    r"(?:y?[iu]m|s[iu]n[iu]z|d[iu]r|y?d[iu]|y?s[ae])?$"
)
#: Endings of nouns that make a word for what has, lacks or goes with something.
_DERIVED = re.compile(r"(?:s[iu]z|l[iu]|l[iu][kg]|c[iu])")
#: Endings of verbs: voice, being able to, not, time, and who.
_TENSE = (
    r"[iu]?yor|[iuae]r|r|z|y?[ae]c[ae][kg]|[dt][iu][kg]?|m[iu]s|m[ae]l[iu]|m[ae]k?|y?s[ae]|s[ae]"
    r"|y?[iu]nc[ae]|y?[iu]p|y?[ae]r[ae]k|y?[ae]n|y?[iu]s|y?[ae]"
)
_VERB = re.compile(
    r"(?:[iu]?n|[iu]?l|[dt][iu]r|t)?(?:y?[ae]bil|y?[ae](?=m[aeiu]))?(?:m[aeiu](?=.))?"
    rf"(?:{_TENSE}|)(?:m[iu]s|[dt][iu]|s[ae])?(?:y?[iu]m|m|s[iu]n(?:[iu]z)?|y?[iu]?n?[iu]z|k|l[ae]r)?"
    r"(?:[iu]n)?(?:[yn]?[iuae]|n?d[ae]n?|n?[iu]n)?(?:d[iu]r)?$"
)
#: What a last letter was before an ending that begins with a vowel.
_HARD = {"g": "k", "b": "p", "d": "t"}
_VOWELS = frozenset("aeiou")
_INFINITIVE = re.compile(r"m[ae]k$")


@lru_cache(maxsize=65_536)
def bases(word: str) -> tuple[str, ...]:
    """Return what a word may be a form of, the longest first; a verb's stem is marked."""
    found: dict[str, None] = {}
    for cut in range(len(word) - 1, BRIEF - 1, -1):
        head, tail = word[:cut], word[cut:]
        if cut >= SHORTEST and _is_noun_ending(tail):
            found |= dict.fromkeys(_before(head, tail))
        if (cut >= SHORTEST or len(tail) >= LONG) and _VERB.match(tail):
            found |= dict.fromkeys(f"{stem}{VERB}" for stem in _verbs(head, tail))
    return tuple(found)


def key(word: str) -> str:
    """Return what a word of a list is looked up as: a verb by its stem."""
    stem = _INFINITIVE.sub("", word)
    return f"{stem}{VERB}" if stem != word and len(stem) >= BRIEF else word


def _is_noun_ending(tail: str) -> bool:
    if _NOUN.match(tail):
        return True
    derived = _DERIVED.match(tail)
    return bool(derived and _NOUN.match(tail, derived.end()))


def _before(head: str, tail: str) -> tuple[str, ...]:
    """Return what a noun was before its ending: "çocuğ-u" is a "çocuk", "karn-ım" the "karın"."""
    if tail[0] not in _VOWELS or head[-1] in _VOWELS:
        return (head,)
    hard = head[:-1] + _HARD.get(head[-1], head[-1])
    forms = [head, hard]
    if len(head) > SHORTEST and head[-2] not in _VOWELS:
        forms += [head[:-1] + vowel + head[-1] for vowel in "iu"]
    return tuple(dict.fromkeys(forms))


def _verbs(head: str, tail: str) -> tuple[str, ...]:
    """Return the stems that a verb may have had: "git" of "gidiyor", "öde" of "ödüyor"."""
    forms = [head]
    if tail[0] in _VOWELS:
        forms.append(head[:-1] + _HARD.get(head[-1], head[-1]))
    if re.match(r"[iu]yor", tail):
        forms += [f"{head}a", f"{head}e"]
    return tuple(form for form in dict.fromkeys(forms) if len(form) >= BRIEF)
