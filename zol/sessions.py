"""Sessions of staff, each request of whom puts off their end."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime, timedelta

from django.contrib.sessions.backends import db
from django.contrib.sessions.backends.base import UpdateError
from django.contrib.sessions.models import Session
from django.utils import timezone

#: An end that was put off so lately stays: most requests write nothing.
LATELY = timedelta(minutes=1)


class SessionStore(db.SessionStore):
    _end: datetime | None = None

    def _get_session_from_db(self) -> Session | None:
        row: Session | None = super()._get_session_from_db()  # type: ignore[misc]
        self._end = row.expire_date if row else None
        return row

    def save(self, must_create: bool = False) -> None:  # noqa: FBT001, FBT002 (Django's)
        wanted = timezone.now() + timedelta(seconds=self.get_session_cookie_age())
        is_changed = must_create or self.modified
        if not is_changed and self._end and wanted - self._end < LATELY:
            return
        # Where the database is read-only, who is signed in reads on: the old end stands.
        with suppress(UpdateError):
            super().save(must_create)
