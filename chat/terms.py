"""The words that a question is looked up by, and what each counts.

A page may call a thing by another name than the visitor: so every name of what is spoken of is
looked up, and they share what one would count. Who asks and when says less than what is asked.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt

from chat.engines.embedded.question import terms_of
from chat.tools import Tools
from chat.turn import Context
from chat.wording import stop_words_of
from zol.text import words

#: What a word counts that names nothing we know, or was only added to the question.
ADDED = 0.5


def weighted_words(ctx: Context, tools: Tools, text: str) -> Mapping[str, float]:
    """Return folded words with what each counts: all names of what is meant, and those of a text.

    Names in the pages' language and in the asker's: a page in that one is the better answer.
    """
    languages = (tools.snapshot.profile.default_language, ctx.understanding.language)
    stop, stem = stop_words_of(tools.snapshot), tools.stem
    weights = {word: ADDED for word in words(text) if word not in stop}
    for term in terms_of(ctx, tools, tuple(dict.fromkeys(languages))):
        said = {word for name in term.names for word in words(name) if word not in stop}
        share = term.worth / sqrt(max(1, len({stem(word) for word in said})))
        weights |= {word: max(weights.get(word, 0.0), share) for word in said}
    return weights
