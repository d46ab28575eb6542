"""Whether the answer is in the asker's language: as it says itself, and as it sounds.

Quotations stay in the language of the page and names in the hospital's, so only the sentences of
our own are listened to, and only a clear sound of another language counts against the answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from lingua import IsoCode639_1, LanguageDetector, LanguageDetectorBuilder

from evaluation.cases import Case
from evaluation.metrics.base import Outcome, Score
from zol.languages import LANGUAGES

#: Words below which sentences of our own are too short to listen to.
FEWEST_WORDS = 8
#: How sure the statistics must be of the other language, and how unsure of the right one.
OTHER, RIGHT = 0.85, 0.05
#: Quoted lines and lists of names.
_NOT_OURS = re.compile(r"^[ \t]*(?:>|[-•*][ \t]|\d+\.[ \t]).*$", re.MULTILINE)
#: What is quoted of a line, without the signs of a list.
_QUOTED = re.compile(r"^[ \t]*>[ \t]*(?:[-•*][ \t]|\d+\.[ \t])?(.*)$", re.MULTILINE)
_NO_WORD = re.compile(r"\[\d+\]|https?://\S+|\S+@\S+|\d[\d\s./:,-]*|[*_“”\"]")
#: A capital inside a sentence starts a name in all but one of our languages.
_NAME = re.compile(r"(?<=[^.!?:\n] )[A-ZÀ-Þ][\w’'-]*")


def language(case: Case, outcome: Outcome) -> Score:
    """Whether the language of the answer is the asker's."""
    if outcome.language != case.language:
        return Score(
            0.0, f"answered in {outcome.language or 'no language'}, asked in {case.language}"
        )
    heard = heard_instead(own_words(outcome.answer, outcome.names), case.language)
    return Score(0.0, f"says {case.language}, sounds like {heard}") if heard else Score(1.0)


def passage_language(case: Case, outcome: Outcome) -> Score | None:
    """Whether what is quoted can be read by the asker too; counted by itself."""
    quoted = " ".join(_QUOTED.findall(outcome.answer))
    if not quoted:
        return None
    heard = heard_instead(own_words(quoted, outcome.names), case.language)
    return Score(0.0, f"quotes {heard}") if heard else Score(1.0)


def own_words(answer: str, names: Iterable[str] = ()) -> str:
    """Return the sentences of an answer that are ours: no quotations, lists, names or numbers."""
    text = _NOT_OURS.sub(" ", answer)
    for name in sorted(names, key=len, reverse=True):
        text = text.replace(name, " ")
    return " ".join(_NAME.sub(" ", _NO_WORD.sub(" ", text)).split())


def heard_instead(text: str, expected: str) -> str:
    """Return the language that our sentences clearly are in instead; empty when none."""
    if len(text.split()) < FEWEST_WORDS:
        return ""
    heard = {
        found.language.iso_code_639_1.name.lower(): found.value
        for found in _detector().compute_language_confidence_values(text)
    }
    first = max(heard, key=lambda code: heard[code])
    is_other = first != expected and heard[first] >= OTHER and heard.get(expected, 0.0) <= RIGHT
    return first if is_other else ""


@cache
def _detector() -> LanguageDetector:
    codes = [getattr(IsoCode639_1, code.upper()) for code in LANGUAGES]
    return LanguageDetectorBuilder.from_iso_codes_639_1(*codes).with_low_accuracy_mode().build()
