"""Hold written statements, right and wrong, to the checks: `python -m lab statements`."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from lab.statements.evidence import statements
from lab.statements.spoil import by_code, by_meaning
from lab.statements.table import judge, outcome, table


class Command(BaseCommand):
    help = "Tell what becomes of right and wrong statements, without and with a perfect verdict."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--misses", action="store_true", help="print what went wrong")

    def handle(self, *args: Any, **options: Any) -> None:
        for line in table():
            self.stdout.write(line)
        if options["misses"]:
            self._misses()

    def _misses(self) -> None:
        for said in statements():
            found = judge(said)
            if found.fault or not found.is_equal:
                self.stdout.write(f"changed: {said.text} ({found.fault or 'denied otherwise'})")
        for spoiled in (*by_code(), *by_meaning()):
            is_off, is_perfect, _ = outcome(spoiled)
            if is_off or is_perfect:
                self.stdout.write(f"shown: {spoiled.kind}: {spoiled.claim.text}")
