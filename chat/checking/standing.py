"""Clauses that the product itself may say: courtesy, a question to the visitor, that the pages do
not tell, whom to ring, and what is said of every medicine and danger."""

from __future__ import annotations

import re
from collections.abc import Iterator

from chat.checking.amounts import PHONE
from chat.checking.cited import Asked
from chat.checking.knowledge import ADMISSION, Knowledge
from taxonomy.language.tokens import folded, root
from zol import phones
from zol.text import fold, sentences, words

#: Words of content beside a phrase that needs no line, at most; and of a clause with a colon.
BESIDE_MOST, LEAD_IN_MOST, SYMPATHY_MOST = 8, 4, 3
#: Targets of rows; beside ABSENT, words of the question may stand too.
ASK, SYMPATHY, COURTESY = "ask", "sympathy", "courtesy"
REFERRAL, DANGER = "referral", "danger"
ABSENT = (ADMISSION, "absent")
#: Targets that make nothing standing: of words beside sympathy, and "without delay" beside a call,
#: which denies nothing.
FEELING, HASTE = "feeling", "haste"
#: And that make a call another one: "instead of".
INSTEAD = "instead"
#: Qualifiers that do so too: "only if".
LIMITING = frozenset({"not", "only"})
_CLAUSE = re.compile(r"(?<=;)\s+")
_PART = re.compile(r"(?<=[:,–—])\s+")


def claimed(text: str, asked: Asked, known: Knowledge) -> Iterator[str]:
    """Yield the clauses of a statement that need a line: not courtesy, not a question to the
    visitor, not that the pages do not tell, not what is said of every medicine and danger."""
    for sentence in sentences(text):
        for clause in filter(None, _CLAUSE.split(sentence)):
            parts = _PART.split(clause)
            if not is_standing(clause, asked, known) and not (
                len(parts) > 1 and all(is_standing(part, asked, known) for part in parts)
            ):
                yield clause


def is_standing(clause: str, asked: Asked, known: Knowledge) -> bool:
    """Return whether the product itself may say a clause: a phrase of its rows, and beside that
    only words that belong to them, or, where the pages do not tell something, words of the
    question."""
    if not _has_own_figures(clause, asked, known):
        return False
    plain, code = fold(clause).replace("’", "'").strip(), asked.language
    is_question = plain.endswith(("?", ";" if code == "el" else "?"))
    if _opens(plain, code, known) or (not is_question and _is_sympathy(plain, asked, known)):
        return True
    own = known.standing.without(plain, code, HASTE)
    return any(
        _needs_no_line(target, f"{own[: found.start()]} {own[found.end() :]}", asked, known)
        for target, found in known.standing.spans(own, code)
        if target not in (SYMPATHY, FEELING, HASTE, INSTEAD)
        and (target == ASK) == is_question
        and (target not in (REFERRAL, DANGER) or _is_call(own, clause, asked, known))
    )


def _opens(plain: str, code: str, known: Knowledge) -> bool:
    """Return whether a clause only announces what follows: "U brengt mee:"."""
    spoken = known.lexicon.content_words(words(plain), code)
    is_short = plain.endswith(":") and len(spoken) <= LEAD_IN_MOST
    is_harmless = not known.risky.targets(plain, code)
    return is_short and is_harmless and "not" not in known.qualifiers.targets(plain, code)


def _is_sympathy(plain: str, asked: Asked, known: Knowledge) -> bool:
    """Return whether a clause only feels with the visitor, in words of rows and their own: "… that
    your husband is in intensive care". What denies something holds no word but those of rows."""
    code = asked.language
    if not any(target == SYMPATHY for target, _ in known.standing.spans(plain, code)):
        return False
    beside = known.standing.without(plain, code, SYMPATHY, COURTESY, FEELING)
    left = _spoken(beside, asked, known)
    if "not" in known.qualifiers.targets(beside, code):
        allowed = known.beside.get(code, frozenset())
        return allowed.issuperset(left) and not known.risky.targets(beside, code)
    own = {root(word, code) for text in asked.told for word in folded(text)}
    strange = [word for word in left if root(word, code) not in own]
    is_risky = known.risky.targets(" ".join(strange), code)
    return len(strange) <= SYMPATHY_MOST and not is_risky and known.called.isdisjoint(strange)


def _spoken(text: str, asked: Asked, known: Knowledge) -> list[str]:
    """Return the words of content of a text, without numbers."""
    spoken = known.lexicon.content_words(folded(text), asked.language)
    return [word for word in spoken if len(word) > 1 and not word.isdigit()]


def _needs_no_line(target: str, beside: str, asked: Asked, known: Knowledge) -> bool:
    """Return whether nothing is claimed beside a standing phrase."""
    code = asked.language
    left = _spoken(beside, asked, known)
    if target == ASK:
        return len(left) <= BESIDE_MOST
    if target not in ABSENT and "not" in known.qualifiers.targets(beside, code):
        return False
    allowed = set(known.beside.get(code, ()))
    if target in ABSENT:
        allowed |= {word for text in asked.told for word in folded(text)}
    strange = [word for word in left if word not in allowed]
    return len(strange) <= (max(1, len(left) // 2) if target in ABSENT else 0)


def _is_call(plain: str, clause: str, asked: Asked, known: Knowledge) -> bool:
    """Return whether a clause sends to a number, without limits; `_has_own_figures` tells whose."""
    code = asked.language
    figures = known.figures.read(clause, code)
    is_dialled = any(each.unit == PHONE or each.readings & known.helping for each in figures)
    is_other = any(target == INSTEAD for target, _ in known.standing.spans(plain, code))
    return (
        is_dialled and not is_other and LIMITING.isdisjoint(known.qualifiers.targets(plain, code))
    )


def _has_own_figures(clause: str, asked: Asked, known: Knowledge) -> bool:
    """Return whether the only figures are numbers of the hospital, and those that help in
    danger."""
    own = known.hospital | known.helping
    figures = known.figures.read(clause, asked.language)
    short = [figure for figure in figures if figure.unit != PHONE]
    # "112 an": the word behind it is a unit in another language.
    return own.issuperset(phones.numbers(clause, known.figures.home)) and all(
        not figure.readings.isdisjoint(known.helping if figure.unit else own) for figure in short
    )
