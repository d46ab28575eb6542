"""What every page of the chat shows: the hospital, its language menu, its strings and notices."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest

from chat.consumers import LONGEST_QUESTION
from chat.interface import interface_of
from chat.phrases import Phrases, phrases_of
from taxonomy.selectors import live_snapshot, profile_of
from zol.errors import NotPublished
from zol.languages import Language
from zol.models import Hospital

#: Approved texts that the page says in its own language.
NOTICES = ("ai_notice", "input_hint", "offline", "rate_limited", "too_long", "error")
#: Approved texts that stand beside an answer, in the answer's language.
BESIDE_ANSWERS = ("disclaimer", "verified_badge", "quoting_notice", "degraded")


@dataclass(frozen=True, slots=True)
class Speech:
    """The approved texts of the hospital being served; none of them before it has published."""

    phrases: Phrases | None
    language: str

    @property
    def is_ready(self) -> bool:
        return self.phrases is not None

    def notices(self) -> dict[str, str]:
        return self._said(NOTICES, self.language)

    def beside(self, language: str) -> dict[str, str]:
        """Return what is said beside an answer that is in a language."""
        return self._said(BESIDE_ANSWERS, language)

    def _said(self, kinds: tuple[str, ...], language: str) -> dict[str, str]:
        if self.phrases is None:
            return dict.fromkeys(kinds, "")
        return {
            kind: self.phrases.say(kind, language, max_chars=LONGEST_QUESTION) for kind in kinds
        }


def speech_of(language: str) -> Speech:
    """Return the approved texts in force."""
    try:
        return Speech(phrases_of(live_snapshot()), language)
    except NotPublished:
        return Speech(None, language)


def hospital_of(request: HttpRequest) -> Hospital:
    """Return the hospital that the middleware found for this request."""
    hospital: Hospital = request.hospital  # type: ignore[attr-defined]
    return hospital


def language_of(request: HttpRequest) -> str:
    """Return the language of the page, as the middleware chose it."""
    return str(request.LANGUAGE_CODE)


def frame_of_page(request: HttpRequest, speech: Speech) -> dict[str, Any]:
    """Return what the templates of every page need."""
    hospital = hospital_of(request)
    return {
        "hospital": hospital,
        "ui": interface_of(profile_of(hospital), speech.language),
        "texts": speech.notices(),
        "language": speech.language,
        "languages": [(code, Language(code).label) for code in hospital.languages],
        "longest_question": LONGEST_QUESTION,
    }
