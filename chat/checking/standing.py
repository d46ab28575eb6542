"""Clauses that the product itself may say: courtesy, a question to the visitor, that the pages do
not tell, whom to ring, and what is said of every medicine and danger."""

from __future__ import annotations

import re
from collections.abc import Iterator

from chat.checking.amounts import PHONE
from chat.checking.cited import Asked
from chat.checking.knowledge import ADMISSION, Knowledge
from taxonomy.tokens import folded
from zol import phones
from zol.text import fold, sentences, words

#: Words of content beside a phrase that needs no line, at most; and of a clause with a colon.
BESIDE_MOST, LEAD_IN_MOST, SYMPATHY_MOST = 8, 4, 3
#: Targets of rows; beside ABSENT, words of the question may stand too.
ASK, SYMPATHY, REFERRAL = "ask", "sympathy", "referral"
ABSENT = (ADMISSION, "absent")
_CLAUSE = re.compile(r"(?<=;)\s+")


def claimed(text: str, asked: Asked, known: Knowledge) -> Iterator[str]:
    """Yield the clauses of a statement that need a line: not courtesy, not a question to the
    visitor, not that the pages do not tell, not what is said of every medicine and danger."""
    for sentence in sentences(text):
        for clause in _CLAUSE.split(sentence):
            if clause and not is_standing(clause, asked, known):
                yield clause


def is_standing(clause: str, asked: Asked, known: Knowledge) -> bool:
    """Whether the product itself may say a clause: a phrase of its rows, and beside that only
    words that belong to them, or, where the pages do not tell something, words of the question."""
    if not _has_own_figures(clause, asked, known):
        return False
    plain, code = fold(clause).replace("’", "'").strip(), asked.language
    is_question = plain.endswith(("?", ";" if code == "el" else "?"))
    if _opens(plain, code, known):
        return True
    return any(
        _needs_no_line(target, f"{plain[: found.start()]} {plain[found.end() :]}", asked, known)
        for target, found in known.standing.spans(plain, code)
        if (target == ASK) == is_question
        and (target != REFERRAL or phones.numbers(clause, known.figures.home))
    )


def _opens(plain: str, code: str, known: Knowledge) -> bool:
    """Whether a clause only announces what follows: "U brengt mee:"."""
    spoken = known.lexicon.content_words(words(plain), code)
    is_short = plain.endswith(":") and len(spoken) <= LEAD_IN_MOST
    is_harmless = not known.risky.targets(plain, code)
    return is_short and is_harmless and "not" not in known.qualifiers.targets(plain, code)


def _needs_no_line(target: str, beside: str, asked: Asked, known: Knowledge) -> bool:
    """Whether nothing is claimed beside a standing phrase."""
    code = asked.language
    spoken = known.lexicon.content_words(folded(beside), code)
    left = [word for word in spoken if len(word) > 1 and not word.isdigit()]
    if target == ASK:
        return len(left) <= BESIDE_MOST
    if target not in ABSENT and "not" in known.qualifiers.targets(beside, code):
        return False
    if target == SYMPATHY:
        # "… that your husband is in intensive care" says what the visitor said.
        own = {word for text in asked.told for word in folded(text)}
        strange = [word for word in left if word not in own]
        is_risky = known.risky.targets(" ".join(strange), code)
        return len(strange) <= SYMPATHY_MOST and not is_risky
    allowed = set(known.beside.get(code, ()))
    if target in ABSENT:
        allowed |= {word for text in asked.told for word in folded(text)}
    strange = [word for word in left if word not in allowed]
    return len(strange) <= (max(1, len(left) // 2) if target in ABSENT else 0)


def _has_own_figures(clause: str, asked: Asked, known: Knowledge) -> bool:
    """Whether the only figures are numbers of the hospital."""
    dialled = [*phones.numbers(clause, known.figures.home)]
    figures = known.figures.read(clause, asked.language)
    short = [figure for figure in figures if figure.unit != PHONE]
    return known.hospital.issuperset(dialled) and all(
        not figure.unit and not figure.readings.isdisjoint(known.hospital) for figure in short
    )
