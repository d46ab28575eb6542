"""The content words of a question, in the hospital's language."""

from __future__ import annotations

import re

from chat.turn import Context
from taxonomy.lexicon import lexicon_of
from taxonomy.publishing.snapshot import Snapshot
from zol.text import words

_MARK = re.compile(r"\[[\w-]+\]")
_CLAUSE = re.compile(r"(?<=[.?!,;\n])\s+")
#: Words of a question that are enough to answer it without those that introduced personal data.
LEFT = 4
#: Earlier questions that one which goes on from them is read with.
GOES_BACK = 3


def stop_words_of(snapshot: Snapshot) -> frozenset[str]:
    """Return the words that say nothing in the content language, and the hospital's own name."""
    return snapshot.derived(_stop_words)


def _stop_words(snapshot: Snapshot) -> frozenset[str]:
    lexicon = snapshot.derived(lexicon_of)
    own = words(snapshot.profile.short_name)
    return lexicon.stop_words(snapshot.profile.default_language) | frozenset(own)


def without_marks(question: str) -> str:
    """Return a question without the marks that stand for personal data: they ask for nothing.

    What only introduced them ("mijn rijksregisternummer is …") goes as well, where enough is left.
    """
    if not _MARK.search(question):
        return question
    asking = [clause for clause in _CLAUSE.split(question) if not _MARK.search(clause)]
    rest = " ".join(asking).strip()
    return rest if len(words(rest)) >= LEFT else _MARK.sub(" ", question)


def asked_before(ctx: Context) -> str:
    """Return the last questions before one that goes on from them, else nothing."""
    earlier = ctx.turn.history[-GOES_BACK:] if ctx.understanding.is_followup else ()
    return " ".join(without_marks(each.question) for each in earlier)


def asked_words(ctx: Context, snapshot: Snapshot) -> tuple[str, ...]:
    """Return the words that say what is asked, in the pages' language, each once.

    A visitor who writes that language is believed to the letter: the lexicon's word for a concept
    is another word. A follow-up also asks about what was asked before.
    """
    meant = ctx.understanding
    said: tuple[str, ...] = ()
    if meant.language == snapshot.profile.default_language:
        said = words(without_marks(ctx.question))
    if not said or meant.is_followup:
        said = (*said, *words(" ".join(meant.terms) or meant.query or ctx.question))
    stop = stop_words_of(snapshot)
    return tuple(dict.fromkeys(word for word in said if word not in stop))
