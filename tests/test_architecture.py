"""The house keeps its shape: rules that hold for all of the product."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
APPS = ("zol", "taxonomy", "retrieval", "chat", "evaluation")


@cache
def modules() -> dict[Path, ast.Module]:
    found = (path for app in APPS for path in sorted((ROOT / app).rglob("*.py")))
    return {
        path.relative_to(ROOT): ast.parse(path.read_text(encoding="utf-8"))
        for path in found
        if "migrations" not in path.parts
    }


def nodes(*kinds: type) -> list[tuple[Path, ast.stmt]]:
    return [
        (path, each)
        for path, tree in modules().items()
        for each in ast.walk(tree)
        if isinstance(each, kinds)
    ]


def test_production_imports_nothing_that_starts_services_of_its_own():
    """But for where they are, which the settings ask, and the commands of development."""
    allowed = {"zol/settings.py"}
    allowed |= {f"zol/management/commands/{name}.py" for name in ("demo", "stop_services")}
    importing = {
        path.as_posix()
        for path, each in nodes(ast.ImportFrom)
        if (each.module or "").startswith("zol.embedded") and "embedded" not in path.parts
    }

    assert importing <= allowed
