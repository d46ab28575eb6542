"""Verbs that are written in two, put together: "zeg … af" is read "afzeg", "sage … ab" "absage".

No list of verbs or particles: the lexicon knows which words put together stand for something.
"""

from __future__ import annotations

from collections.abc import Sequence

from taxonomy.lexicon import FUNCTION, Lexicon
from taxonomy.tokens import Token

#: Languages that write some verbs in two; in others a last word would be tied to any before it.
LANGUAGES = frozenset({"nl", "de"})
#: Letters of a particle, and of the verb that it left.
PARTICLE, VERB = range(2, 6), 3
#: Words between the two at most.
APART = 12
#: Words that part a verb from a particle before it: "af te zeggen" (German writes these as one).
BETWEEN = "te"
ENDS = frozenset(".,;:!?")


def whole_verbs(words: Sequence[Token], text: str, lexicon: Lexicon, language: str) -> list[str]:
    """Return the folded words of a text, as many as there are, with divided verbs in one.

    The verb stands in its particle's place where the particle closes a sentence; in its own where
    "te" follows the particle.
    """
    plain = [word.folded for word in words]
    if language not in LANGUAGES:
        return plain
    for at, word in enumerate(words):
        if len(word.folded) not in PARTICLE:
            continue
        if plain[at + 1 : at + 2] == [BETWEEN] and at + 2 < len(plain):
            if _stands_for_something(word.folded + plain[at + 2], lexicon, language):
                plain[at + 2] = word.folded + plain[at + 2]
        elif _closes(word, text):
            before = (verb for verb in plain[max(0, at - APART) : at] if len(verb) >= VERB)
            whole = (word.folded + verb for verb in before)
            found = (verb for verb in whole if _stands_for_something(verb, lexicon, language))
            plain[at] = next(found, plain[at])
    return plain


def _closes(word: Token, text: str) -> bool:
    rest = text[word.end :].lstrip()
    return not rest or rest[0] in ENDS


def _stands_for_something(word: str, lexicon: Lexicon, language: str) -> bool:
    return any(concept.kind != FUNCTION for concept in lexicon.find(word, language))
