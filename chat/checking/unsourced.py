"""Clauses that need no source: courtesy, a question to the visitor, an admission that the pages
lack something, a referral to a number, and general safety advice."""

from __future__ import annotations

import re
from collections.abc import Iterator

from chat.checking.base import CheckedQuestion
from chat.checking.figures import PHONE
from chat.checking.knowledge import ADMISSION, Knowledge, plain
from taxonomy.language.tokens import folded, root
from zol import phones
from zol.text import sentences, words

#: Maximum content words beside a standing phrase, of a clause with a colon, and of sympathy.
BESIDE_MOST, LEAD_IN_MOST, SYMPATHY_MOST = 8, 4, 3
#: Row targets; ABSENT also allows words of the question.
ASK, SYMPATHY, COURTESY = "ask", "sympathy", "courtesy"
REFERRAL, DANGER = "referral", "danger"
ABSENT = (ADMISSION, "absent")
#: Auxiliary targets: words of sympathy, and "without delay" with a referral, which negates nothing.
FEELING, HASTE = "feeling", "haste"
#: Target that changes a referral: "instead of".
INSTEAD = "instead"
#: Qualifiers that change it too: "only if".
LIMITING = frozenset({"not", "only"})
_CLAUSE = re.compile(r"(?<=;)\s+")
_PART = re.compile(r"(?<=[:,–—])\s+")


def claimed(text: str, asked: CheckedQuestion, known: Knowledge) -> Iterator[str]:
    """Yield the clauses of a statement that need a line."""
    for sentence in sentences(text):
        for clause in filter(None, _CLAUSE.split(sentence)):
            parts = _PART.split(clause)
            if not needs_no_source(clause, asked, known) and not (
                len(parts) > 1 and all(needs_no_source(part, asked, known) for part in parts)
            ):
                yield clause


def needs_no_source(clause: str, asked: CheckedQuestion, known: Knowledge) -> bool:
    """Return whether a clause needs no source: a standing phrase with only its own words beside it,
    or, if the pages lack something, words of the question."""
    if not _has_own_figures(clause, asked, known):
        return False
    text, code = plain(clause).strip(), asked.language
    is_question = text.endswith(("?", ";" if code == "el" else "?"))
    if _opens(text, code, known) or (not is_question and _is_sympathy(text, asked, known)):
        return True
    own = known.standing.without(text, code, HASTE)
    return any(
        _needs_no_line(target, f"{own[: found.start()]} {own[found.end() :]}", asked, known)
        for target, found in known.standing.spans(own, code)
        if target not in (SYMPATHY, FEELING, HASTE, INSTEAD)
        and (target == ASK) == is_question
        and (target not in (REFERRAL, DANGER) or _is_call(own, clause, asked, known))
    )


def _opens(text: str, code: str, known: Knowledge) -> bool:
    """Return whether a clause only introduces a list: "U brengt mee:"."""
    spoken = known.lexicon.content_words(words(text), code)
    is_short = text.endswith(":") and len(spoken) <= LEAD_IN_MOST
    is_harmless = not known.risky.targets(text, code)
    return is_short and is_harmless and "not" not in known.qualifiers.targets(text, code)


def _is_sympathy(text: str, asked: CheckedQuestion, known: Knowledge) -> bool:
    """Return whether a clause only expresses sympathy, in words of rows and the visitor: "… that
    your husband is in intensive care"; with a negation, in words of rows only."""
    code = asked.language
    if not any(target == SYMPATHY for target, _ in known.standing.spans(text, code)):
        return False
    beside = known.standing.without(text, code, SYMPATHY, COURTESY, FEELING)
    left = _spoken(beside, asked, known)
    if "not" in known.qualifiers.targets(beside, code):
        allowed = known.beside.get(code, frozenset())
        return allowed.issuperset(left) and not known.risky.targets(beside, code)
    own = {root(word, code) for text in asked.questions for word in folded(text)}
    strange = [word for word in left if root(word, code) not in own]
    is_risky = known.risky.targets(" ".join(strange), code)
    return len(strange) <= SYMPATHY_MOST and not is_risky and known.called.isdisjoint(strange)


def _spoken(text: str, asked: CheckedQuestion, known: Knowledge) -> list[str]:
    """Return the content words of a text, without numbers."""
    spoken = known.lexicon.content_words(folded(text), asked.language)
    return [word for word in spoken if len(word) > 1 and not word.isdigit()]


def _needs_no_line(target: str, beside: str, asked: CheckedQuestion, known: Knowledge) -> bool:
    """Return whether nothing is claimed beside a standing phrase."""
    code = asked.language
    left = _spoken(beside, asked, known)
    if target == ASK:
        return len(left) <= BESIDE_MOST
    if target not in ABSENT and "not" in known.qualifiers.targets(beside, code):
        return False
    allowed = set(known.beside.get(code, ()))
    if target in ABSENT:
        allowed |= {word for text in asked.questions for word in folded(text)}
    strange = [word for word in left if word not in allowed]
    return len(strange) <= (max(1, len(left) // 2) if target in ABSENT else 0)


def _is_call(text: str, clause: str, asked: CheckedQuestion, known: Knowledge) -> bool:
    """Return whether a clause refers to a number, without limits, whoever's it is."""
    code = asked.language
    figures = known.figures.read(clause, code)
    is_dialled = any(each.unit == PHONE or each.readings & known.helping for each in figures)
    is_other = any(target == INSTEAD for target, _ in known.standing.spans(text, code))
    return is_dialled and not is_other and LIMITING.isdisjoint(known.qualifiers.targets(text, code))


def _has_own_figures(clause: str, asked: CheckedQuestion, known: Knowledge) -> bool:
    """Return whether its only figures are the hospital's numbers, or emergency numbers."""
    own = known.hospital | known.helping
    figures = known.figures.read(clause, asked.language)
    short = [figure for figure in figures if figure.unit != PHONE]
    # "112 an": in another language the next word is a unit.
    return own.issuperset(phones.numbers(clause, known.figures.home)) and all(
        not figure.readings.isdisjoint(known.helping if figure.unit else own) for figure in short
    )
