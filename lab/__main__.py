"""Run a command of the laboratory: `python -m lab NAME …`."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

COMMANDS = Path(__file__).parent / "commands"
#: Commands that keep services and rows of their own, and where unless STATE_DIR says so.
OWN_STATE = dict.fromkeys(
    (
        "evidence", "floors", "nothing", "personal_data", "replay", "reports", "spoil",
        "steering", "times",
    ),
    ".state-lab",
)  # fmt: skip
#: Tells in a folder that it is the laboratory's, which may empty it.
OURS = "lab.state"


def names() -> list[str]:
    """Return the names of all commands."""
    return sorted(path.stem for path in COMMANDS.glob("[!_]*.py"))


def claim(state: Path) -> None:
    """Take a folder that is ours, or empty; end with a sentence at any other."""
    if state.is_dir() and any(state.iterdir()) and not (state / OURS).exists():
        sys.exit(f"{state} holds other data: name an empty folder with STATE_DIR.")
    state.mkdir(parents=True, exist_ok=True)
    (state / OURS).touch()


def main(words: Sequence[str]) -> None:
    """Run a command line, with the services and tables that it needs."""
    name = words[0] if words else ""
    if name not in names():
        sys.exit(f"python -m lab NAME, with one of: {', '.join(names())}")
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "zol.settings")
    if name in OWN_STATE:
        # Its own services, and the engine that needs no model.
        for variable in ("DATABASE_URL", "DATABASE_APP_URL", "REDIS_URL", "OPENAI_API_KEY"):
            os.environ.pop(variable, None)
        claim(Path(os.environ.setdefault("STATE_DIR", OWN_STATE[name])))
    from zol.devservices.services import run  # noqa: PLC0415 (the settings are named first)

    run(["lab", *words], _execute)


def _execute(words: Sequence[str]) -> None:
    import django  # noqa: PLC0415 (the settings are named first)

    django.setup()
    import_module(f"lab.commands.{words[1]}").Command().run_from_argv([*words])


if __name__ == "__main__":
    main(sys.argv[1:])
