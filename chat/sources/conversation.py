"""The conversation so far as a model reads it: what a question leans on, and no source."""

from __future__ import annotations

import re

from chat.safety.attacks import as_line
from chat.tools import Tools
from chat.turn import Turn

#: Exchanges that are told whole, further ones of which the question is, and tokens of all.
WHOLE, QUESTIONS, MOST_TOKENS = 3, 2, 1_500
#: Tokens of which a part of an answer consists at least.
FEWEST_TOKENS = 50
#: The mark of a source, and the sign of a quotation.
_MARK = re.compile(r"\s*\[\d+\]")
_QUOTED = re.compile(r"^\s*>\s?", re.MULTILINE)


def conversation_of(turn: Turn, tools: Tools) -> str:
    """Return the last exchanges, the oldest first, an utterance a line; empty at the beginning.

    Answers come without marks of sources. A quotation stays: a later question leans on what was
    shown, also where it is a page's own line. What is too long loses its oldest answers first, then
    the end of the last one.
    """
    earlier = turn.history[-WHOLE - QUESTIONS :]
    said = [(f"Visitor: {as_line(each.question)}", _answer(each.answer)) for each in earlier]
    kept, room = list[str](), MOST_TOKENS
    for question, _ in said:
        room -= tools.corpus.count_tokens(question)
    for age, (question, answer) in enumerate(reversed(said)):
        spoken = _shortened(answer, room, tools) if age < WHOLE else ""
        room -= tools.corpus.count_tokens(spoken)
        kept[:0] = [question, spoken] if spoken else [question]
    return "\n".join(kept)


def _answer(text: str) -> str:
    said = as_line(_MARK.sub("", _QUOTED.sub("", text)).replace("**", ""))
    return f"Assistant: {said}" if said else ""


def _shortened(answer: str, room: int, tools: Tools) -> str:
    words = answer.split(" ") if room >= FEWEST_TOKENS else []
    while words and tools.corpus.count_tokens(" ".join(words)) > room:
        words = words[: len(words) * 3 // 4]
    return " ".join(words)
