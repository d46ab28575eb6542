"""The certainty of an answer: the field that a model's answer has, else read from its fixed texts.

An answer that says it only comes close, or that a part was not found, is near; a kept one says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from chat.behaviours import Behaviour, Certainty
from chat.phrases import Phrases
from chat.turn import Context

__all__ = ["UNSURE", "Certainty", "certainty_of", "says_one"]

#: Texts that an answer says where nothing was found, and where it is not sure.
NOTHING_FOUND = ("no_answer", "complaint_contact")
HEDGES = ("lead_uncertain", "uncertain_contact", "no_answer_part")
#: What is not ours to read in a text: what was filled in, and the mark of a source.
_FILLED = re.compile(r"\\\{[a-z_]+\\\}")


#: With these somebody was not helped, or may not have been.
UNSURE = (Certainty.NEAR, Certainty.NOTHING)


def certainty_of(ctx: Context, phrases: Phrases) -> Certainty:
    """Return how sure the answer of a turn is of itself."""
    if ctx.behaviour is not Behaviour.ANSWER or ctx.reply.certainty:
        return ctx.reply.certainty
    if says_one(ctx, phrases, NOTHING_FOUND):
        return Certainty.NOTHING
    if says_one(ctx, phrases, HEDGES):
        return Certainty.NEAR
    if ctx.reply.is_curated:
        return Certainty.CURATED
    return Certainty.FACT if ctx.reply.verified else Certainty.SURE


def says_one(ctx: Context, phrases: Phrases, kinds: Iterable[str]) -> bool:
    """Whether an answer says one of some fixed texts, in a language that it is given in."""
    languages = ctx.understanding.answered_in
    texts = (phrases.say(kind, code) for kind in kinds if phrases.has(kind) for code in languages)
    return any(_says(ctx.answer, text) for text in texts if text)


def _says(answer: str, text: str) -> bool:
    return re.search(_FILLED.sub(".{1,200}?", re.escape(text)), answer, re.DOTALL) is not None
