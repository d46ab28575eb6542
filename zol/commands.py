"""Helpers of management commands."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from django.contrib.auth import get_user_model
from django.core.management.base import CommandError

from zol.clock import moment_of
from zol.errors import BadInput
from zol.models import Hospital


def chosen_hospital(slug: str) -> Hospital:
    """Return the hospital named on the command line, or the only one there is."""
    known = list(Hospital.objects.order_by("slug"))
    if slug:
        for hospital in known:
            if hospital.slug == slug:
                return hospital
        raise CommandError(f"There is no hospital “{slug}”. {_listed(known)}")
    if len(known) != 1:
        raise CommandError(f"Say which hospital with --hospital SLUG. {_listed(known)}")
    return known[0]


def named_user(username: str) -> Any:
    """Return the account named on the command line."""
    user = get_user_model()._default_manager.filter(username=username).first()
    if user is None:
        raise CommandError(f"There is no account “{username}”.")
    return user


def chosen_moment(text: str) -> datetime | None:
    """Return the moment given with --at; none when there is none."""
    try:
        return moment_of(text) if text else None
    except BadInput as error:
        raise CommandError(f"--at: {error}") from error


def ensure_writable(file: Path | str | None) -> None:
    """Refuse a file that the outcome of long work could not be written to, before that begins."""
    place = Path(file or os.devnull)
    if place.is_dir():
        raise CommandError(f"{place} is a folder; give the name of a file.")
    if not place.parent.is_dir():
        raise CommandError(f"{place}: there is no folder {place.parent}.")
    if not os.access(place if place.exists() else place.parent, os.W_OK):
        raise CommandError(f"{place} cannot be written.")


def write_json(file: Path | str, report: Mapping[str, Any]) -> None:
    """Write a report, for people to read and programs to parse."""
    text = json.dumps(report, ensure_ascii=False, indent=1)
    Path(file).write_text(text + "\n", encoding="utf-8")


def _listed(known: list[Hospital]) -> str:
    if not known:
        return "None is loaded yet: manage.py load_hospital DIR --publish --ingest"
    return f"Loaded: {', '.join(hospital.slug for hospital in known)}."
