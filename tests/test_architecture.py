"""The house keeps its shape: rules that hold for all of the product, each tried on what breaks it."""

import ast
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
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
        if "/devservices/" not in path
        and path not in allowed
        and any(within(name, "zol.devservices") for name in imported(tree))
    }


def test_production_imports_nothing_that_starts_services_of_its_own():
    assert who_start_services(product()) == set()
    assert who_start_services(planted("zol/text.py", "from zol.devservices import services"))


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


#: Modules that may import an engine: the engines themselves, and the module that chooses one.
KNOWING = ("chat/engines/", "chat/wiring.py")


def who_know_engines(modules: Modules) -> set[str]:
    return {
        path
        for path, tree in modules.items()
        if path.startswith(("zol/", "taxonomy/", "retrieval/", "chat/"))
        and not path.startswith(KNOWING)
        and any(within(name, "chat.engines") for name in imported(tree))
    }


def test_nothing_below_the_stages_knows_an_engine():
    breaking = planted("chat/sources/facts.py", "from chat.engines.embedded import EMBEDDED_ENGINE")

    assert who_know_engines(product()) == set()
    assert who_know_engines(breaking) == {"chat/sources/facts.py"}


#: Where apps may meet.
MEETING = ("zol/asgi.py", "zol/health.py", "zol/urls.py", "zol/settings.py", "zol/celery.py",
           "zol/management/commands/demo.py", "zol/management/commands/migrate.py")  # fmt: skip


def modules_of_zol_that_know_an_app(modules: Modules) -> set[str]:
    return {
        path
        for path, tree in modules.items()
        if path.startswith("zol/")
        and path not in MEETING
        and any(within(name, app) for name in imported(tree) for app in APPS[1:])
    }


def test_zol_imports_no_app_but_where_apps_meet():
    breaking = planted("zol/backoffice/home.py", "def f():\n    from chat.models import Message")

    assert modules_of_zol_that_know_an_app(product()) == set()
    assert modules_of_zol_that_know_an_app(breaking) == {"zol/backoffice/home.py"}


#: Modules that Django or Celery look for by name: they do not count.
FOUND_BY_NAME = frozenset(
    {
        "__init__",
        "admin",
        "api",
        "apps",
        "asgi",
        "celery",
        "models",
        "settings",
        "tasks",
        "urls",
        "views",
    }
)
MOST_MODULES, MOST_AT_THE_TOP = 12, 10
#: Folders still to be divided; no other may join them.
CROWDED = frozenset({"retrieval"})


def crowded_folders(modules: Modules) -> set[str]:
    """Return the folders with more modules than fit on a screen."""
    counts = Counter(
        Path(path).parent.as_posix() for path in modules if Path(path).stem not in FOUND_BY_NAME
    )
    return {
        folder
        for folder, count in counts.items()
        if count > (MOST_AT_THE_TOP if folder in APPS else MOST_MODULES)
    }


def test_a_folder_holds_at_most_twelve_modules():
    breaking = dict(product())
    for number in range(MOST_MODULES + 1):
        breaking |= {f"zol/records/planted{number}.py": ast.parse("")}

    assert crowded_folders(product()) <= CROWDED
    assert "zol/records" in crowded_folders(breaking)


#: Names that still mean several things; no other may join them.
SHARED_NAMES = frozenset(
    {"Answer", "Block", "Candidate", "Claim", "CuratedAnswer", "Fact", "Form", "Intervention",
     "Line", "Message", "Page", "Part", "Place", "Reading", "Release", "Role", "Situation", "Sort",
     "Source", "Token", "Weights"}
)  # fmt: skip


def names_of_several_classes(modules: Modules) -> set[str]:
    counts = Counter(
        each.name
        for tree in modules.values()
        for each in tree.body
        if isinstance(each, ast.ClassDef) and each.name != "Command"
    )
    return {name for name, count in counts.items() if count > 1}


def test_a_class_name_means_one_thing():
    breaking = planted("zol/text.py", "class Snapshot: ...")

    assert names_of_several_classes(product()) <= SHARED_NAMES
    assert "Snapshot" in names_of_several_classes(breaking)


#: Tests of a page in a browser, and of an engine with a scripted endpoint, span several rooms.
SPANNING = frozenset({"chat/page", "chat/model"})


def rooms_without_a_mirror(folders: Iterable[str]) -> set[str]:
    """Return the folders of tests that stand for no package or module of the product."""
    return {
        folder
        for folder in folders
        if folder not in SPANNING
        and not (ROOT / folder).is_dir()
        and not (ROOT / f"{folder}.py").is_file()
    }


def test_tests_mirror_the_tree():
    tests = ROOT / "tests"
    files = (path for app in APPS for path in (tests / app).rglob("test_*.py"))
    folders = {path.parent.relative_to(tests).as_posix() for path in files}

    assert rooms_without_a_mirror(folders) == set()
    assert rooms_without_a_mirror([*folders, "zol/planted"]) == {"zol/planted"}
