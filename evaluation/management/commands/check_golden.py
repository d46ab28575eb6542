"""`manage.py check_golden [DIR|--hospital SLUG]`: whether golden questions can be right at all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from evaluation import cases as golden
from evaluation.cases import case_of
from evaluation.consistency import (
    Asked,
    Known,
    counts,
    known_of_hospital,
    known_of_pack,
    mistakes,
    repetitions,
    shortages,
)
from evaluation.packs.form import GOLDEN
from evaluation.packs.mistakes import PackRefused
from evaluation.packs.read import read_pack
from evaluation.packs.records import GoldenRecord
from zol.commands import chosen_hospital
from zol.errors import ExpectedError
from zol.tenancy import serving


class Command(BaseCommand):
    help = "Hold golden questions against what they refer to. With DIR no database is needed."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", nargs="?", type=Path, metavar="DIR", help="a hospital pack")
        parser.add_argument("--hospital", default="", help="slug; the rows of a loaded hospital")
        parser.add_argument(
            "--golden", type=Path, metavar="FILE", help="these questions instead of the pack's own"
        )
        parser.add_argument(
            "--partial", action="store_true", help="the set is not complete: let numbers be"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["folder"] and options["hospital"]:
            raise CommandError("A folder or a hospital, not both.")
        try:
            if options["folder"]:
                asked, found = self._of_pack(options)
            else:
                asked, found = self._of_hospital(options)
        except PackRefused as error:
            raise CommandError(f"{error}\nNothing else was checked.") from error
        except ExpectedError as error:
            raise CommandError(str(error)) from error
        self._tell(asked, found)

    def _of_pack(self, options: dict[str, Any]) -> tuple[Sequence[Asked], list[str]]:
        folder: Path = options["folder"]
        if not folder.is_dir():
            raise CommandError(f"{folder} is not a folder.")
        pack = read_pack(folder)
        path = options["golden"] or folder / GOLDEN
        asked = placed(golden.read_records(path), str(path))
        return asked, self._found(asked, known_of_pack(pack), str(path), options)

    def _of_hospital(self, options: dict[str, Any]) -> tuple[Sequence[Asked], list[str]]:
        hospital = chosen_hospital(options["hospital"])
        with serving(hospital):
            if options["golden"]:
                asked = placed(golden.read_records(options["golden"]), str(options["golden"]))
            else:
                asked = tuple(
                    Asked(case, f"golden question {case.key}") for case in golden.stored_cases()
                )
            known = known_of_hospital(hospital)
            return asked, self._found(asked, known, hospital.slug, options)

    def _found(
        self, asked: Sequence[Asked], known: Known, place: str, options: dict[str, Any]
    ) -> list[str]:
        found = [*mistakes(asked, known), *repetitions(asked)]
        if not options["partial"]:
            found += shortages((each.case for each in asked), place)
        return found

    def _tell(self, asked: Sequence[Asked], found: Sequence[str]) -> None:
        for line in table(asked):
            self.stdout.write(line)
        if found:
            number = f"{len(found)} mistake{'s' if len(found) > 1 else ''}"
            raise CommandError("\n".join([*found, f"{number}."]))
        self.stdout.write("Everything that is referred to exists.")


def placed(records: Sequence[GoldenRecord], path: str) -> tuple[Asked, ...]:
    return tuple(
        Asked(case_of(record.key, record.fields), f"{path}:{record.place.line}")
        for record in records
    )


def table(asked: Sequence[Asked]) -> Iterator[str]:
    """Give the number of questions per category, per language, and in all."""
    for numbers in counts(each.case for each in asked):
        yield from (f"{name:<24}{number:>5}" for name, number in sorted(numbers.items()))
        yield ""
    yield f"{'all':<24}{len(asked):>5}"
