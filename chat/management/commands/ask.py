"""`manage.py ask "Waar kan ik parkeren?"`: run one turn without a server."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from pydantic import TypeAdapter

from chat.behaviours import Certainty, Channel, Mode
from chat.services import TurnResult, take_turn, trace_of
from chat.sources.lookup import contact_of
from chat.turn import Exchange, Turn
from retrieval.models.documents import DocumentCategory
from taxonomy.publishing.live import live_snapshot
from zol.commands import chosen_hospital, chosen_moment
from zol.errors import ExpectedError
from zol.languages import LANGUAGES
from zol.tenancy import serving

_HISTORY = TypeAdapter(tuple[Exchange, ...])


class Command(BaseCommand):
    help = "Answer one question on the terminal."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("question")
        parser.add_argument("--hospital", default="", help="slug; needed when several are loaded")
        parser.add_argument(
            "--language", default="", choices=[*LANGUAGES, ""], help="language of the page"
        )
        parser.add_argument("--history", default="", help="JSON file with earlier exchanges")
        parser.add_argument(
            "--categories", default="", help="only pages of these categories, separated by commas"
        )
        parser.add_argument("--mode", default="standard", choices=[str(mode) for mode in Mode])
        parser.add_argument(
            "--at", default="", metavar="ISO", help="time at which the question is asked"
        )
        parser.add_argument(
            "--json",
            action="store_true",
            help="print the answer with all details as one JSON object",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        hospital = chosen_hospital(options["hospital"])
        turn = Turn(
            question=options["question"].strip(),
            language=options["language"] or hospital.default_language,
            history=read_history(options["history"]),
            mode=Mode(options["mode"]),
            channel=Channel.API,
            categories=read_categories(options["categories"]),
            at=chosen_moment(options["at"]),
        )
        if not turn.question:
            raise CommandError("The question is empty.")
        with serving(hospital):
            try:
                answered = take_turn(turn)
            except ExpectedError as error:
                raise CommandError(str(error)) from error
            result = as_json(answered) if options["json"] else {}
        shown = json.dumps(result, ensure_ascii=False, default=str)
        self.stdout.write(shown if result else as_text(answered))


def read_history(path: str) -> tuple[Exchange, ...]:
    """Return the exchanges in a history file."""
    if not path:
        return ()
    try:
        return _HISTORY.validate_json(Path(path).read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise CommandError(f"{path} cannot be read: {error.strerror}.") from error
    except ValueError as error:
        form = '[{"question": …, "answer": …, "citations": [url, …]}]'
        raise CommandError(f"{path} is not a history: write it as {form}.") from error


def read_categories(listed: str) -> tuple[str, ...]:
    """Return the categories of pages to search; refuse unknown ones."""
    wanted = tuple(name.strip() for name in listed.split(",") if name.strip())
    known = DocumentCategory.values
    if unknown := [name for name in wanted if name not in known]:
        raise CommandError(f"No such category: {', '.join(unknown)}. Known: {', '.join(known)}.")
    return wanted


def as_json(answered: TurnResult) -> dict[str, Any]:
    """Return the JSON object of an answer (spec 10); call it while its hospital is served."""
    ctx = answered.context
    return {
        **form_of(answered),
        "answer": ctx.answer,
        "language": ctx.understanding.language,
        "behaviour": str(ctx.behaviour),
        "warning": str(ctx.alarm.danger),
        "intent": str(ctx.understanding.intent),
        "entities": [
            {"kind": str(m.thing.kind), "key": m.thing.key, "name": m.thing.name, "by": m.by}
            for m in ctx.understanding.matches
        ],
        "citations": [
            {"n": c.n, "url": c.url, "title": c.title, "page": c.page, "passage": c.passage}
            for c in ctx.citations
        ],
        "follow_ups": list(ctx.reply.follow_ups),
        "verified": ctx.reply.verified,
        "degraded": ctx.degraded,
        "cached": ctx.reply.cached,
        "timings_ms": answered.timings_ms,
        "trace": trace_of(answered),
    }


def form_of(answered: TurnResult) -> dict[str, Any]:
    """Return the parts of an answer: direct sentence, quotations, next step and related pages."""
    ctx, certainty = answered.context, answered.certainty
    answer = ctx.answer.removeprefix(ctx.reply.bulletin).removeprefix(ctx.warning)
    is_direct = certainty in {Certainty.FACT, Certainty.CURATED}
    quoted = [each for each in ctx.citations if each.passage]
    return {
        "certainty": str(certainty),
        "direct": answer.partition("\n\n")[0] if is_direct else "",
        "passages": [
            {
                "text": each.translated or each.passage,
                "language": ctx.understanding.language if each.translated else each.language,
                "title": each.title,
                "url": each.url,
                "date": each.updated_on,
            }
            for each in quoted
        ],
        "next_step": contact_of(ctx, live_snapshot()),
        "related": [
            {"title": each.title, "url": each.url} for each in ctx.citations if each not in quoted
        ],
        "badge": ctx.reply.verified,
    }


def as_text(answered: TurnResult) -> str:
    ctx = answered.context
    sources = [f"[{c.n}] {c.title} · {c.url}" for c in ctx.citations]
    return "\n".join([ctx.answer, "", *sources])
