"""`manage.py ablate --flags a,b,c`: what each switch is worth, and how they act together."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from evaluation import services
from evaluation.cases import Case
from evaluation.commands import GoldenCommand, ask_here
from evaluation.configurations import FLAGS, Combination, factorial, factors_of, report_json
from evaluation.management.commands.evaluate import told
from evaluation.services import versions
from zol.commands import chosen_hospital
from zol.tenancy import serving


class Command(GoldenCommand):
    help = "Ask the golden questions in every combination of some switches."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--flags", required=True, metavar="A,B,C", help=", ".join(FLAGS))

    def measure(self, **options: Any) -> dict[str, Any]:
        path = options["golden"]
        selection = {
            "golden": str(path.resolve()) if path else "",
            "category": options["category"],
            "language": options["language"],
        }
        with serving(chosen_hospital(options["hospital"])):
            factors = factors_of(options["flags"])
            cases, settings = services.chosen(selection), factorial(factors)
            cells = []
            for number, flags in enumerate(settings, start=1):
                self.stdout.write(f"Cell {number} of {len(settings)}: {told(flags)}.")
                cells.append(self._cell(cases, flags, selection))
            return report_json(cells, factors, versions())

    def _cell(
        self, cases: Sequence[Case], flags: Mapping[str, bool], selection: Mapping[str, Any]
    ) -> Combination:
        run = services.start_run(cases, flags=flags, selection=selection, note="ablation")
        ask_here(run, cases, self.stdout)
        services.finish(run)
        return Combination(flags, run.pk, services.results_of(run, cases))

    def lines(self, report: Mapping[str, Any]) -> Iterator[str]:
        """Give the cells, and the effects with their intervals."""
        factors = report["flags"]
        yield "".join(f"{name:>17}" for name in factors) + f"{'pass':>9}{'recall':>9}{'p95 ms':>9}"
        for cell in report["cells"]:
            states = "".join(f"{'on' if cell['flags'][name] else 'off':>17}" for name in factors)
            recall = cell["entity_recall"]
            shown = "–" if recall is None else f"{recall:.3f}"
            yield f"{states}{cell['pass_rate']:>9.3f}{shown:>9}{cell['p95_ms']:>9.1f}"
        for title, part in (("Main effects", "main_effects"), ("Interactions", "interactions")):
            for measure, found in report[part].items():
                if found:
                    yield f"{title} on {measure} (95 % interval):"
                for name, each in found.items():
                    between = f"{each['low']:+.3f} … {each['high']:+.3f}"
                    yield f"  {name:<32}{each['effect']:+.3f} ({between})"
