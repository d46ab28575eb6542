"""Play files, links and conversations after public bug reports: `python -m lab reports`.

A folder holds `cases.jsonl` (files), and perhaps `links.jsonl` (texts) and `chat.jsonl` (asked of
the demonstration hospital, which `--chat` loads). `lab.files.cases` says what is right.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from lab.files.cases import Case, faults_of_chat, faults_of_file, faults_of_links, lines_of
from lab.files.layouts import measure
from lab.floors import hospitals
from zol.commands import chosen_hospital
from zol.tenancy import serving


class Command(BaseCommand):
    help = "Tell how many files, links and conversations of a folder come out whole, by kind."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--from", type=Path, dest="folder", help="folder of cases")
        parser.add_argument("--kind", default="", help="only kinds that begin so")
        parser.add_argument("--chat", action="store_true", help="ask conversations too (minutes)")
        parser.add_argument("--layouts", action="store_true", help="read made pages of 40 layouts")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["layouts"]:
            for line in measure():
                self.stdout.write(line)
        if options["folder"]:
            self._play(options["folder"], options["kind"], is_asked=options["chat"])

    def _play(self, folder: Path, kind: str, *, is_asked: bool) -> None:
        right: dict[str, list[bool]] = defaultdict(list)
        for name, found, faults in _played(folder, kind, is_asked=is_asked):
            right[found].append(not faults)
            if faults:
                self.stdout.write(f"{name}: {'; '.join(faults)}")
        for found, each in right.items():
            self.stdout.write(f"{found:18} {sum(each)} of {len(each)}")
        whole, count = sum(map(sum, right.values())), sum(map(len, right.values()))
        self.stdout.write(f"whole: {whole} of {count}")


def _played(folder: Path, kind: str, *, is_asked: bool) -> Iterator[tuple[str, str, list[str]]]:
    """Yield the name, kind and faults of each case of a folder."""
    players: dict[str, Callable[[Case], Iterable[str]]] = {
        "cases": partial(faults_of_file, folder),
        "links": faults_of_links,
    }
    if is_asked:
        hospitals.ready(Path(settings.STATE_DIR))
        players["chat"] = _asked
    for name, faults_of in players.items():
        for case in lines_of(folder / f"{name}.jsonl"):
            of_kind = case.get("kind", name)
            if of_kind.startswith(kind):
                yield case.get("id") or case["text"], of_kind, [*faults_of(case)]


def _asked(case: Case) -> list[str]:
    with serving(chosen_hospital(hospitals.DEMONSTRATION)):
        return [*faults_of_chat(case)]
