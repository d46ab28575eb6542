"""The page *Situations*, which a clinician prints and signs in each language.

It lists emergencies and requests for advice with their phrases and the texts that answer them.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import get_language, gettext

from chat.channels.frames import answer_of
from chat.models import AdvicePhrase, EmergencySituation, RedFlagPhrase
from chat.models.names import ADVICE, EMERGENCIES, TEXTS, name_in
from chat.phrases import phrases_of
from chat.safety.advice import FILE, PHRASE, ROWS
from chat.safety.emergencies.phrases import DENIAL, rows_in_force
from chat.safety.emergencies.situations import situations_of
from chat.safety.emergencies.texts import FULL
from chat.safety.phrases import rows_of
from taxonomy.publishing.live import live_snapshot
from taxonomy.publishing.snapshot import Snapshot
from zol.backoffice.base import listed
from zol.errors import NotPublished
from zol.languages import LANGUAGES, Language

ADVICE_TEXT = "refuse_medical"


@dataclass(frozen=True, slots=True)
class Situation:
    """A situation with its phrases, the fixed text that answers, and links to its rows."""

    name: str
    phrases: list[str]
    text: str = ""
    links: tuple[tuple[str, str], ...] = ()


def page_of(request: HttpRequest) -> dict[str, Any]:
    """Return the context of the page: the published situations in one language."""
    asked = request.GET.get("examples", "")
    language = asked if asked in LANGUAGES else (get_language() or "en")[:2]
    context = {
        "title": gettext("Situations"),
        "language": language,
        "languages": Language.choices(),
        "spoken": Language(language).label,
        "today": timezone.localdate(),
    }
    try:
        snapshot = live_snapshot()
    except NotPublished:
        return context
    found = _situations(snapshot, language)
    kinds = dict.fromkeys(each.text for each in found if each.text)
    phrases, profile = phrases_of(snapshot), snapshot.profile
    desk = {"desk": profile.short_name, "desk_phone": profile.helpdesk_phone or profile.phone}
    said = ((kind, phrases.say(kind, language, **desk)) for kind in kinds)
    texts = [(kind, TEXTS[kind], answer_of(text, language)) for kind, text in said]
    return context | {"situations": found, "texts": texts}


def _situations(snapshot: Snapshot, language: str) -> list[Situation]:
    """Return every situation, then the words that deny one, and requests for advice."""
    told: dict[str, list[str]] = defaultdict(list)
    for row in rows_in_force(snapshot):
        if row["language"] in (language, "any"):
            told["" if row["role"] == DENIAL else str(row["kind"])].append(str(row["text"]))
    found = [
        Situation(
            str(name_in(EMERGENCIES, each.kind)),
            told[each.kind],
            FULL + each.text,
            (
                (gettext("phrases"), listed(RedFlagPhrase, f"kind={each.kind}")),
                (gettext("desk"), listed(EmergencySituation, f"q={each.kind}")),
            ),
        )
        for each in snapshot.derived(situations_of)
    ]
    advice = [
        str(row["text"])
        for row in rows_of(snapshot, ROWS, FILE)
        if row["kind"] == PHRASE and row["language"] in (language, "any")
    ]
    link = (gettext("phrases"), listed(AdvicePhrase, f"role={AdvicePhrase.Role.PHRASE}"))
    return [
        *found,
        Situation(gettext("Words that take a phrase back"), told[""]),
        Situation(str(ADVICE[PHRASE]), advice, ADVICE_TEXT, (link,)),
    ]
