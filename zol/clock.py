"""Clock of the hospital: its local time, or the time set for a test."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from django.conf import settings

from zol.errors import BadInput

FORM = "2026-12-24T21:30"


def hospital_now(at: datetime | None = None) -> datetime:
    """Return a moment, or else the present one, as the hospital's own clock shows it.

    The present is `CLOCK_AT` where that is set.
    """
    zone = ZoneInfo(settings.TIME_ZONE)
    if at is None and settings.CLOCK_AT:
        return moment_of(settings.CLOCK_AT)
    return datetime.now(zone) if at is None else at.astimezone(zone)


def moment_of(text: str) -> datetime:
    """Return the moment of an ISO date and time; without a zone it is the hospital's own time.

    A date alone is its first minute. What is none is a `BadInput` with words for whoever wrote it.
    """
    try:
        moment = datetime.fromisoformat(text.strip())
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=ZoneInfo(settings.TIME_ZONE))
        return hospital_now(moment)
    except (ValueError, OverflowError) as error:
        raise BadInput(f"“{text}” is not a date and time: write it as {FORM}.") from error
