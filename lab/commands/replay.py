"""Serve recorded replies as an endpoint, or take over what players wrote."""

from __future__ import annotations

import time
from argparse import ArgumentParser
from collections import Counter
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from lab.recorded import turns as sets
from lab.recorded.endpoint import endpoint
from lab.recorded.library import Library
from lab.recorded.relay import calls_in, store
from lab.spoil.players import Replies


class Command(BaseCommand):
    help = (
        "Serve recorded replies at an address in OpenAI's form, until Ctrl-C. With --from FOLDER "
        "--exam FILE --as NAME: keep the requests and replies of a relay as a recorded set."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--sets", default="", metavar="A,B", help="recorded sets; else all")
        parser.add_argument("--port", type=int, default=8402)
        parser.add_argument("--from", dest="folder", type=Path, metavar="FOLDER")
        parser.add_argument("--exam", type=Path, metavar="FILE")
        parser.add_argument("--as", dest="name", default="", metavar="NAME")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["folder"]:
            self._take_over(options)
            return
        wanted = [each.strip() for each in options["sets"].split(",") if each.strip()]
        conversations, calls = sets.recorded(wanted)
        library = Library([turn for each in conversations for turn in each], calls)
        with endpoint(Replies(library), options["port"]) as url:
            self.stdout.write(f"{len(calls)} replies at {url}; Ctrl-C ends.")
            try:
                while True:
                    time.sleep(1)
            except KeyboardInterrupt:
                pass
        for line in library.account.lines():
            self.stdout.write(line)

    def _take_over(self, options: dict[str, Any]) -> None:
        if not options["exam"] or not options["name"]:
            raise CommandError("Name the exam's file with --exam and the set with --as.")
        turns = [turn for each in sets.exam_of(sets.read(options["exam"])) for turn in each]
        lost: Counter[str] = Counter()
        calls = list(calls_in(options["folder"], turns, lost))
        store(options["name"], options["exam"], calls)
        found = Counter(call.purpose for call in calls)
        # Verdicts name no question: whoever runs the set judges anew.
        lost.pop("verdict", None)
        self.stdout.write(f"Kept {dict(found)}; of no known turn, or faults: {dict(lost)}.")
