"""Which files a module's work can depend on: its own and those of all that it imports."""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
#: The product's packages; what others bring has a version.
PRODUCT = ("zol", "taxonomy", "retrieval", "chat", "evaluation")


def imported_by(*modules: str, within: tuple[str, ...] = PRODUCT) -> Iterator[Path]:
    """Yield the files of modules and of all that these import, at once or later.

    What is imported by a name that is put together as the program runs is not seen.
    """
    seen, waiting = set[str](), list(modules)
    while waiting:
        name = waiting.pop()
        if name in seen or name.partition(".")[0] not in within:
            continue
        seen.add(name)
        waiting.append(name.rpartition(".")[0])
        if (path := _file_of(name)) is not None:
            yield path
            waiting.extend(_imports(path))


def _imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            # What is imported from a package may be a module of it.
            yield from (f"{node.module}.{each.name}" for each in node.names)


def _file_of(module: str) -> Path | None:
    place = ROOT.joinpath(*module.split("."))
    candidates = place.with_suffix(".py"), place / "__init__.py"
    return next((path for path in candidates if path.is_file()), None)
