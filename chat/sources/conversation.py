"""The conversation as prompt context, which is not citable evidence."""

from __future__ import annotations

import re

from chat.safety.attacks import as_line
from chat.tools import Tools
from chat.turn import Turn

#: Exchanges given in full, further ones given as questions only, and the token limit.
WHOLE, QUESTIONS, MOST_TOKENS = 3, 2, 1_500
#: Minimum tokens of a truncated answer.
FEWEST_TOKENS = 50
#: Citation marks, and Markdown's quotation sign.
_MARK = re.compile(r"\s*\[\d+\]")
_QUOTED = re.compile(r"^\s*>\s?", re.MULTILINE)


def conversation_of(turn: Turn, tools: Tools) -> str:
    """Return the last exchanges, oldest first, one utterance per line; empty at the start.

    Citation marks are removed. Quotations stay, because a follow-up may refer to them. If too long,
    the oldest answers are dropped first, then the last one is truncated.
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
