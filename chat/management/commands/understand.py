"""`manage.py understand "QUESTION"`: show what a question means, without answering it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from chat.turn import Turn
from chat.wiring import explained
from taxonomy.publishing.live import live_snapshot
from zol.commands import chosen_hospital, chosen_moment
from zol.errors import NotPublished
from zol.languages import LANGUAGES
from zol.tenancy import serving

#: Asked once unmeasured, so that no measurement includes loading.
WARM_UP = "?"


class Command(BaseCommand):
    help = "Print how one question, or each question of a file, is understood, without an answer."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("question", nargs="?", default="")
        parser.add_argument("--file", type=Path, help='JSON lines: {"text", "language"?}')
        parser.add_argument("--hospital", default="", help="slug; needed when several are loaded")
        parser.add_argument(
            "--language", default="", choices=[*LANGUAGES, ""], help="language of the page"
        )
        parser.add_argument(
            "--at", default="", metavar="ISO", help="time at which the question is asked"
        )
        parser.add_argument("--json", action="store_true", help="one JSON object per question")

    def handle(self, *args: Any, **options: Any) -> None:
        questions = list(_questions(options["question"], options["file"]))
        at = chosen_moment(options["at"])
        with serving(chosen_hospital(options["hospital"])):
            try:
                snapshot = live_snapshot()
            except NotPublished as error:
                raise CommandError(str(error)) from error
            page = options["language"] or snapshot.profile.default_language
            explained(Turn(WARM_UP, page), snapshot)
            for text, language in questions:
                found = explained(Turn(text, language or page, at=at), snapshot)
                line = json.dumps(found, ensure_ascii=False) if options["json"] else _as_text(found)
                self.stdout.write(line)


def _questions(question: str, file: Path | None) -> Iterator[tuple[str, str]]:
    if bool(question) == (file is not None):
        raise CommandError('Give one question, or --file with lines of {"text", "language"?}.')
    if file is None:
        yield question, ""
        return
    try:
        text = file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(f"{file} cannot be read: {error}") from error
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield _question(line, f"{file}:{number}")


def _question(line: str, place: str) -> tuple[str, str]:
    try:
        row = json.loads(line)
    except json.JSONDecodeError as error:
        raise CommandError(f"{place}:{error.colno}: {error.msg}") from error
    match row:
        case {"text": str(text), **rest}:
            language = str(rest.get("language") or "")
            if language and language not in LANGUAGES:
                known = ", ".join(LANGUAGES)
                raise CommandError(f"{place}: “{language}” is not a language: {known}")
            return text, language
    raise CommandError(f'{place}: expected {{"text": "…", "language"?: "nl"}}')


def _as_text(found: dict[str, Any]) -> str:
    lines = []
    for name, value in found.items():
        if name == "why":
            continue
        shown = ", ".join(map(_shown, value)) if isinstance(value, list) else value
        lines.append(f"{name:<11}{shown}")
    return "\n".join([*lines, ""])


def _shown(value: Any) -> str:
    if not isinstance(value, dict):
        return str(value)
    return f"{value['name']} ({value['kind']}, {value['resolver']}, {value['confidence']})"
