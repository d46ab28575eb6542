"""The content words of a question, in the hospital's language."""

from __future__ import annotations

import re
from datetime import datetime

from chat.phrases import calendar_of
from chat.turn import Context
from taxonomy.dates.reading import Moment, read
from taxonomy.language.lexicon import lexicon_of
from taxonomy.snapshot import Snapshot
from zol.text import words

_MARK = re.compile(r"\[[\w-]+\]")
_CLAUSE = re.compile(r"(?<=[.?!,;\n])\s+")
#: Words that must be left without the clauses that introduce personal data, and maximum words of
#: such a clause.
LEFT, INTRODUCES = 4, 4
#: Earlier questions included in a follow-up.
GOES_BACK = 3


def stop_words_of(snapshot: Snapshot) -> frozenset[str]:
    """Return the stop words of the content language, with the hospital's own name."""
    return snapshot.derived(_stop_words)


def _stop_words(snapshot: Snapshot) -> frozenset[str]:
    lexicon = snapshot.derived(lexicon_of)
    own = words(snapshot.profile.short_name)
    return lexicon.stop_words(snapshot.profile.default_language) | frozenset(own)


def without_marks(question: str) -> str:
    """Return a question without the marks of redacted data.

    Also drop clauses that only introduce a mark ("mijn rijksregisternummer is …") if enough is
    left, but keep statements about a person ("mijn zoon … heeft epilepsie").
    """
    if not _MARK.search(question):
        return question
    asking = [_MARK.sub(" ", each) for each in _CLAUSE.split(question) if not _introduces(each)]
    rest = " ".join(" ".join(asking).split())
    return rest if len(words(rest)) >= LEFT else _MARK.sub(" ", question)


def _introduces(clause: str) -> bool:
    """Return whether a clause is a few words that end in a mark."""
    bare = clause.rstrip(" .?!,;\n")
    return (
        bare.endswith("]")
        and bool(_MARK.search(clause))
        and (len(words(_MARK.sub(" ", clause))) <= INTRODUCES)
    )


def asked_before(ctx: Context) -> str:
    """Return the previous questions of a follow-up; empty for other questions."""
    earlier = ctx.turn.history[-GOES_BACK:] if ctx.understanding.is_followup else ()
    return " ".join(without_marks(each.question) for each in earlier)


def asked_words(ctx: Context, snapshot: Snapshot) -> tuple[str, ...]:
    """Return the content words of a question in the pages' language, each once.

    A question in that language is read as written; others, and what a follow-up takes from the
    question before, through the lexicon.
    """
    meant = ctx.understanding
    found: tuple[str, ...] = ()
    if meant.language == snapshot.profile.default_language:
        found = words(without_marks(ctx.question))
    if not found or meant.is_followup:
        found = (*found, *words(" ".join(meant.terms) or meant.query or ctx.question))
    stop = stop_words_of(snapshot)
    return tuple(dict.fromkeys(word for word in found if word not in stop))


def concepts_asked(ctx: Context, snapshot: Snapshot) -> frozenset[str]:
    """Return the names of the lexicon's concepts in a question."""
    lexicon, language = snapshot.derived(lexicon_of), ctx.understanding.written_in
    return frozenset(each.name for each in lexicon.concepts_in(words(ctx.question), language))


def moments_asked(ctx: Context, snapshot: Snapshot, now: datetime) -> tuple[Moment, ...]:
    """Return the days and times that a question names."""
    text, language = without_marks(ctx.question), ctx.understanding.written_in
    return read(text, language, now, snapshot.derived(calendar_of))
