"""`manage.py update_defaults`: the default rows of a newer product, offered to a hospital."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import translation

from taxonomy.publishing.defaults import (
    Model,
    Newer,
    NewerDefault,
    Row,
    summary,
    update_defaults,
    waiting_defaults,
)
from zol.commands import chosen_hospital, named_user
from zol.errors import StepRefused
from zol.tenancy import acting, serving

#: How many rows of each sort are listed, unless `--verbosity 2` asks for all.
SHOWN = 10


class Command(BaseCommand):
    help = (
        "Take newer default rows into the draft, and open a release for them. "
        "What was edited or removed here is left as it is."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "row_sets", nargs="*", metavar="ROW_SET", help="only these, such as chat.cue"
        )
        parser.add_argument("--hospital", default="", metavar="SLUG")
        parser.add_argument("--by", default="", metavar="USER", help="who opens the release")
        parser.add_argument("--dry-run", action="store_true", help="say what would change")

    def handle(self, *args: Any, **options: Any) -> None:
        if not (options["by"] or options["dry_run"]):
            raise CommandError("Say who opens the release with --by USER, or look with --dry-run.")
        by = named_user(options["by"]) if options["by"] else None
        hospital = chosen_hospital(options["hospital"])
        with serving(hospital), acting(by), translation.override("en"):
            try:
                self._compare(options["row_sets"], everything=options["verbosity"] > 1)
                if not options["dry_run"]:
                    self._update(options["row_sets"], by)
                    return
            except StepRefused as error:
                raise CommandError(f"{error} Nothing was changed.") from error
        self.stdout.write("A dry run: nothing was written.")

    def _compare(self, row_sets: list[str], *, everything: bool) -> None:
        for model, new in waiting_defaults(row_sets):
            self.stdout.write(summary(model, new))
            for lines in _listed(model, new):
                shown = lines if everything else lines[:SHOWN]
                for line in shown:
                    self.stdout.write(f"  {line}")
                if more := len(lines) - len(shown):
                    self.stdout.write(f"    … and {more} more (--verbosity 2 lists all)")

    def _update(self, row_sets: list[str], by: Any) -> None:
        release = update_defaults(by=by, row_sets=row_sets)
        if release is None:
            self.stdout.write("No newer default rows: nothing was written.")
        else:
            self.stdout.write(
                f"In the draft. Release {release.pk} is open: look at it, submit it, "
                "and a colleague approves it."
            )


def _listed(model: Model, new: Newer) -> Iterator[list[str]]:
    yield [f"+ {_name(model, row)}" for row in new.added]
    yield [f"~ {_replaced(model, each)}" for each in new.changed]
    yield [f"- {_name(model, row)}" for row in new.withdrawn]
    yield [f"= {_replaced(model, each)} (edited here, left alone)" for each in new.kept]


def _replaced(model: Model, each: NewerDefault) -> str:
    fields = "; ".join(f"{name}: {now!r} → {then!r}" for name, now, then in each.fields())
    return f"{_name(model, each.newer)}: {fields}"


def _name(model: Model, row: Row) -> str:
    return " · ".join(str(row[field]) for field in model.identity)
