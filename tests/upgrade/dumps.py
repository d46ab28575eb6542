"""What a hospital's database was with a release that is out, kept for every release after it.

A dump is made once, when its release is cut, and stays as it is:

    export DJANGO_SETTINGS_MODULE=tests.settings
    .venv/bin/python manage.py shell -c "from tests.upgrade import dumps; dumps.dump('1.1.0')"
"""

import gzip
import re
import subprocess
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

import psycopg
from django.conf import settings
from django.db import connections
from django.test import override_settings

from taxonomy.packs.folder import load_pack, read_pack
from taxonomy.publishing.defaults import load_defaults
from taxonomy.publishing.versions import publish
from tests.answering import ingest
from tests.databases import APART_ALL, create, drop, leading_to, tables_template
from tests.packs import MINI
from zol.devservices import locations, postgres
from zol.records.versioned import default_rows
from zol.tenancy import serving

FOLDER = Path(__file__).parent
#: Set apart from all numbers of databases that tests make, and small enough for every column.
APART = 1_000_000_000
#: Of every set of default rows about so many; with all of the large ones a dump would be megabytes.
FEW = 60


def few_rows(model, hospital_id):  # type: ignore[no-untyped-def]
    """Return some rows of every sort, and every text that patients read."""
    rows = default_rows(model, hospital_id)
    if model.row_set() == "chat.fixedtext":
        return rows
    sorts = defaultdict(list)
    names = [name for name in model.identity[:-1] if name != "language"]
    for row in rows:
        sorts[tuple(getattr(row, name) for name in names)].append(row)
    return [row for sort in sorts.values() for row in sort[: FEW // len(sorts) + 1]]


def dump(release: str) -> Path:
    """Load and publish the small hospital with the code as it is, ingest a page of it, and keep
    what that makes."""
    name = "zol_dump"
    create(name, tables_template())
    try:
        with (
            leading_to(name),
            override_settings(MEDIA_ROOT=settings.MEDIA_ROOT / name),
            patch("taxonomy.publishing.defaults.default_rows", few_rows),
        ):
            with connections["owner"].cursor() as cursor:
                cursor.execute(APART_ALL.format(apart=APART))
            load_defaults()
            hospital, _changes = load_pack(read_pack(MINI))
            with serving(hospital):
                publish(hospital, by=None)
                ingest(hospital, path="praktisch/bezoek.html")
        path = FOLDER / f"{release}.sql.gz"
        path.write_bytes(gzip.compress(_said(name).encode(), mtime=0))
    finally:
        drop(name)
    return path


def _said(name: str) -> str:
    """Return statements that any server runs for any owner, without a program to read them."""
    command = [postgres._binary("pg_dump"), "--no-owner", "--no-comments", "--rows-per-insert=1000"]
    url = locations.database_url(settings.STATE_DIR, name)
    text = subprocess.run([*command, url], check=True, capture_output=True, text=True).stdout
    text = re.sub(r"^\\(un)?restrict .*\n", "", text, flags=re.MULTILINE)
    return text.replace(f"FOR ROLE {locations.OWNER} ", "")


def fill(name: str, dump: Path) -> None:
    """Make a database that is what a dump says."""
    drop(name)
    create(name, "template0")
    with (
        leading_to(name),
        psycopg.connect(**connections["owner"].get_connection_params()) as database,
    ):
        database.execute(gzip.decompress(dump.read_bytes()).decode())


@contextmanager
def copied(origin: str) -> Iterator[None]:
    """Have connections lead to a copy of a database."""
    name = "zol_upgrade"
    drop(name)
    create(name, origin)
    try:
        with leading_to(name):
            yield
    finally:
        drop(name)
