"""Local time of the hospital, or a fixed time for tests."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from django.conf import settings

from zol.errors import BadInput

FORM = "2026-12-24T21:30"


def hospital_now(at: datetime | None = None) -> datetime:
    """Return a moment, by default now, in the time zone of the hospital.

    If `CLOCK_AT` is set, it is now.
    """
    zone = ZoneInfo(settings.TIME_ZONE)
    if at is None and settings.CLOCK_AT:
        return moment_of(settings.CLOCK_AT)
    return datetime.now(zone) if at is None else at.astimezone(zone)


def moment_of(text: str) -> datetime:
    """Return the moment of an ISO date and time, by default in the time zone of the hospital.

    A date without a time is midnight.

    :raises BadInput: with a message for the user.
    """
    try:
        moment = datetime.fromisoformat(text.strip())
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=ZoneInfo(settings.TIME_ZONE))
        return hospital_now(moment)
    except (ValueError, OverflowError) as error:
        raise BadInput(f"“{text}” is not a date and time: write it as {FORM}.") from error
