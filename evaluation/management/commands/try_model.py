"""`manage.py try_model`: find out before patients do what the configured model is fit for."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterable, Mapping
from typing import Any

from evaluation.commands import Measuring
from evaluation.trial import lines, tried
from zol.commands import chosen_hospital
from zol.tenancy import serving


class Command(Measuring):
    help = "Put golden questions, then right and wrong statements, to the configured model."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--hospital", default="", help="slug; needed when several are loaded")

    def measure(self, *, hospital: str, **_: Any) -> Mapping[str, Any]:
        with serving(chosen_hospital(hospital)):
            return tried()

    def lines(self, report: Mapping[str, Any]) -> Iterable[str]:
        return lines(report)
