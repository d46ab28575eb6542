"""The house keeps its shape: rules that hold for all of the product, each tried on what breaks it."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import TypeAlias

ROOT = Path(__file__).parents[1]
APPS = ("zol", "taxonomy", "retrieval", "chat", "evaluation")
Modules: TypeAlias = Mapping[str, ast.Module]


@cache
def product() -> Modules:
    found = (path for app in APPS for path in sorted((ROOT / app).rglob("*.py")))
    return {
        path.relative_to(ROOT).as_posix(): ast.parse(path.read_text(encoding="utf-8"))
        for path in found
        if "migrations" not in path.parts
    }


def planted(path: str, text: str) -> Modules:
    """Return the product with one module that breaks a rule."""
    return {**product(), path: ast.parse(text)}


def imported(tree: ast.Module) -> Iterator[str]:
    """Yield the modules that a module imports, wherever in it that stands."""
    for each in ast.walk(tree):
        if isinstance(each, ast.ImportFrom):
            yield each.module or ""
            yield from (f"{each.module}.{alias.name}" for alias in each.names)
        elif isinstance(each, ast.Import):
            yield from (alias.name for alias in each.names)


def within(name: str, package: str) -> bool:
    return name == package or name.startswith(f"{package}.")


def who_start_services(modules: Modules) -> set[str]:
    """Return who imports the services of development, but for those who may."""
    allowed = {"zol/settings.py"}
    allowed |= {f"zol/management/commands/{name}.py" for name in ("demo", "stop_services")}
    return {
        path
        for path, tree in modules.items()
        if "/embedded/" not in path
        and path not in allowed
        and any(within(name, "zol.embedded") for name in imported(tree))
    }


def test_production_imports_nothing_that_starts_services_of_its_own():
    assert who_start_services(product()) == set()
    assert who_start_services(planted("zol/text.py", "from zol.embedded import services"))


def stages_that_import_stages(modules: Modules) -> set[str]:
    return {
        path
        for path, tree in modules.items()
        if path.startswith("chat/stages/")
        and any(within(name, "chat.stages") for name in imported(tree))
    }


def test_no_stage_imports_a_stage():
    breaking = planted("chat/stages/retrieval.py", "from chat.stages.generation import generation")

    assert stages_that_import_stages(product()) == set()
    assert stages_that_import_stages(breaking) == {"chat/stages/retrieval.py"}


def stages_of_two_functions(modules: Modules) -> set[str]:
    """Return the stages that have no public function of their own name, or one more that is not
    what is done when they fail."""
    fallbacks = {
        keyword.value.id
        for each in ast.walk(modules["chat/pipeline.py"])
        if isinstance(each, ast.Call)
        for keyword in each.keywords
        if keyword.arg == "fallback" and isinstance(keyword.value, ast.Name)
    }
    found = set()
    for path, tree in modules.items():
        if not path.startswith("chat/stages/") or path.endswith("__init__.py"):
            continue
        functions = {each.name for each in tree.body if isinstance(each, ast.FunctionDef)}
        public = {name for name in functions if not name.startswith("_")}
        if public - fallbacks != {Path(path).stem}:
            found.add(path)
    return found


def test_a_stage_is_one_public_function_of_its_name():
    breaking = planted("chat/stages/retrieval.py", "def retrieval(): ...\ndef search(): ...")

    assert stages_of_two_functions(product()) == set()
    assert stages_of_two_functions(breaking) == {"chat/stages/retrieval.py"}


#: Who may know an engine: the engines themselves, who puts a turn's tools together, and the tools,
#: for the type alone.
KNOWING = ("chat/engines/", "chat/wiring.py", "chat/tools.py")


def who_know_engines(modules: Modules) -> set[str]:
    return {
        path
        for path, tree in modules.items()
        if path.startswith(("zol/", "taxonomy/", "retrieval/", "chat/"))
        and not path.startswith(KNOWING)
        and any(within(name, "chat.engines") for name in imported(tree))
    }


def test_nothing_below_the_stages_knows_an_engine():
    breaking = planted("chat/sources/facts.py", "from chat.engines.embedded import EmbeddedEngine")

    assert who_know_engines(product()) == set()
    assert who_know_engines(breaking) == {"chat/sources/facts.py"}
