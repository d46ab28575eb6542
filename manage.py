"""The door for people and scripts: `python manage.py COMMAND`."""

from __future__ import annotations

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "zol.settings")
    try:
        from zol.devservices.services import run  # noqa: PLC0415
    except ModuleNotFoundError as error:
        sys.exit(f"{error}: run `make setup`, then use .venv/bin/python.")
    run(sys.argv)


if __name__ == "__main__":
    main()
