"""Recognise clauses that need no source, by the standing phrases of staff.

They express courtesy or sympathy, ask the visitor something, admit that the pages lack an answer,
refer to a number of the hospital, or give general safety advice.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from chat.checking.base import CheckedQuestion
from chat.checking.figures import PHONE
from chat.checking.knowledge import ADMISSION, Knowledge, plain
from taxonomy.language.tokens import folded, root
from zol import phones
from zol.text import sentences, words

#: Maximum content words beside a standing phrase, in a clause that introduces a list, and of words
#: beside an expression of sympathy that are not the visitor's.
BESIDE_MOST, LEAD_IN_MOST, SYMPATHY_MOST = 8, 4, 3
#: Targets of rows; beside an admission (ABSENT) words of the question are allowed too.
ASK, SYMPATHY, COURTESY = "ask", "sympathy", "courtesy"
REFERRAL, DANGER = "referral", "danger"
ABSENT = (ADMISSION, "absent")
#: Auxiliary targets: words that describe feelings, and "without delay", which negates nothing.
FEELING, HASTE = "feeling", "haste"
#: Target of phrases that turn a referral around: "instead of".
INSTEAD = "instead"
#: Qualifiers that limit a referral: "only if".
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
    """Return whether a clause is a standing phrase, claiming nothing else, or introduces a list."""
    if not _has_own_figures(clause, asked, known):
        return False
    text, code = plain(clause).strip(), asked.language
    is_question = text.endswith(("?", ";" if code == "el" else "?"))
    if _introduces(text, code, known) or (not is_question and _is_sympathy(text, asked, known)):
        return True
    text = known.standing.without(text, code, HASTE)
    return any(
        _claims_nothing(target, f"{text[: found.start()]} {text[found.end() :]}", asked, known)
        for target, found in known.standing.spans(text, code)
        if target not in (SYMPATHY, FEELING, HASTE, INSTEAD)
        and (target == ASK) == is_question
        and (target not in (REFERRAL, DANGER) or _is_call(text, clause, asked, known))
    )


def _introduces(text: str, code: str, known: Knowledge) -> bool:
    """Return whether a clause only introduces a list: "U brengt mee:"."""
    content = known.lexicon.content_words(words(text), code)
    is_short = text.endswith(":") and len(content) <= LEAD_IN_MOST
    is_harmless = not known.risky.targets(text, code)
    return is_short and is_harmless and "not" not in known.qualifiers.targets(text, code)


def _is_sympathy(text: str, asked: CheckedQuestion, known: Knowledge) -> bool:
    """Return whether a clause only expresses sympathy, in words of rows and of the visitor."""
    code = asked.language
    if not any(target == SYMPATHY for target, _ in known.standing.spans(text, code)):
        return False
    beside = known.standing.without(text, code, SYMPATHY, COURTESY, FEELING)
    left = _content_words(beside, asked, known)
    if "not" in known.qualifiers.targets(beside, code):
        # A negation of the visitor's words would claim something.
        allowed = known.beside.get(code, frozenset())
        return allowed.issuperset(left) and not known.risky.targets(beside, code)
    own = {root(word, code) for text in asked.questions for word in folded(text)}
    strange = [word for word in left if root(word, code) not in own]
    is_risky = known.risky.targets(" ".join(strange), code)
    return len(strange) <= SYMPATHY_MOST and not is_risky and known.called.isdisjoint(strange)


def _content_words(text: str, asked: CheckedQuestion, known: Knowledge) -> list[str]:
    """Return the content words of a text, without numbers."""
    found = known.lexicon.content_words(folded(text), asked.language)
    return [word for word in found if len(word) > 1 and not word.isdigit()]


def _claims_nothing(target: str, beside: str, asked: CheckedQuestion, known: Knowledge) -> bool:
    """Return whether the words beside a standing phrase claim nothing."""
    code = asked.language
    left = _content_words(beside, asked, known)
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
    """Return whether a clause refers to a telephone number without limits such as "only if"."""
    code = asked.language
    figures = known.figures.read(clause, code)
    is_dialled = any(each.unit == PHONE or each.readings & known.helping for each in figures)
    is_other = any(target == INSTEAD for target, _ in known.standing.spans(text, code))
    return is_dialled and not is_other and LIMITING.isdisjoint(known.qualifiers.targets(text, code))


def _has_own_figures(clause: str, asked: CheckedQuestion, known: Knowledge) -> bool:
    """Return whether all figures of a clause are the hospital's numbers or emergency numbers."""
    own = known.hospital | known.helping
    figures = known.figures.read(clause, asked.language)
    short = [figure for figure in figures if figure.unit != PHONE]
    # In "112 an" the next word is a unit in another language.
    return own.issuperset(phones.numbers(clause, known.figures.home)) and all(
        not figure.readings.isdisjoint(known.helping if figure.unit else own) for figure in short
    )
