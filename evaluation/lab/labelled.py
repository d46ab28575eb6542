"""Of which hospitals, and which questions, a command learns: what the fitting commands share."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from django.core.management.base import CommandParser

from zol.errors import BadInput


def add_hospitals(parser: CommandParser) -> None:
    parser.add_argument(
        "--hospital", action="append", default=[], metavar="SLUG", help="may be repeated"
    )
    parser.add_argument(
        "--golden",
        action="append",
        default=[],
        metavar="SLUG=FILE",
        help="questions of a hospital, instead of the stored ones",
    )


def files_of(
    settings: Sequence[str], slugs: Sequence[str], option: str = "--golden"
) -> dict[str, Path]:
    """Return the files that an option gives, by hospital."""
    found = {}
    for setting in settings:
        slug, _, path = setting.partition("=")
        if slug not in slugs or not path:
            raise BadInput(f"{option} {setting}: give SLUG=FILE, of one of {', '.join(slugs)}.")
        found[slug] = Path(path)
    return found
