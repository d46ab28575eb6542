"""An answer in text as its page shows it: what a reader who grades it must see."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from chat.pages import speech_of
from chat.phrases import filled
from chat.turn import Context
from chat.views import shown
from taxonomy.selectors import live_snapshot


def text_of_page(ctx: Context, language: str) -> str:
    """Return an answer with its button, badges, contact card, disclaimer and next questions."""
    return "\n\n".join(filter(None, _parts(ctx, language)))


def _parts(ctx: Context, language: str) -> Iterator[str]:
    page = shown(ctx, speech_of(language))
    beside, contact = page["beside"], page["contact"]
    if page["is_emergency"]:
        number = live_snapshot().profile.emergency_phone
        yield f"[{filled(beside['call'], {'number': number})}]"
    yield ctx.answer
    badges = {"verified": "verified_badge", "quotes": "quoting_notice", "degraded": "degraded"}
    yield "\n".join(f"[{beside[text]}]" for name, text in badges.items() if page[name])
    if contact:
        yield "\n".join(_card(contact, beside))
    if not page["is_emergency"]:
        yield beside["disclaimer"]
    if page["follow_ups"]:
        asked = "\n".join(f"- {question}" for question in page["follow_ups"])
        yield f"{beside['follow_ups']}:\n{asked}"


def _card(contact: dict[str, Any], beside: dict[str, str]) -> Iterator[str]:
    yield f"{beside['contact']}: {contact['name']}"
    for place in contact["places"]:
        yield " · ".join(filter(None, (place["name"], place["address"])))
    if contact["hours"]:
        yield f"{beside['contact_hours']}: {contact['hours']}"
    if contact["phone"]:
        yield f"[{filled(beside['call'], {'number': contact['phone']})}]"
