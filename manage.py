"""The door for people and scripts: `python manage.py COMMAND`."""

from __future__ import annotations

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "zol.settings")
    try:
        from django.core.management import execute_from_command_line  # noqa: PLC0415

        from zol.embedded import entrance  # noqa: PLC0415
        from zol.embedded.errors import EmbeddedError  # noqa: PLC0415
    except ModuleNotFoundError as error:
        sys.exit(f"{error}: run `make setup`, then use .venv/bin/python.")
    try:
        entrance.prepare(sys.argv[1:])
    except EmbeddedError as error:
        sys.exit(str(error))
    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
