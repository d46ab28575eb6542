"""The databases of a test process: one that is empty, and one with the small hospital.

Both are copies, made in a moment, of databases that are made once and stay for later runs: with
the tables, and with the small hospital loaded, published and ingested. Each is kept under what it
was made with, so an edit of a migration, of the loading or of a default row has it made anew.
"""

import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from hashlib import blake2b
from importlib.metadata import distributions
from pathlib import Path

from django.apps import apps
from django.conf import settings
from django.core.management import call_command
from django.db import connections
from django.db.migrations.loader import MigrationLoader
from django.test import override_settings
from psycopg import sql

from tests.imports import PRODUCT, ROOT, imported_by
from tests.packs import MINI
from zol.postgres.locks import process_lock

BOTH = ("default", "owner")
#: What is read while a hospital is made, beside code: default rows, vectors, statements.
DATA = (".csv", ".npz", ".sql", ".json")
#: Numbers that a copy begins with are so much higher than those of the copy before it: what a
#: process remembers of a row can never be taken for what it knows of another.
APART = 1_000_000
APART_ALL = """
DO $$ DECLARE each record; BEGIN
    FOR each IN SELECT oid::regclass AS name FROM pg_class WHERE relkind = 'S' LOOP
        EXECUTE format('SELECT setval(%L, nextval(%L) + {apart})', each.name, each.name);
    END LOOP;
    UPDATE retrieval_corpusstate SET revision = revision + {apart};
END $$"""


class Databases:
    """Which database the connections of this process lead to."""

    def __init__(self) -> None:
        self.empty = ""
        #: The database that the test which is about to run expects.
        self.is_small_wanted = False
        self._is_small_there = False
        #: Whether a test committed rows to it.
        self._is_touched = False
        self._copies = 0

    @property
    def small(self) -> str:
        return f"{self.empty}_small"

    def begin(self, empty: str) -> None:
        """Django has made the empty database, to which connections lead now."""
        self.empty = empty
        self.lead()

    def want(self, *, small: bool, untouched: bool, commits: bool) -> None:
        """Have connections lead to the small hospital, or to a database without any.

        Untouched is one to which no test has committed rows yet.
        """
        self.is_small_wanted = small
        if small and untouched and self._is_touched:
            self.spoil()
        self._is_touched |= small and commits
        if self.empty:
            self.lead()

    def lead(self) -> None:
        wanted = self.small if self.is_small_wanted else self.empty
        if self.is_small_wanted and not self._is_small_there:
            self._copy_small()
        if connections["owner"].settings_dict["NAME"] != wanted:
            _lead_to(wanted)

    def spoil(self) -> None:
        """Say that the small hospital is not as it was: who needs it next gets a new copy."""
        self._is_small_there = self._is_touched = False

    def renew(self) -> None:
        """Have the small hospital as it was, now."""
        self.spoil()
        self.lead()

    def end(self) -> None:
        self.is_small_wanted = False
        self.lead()
        drop(self.small)
        self.empty = ""

    def _copy_small(self) -> None:
        template, media = small_template()
        _lead_to(self.empty)
        drop(self.small)
        create(self.small, template)
        _lead_to(self.small)
        self._copies += 1
        with connections["owner"].cursor() as cursor:
            cursor.execute(APART_ALL.format(apart=self._copies * APART))
        shutil.copytree(media, settings.MEDIA_ROOT, dirs_exist_ok=True)
        self._is_small_there = True


databases = Databases()


@cache
def tables_template() -> str:
    """Return the name of the database with all tables; make it when it is not there."""
    migrations = MigrationLoader(None).disk_migrations.values()
    modules = {each.__module__ for each in migrations}
    statements = (path for package in PRODUCT for path in (ROOT / package).rglob("*.sql"))
    # Migrations give the application its password.
    key = _key((*imported_by(*modules), *statements), settings.SECRET_KEY)
    return _kept("tables", key, "template0", _migrate)


@cache
def small_template() -> tuple[str, Path]:
    """Return the database with the small hospital, and the folder of its files."""
    models = {model.__module__ for model in apps.get_models()}
    configs = {type(config).__module__ for config in apps.get_app_configs()}
    code = imported_by("tests.answering", *models, *configs, within=(*PRODUCT, "tests"))
    data = (
        path
        for package in PRODUCT
        for path in (ROOT / package).rglob("*")
        if path.suffix in DATA and not path.is_relative_to(ROOT / "zol" / "demo")
    )
    pack = (path for path in MINI.rglob("*") if path.is_file())
    tables = tables_template()
    key = _key((*code, *data, *pack), tables)
    media = settings.STATE_DIR / f"small-{key}"

    def load() -> None:
        from tests.answering import loaded

        for old in settings.STATE_DIR.glob("small-*"):
            shutil.rmtree(old)
        with connections["owner"].cursor() as cursor:
            # No hospital of another database has this number, nor its files the same place.
            cursor.execute("ALTER SEQUENCE zol_hospital_id_seq RESTART 1001")
        with override_settings(MEDIA_ROOT=media):
            loaded(MINI)

    return _kept("small", key, tables, load, is_whole=media.is_dir()), media


def _key(paths: Iterable[Path], *more: str) -> str:
    """Return a fingerprint of files' contents and of the versions of all packages."""
    said = blake2b(repr(more).encode(), digest_size=6)
    said.update(repr(sorted((each.name, each.version) for each in distributions())).encode())
    for path in sorted(set(paths)):
        content = path.read_bytes()
        said.update(f"{path.relative_to(ROOT)} {len(content)}\n".encode() + content)
    return said.hexdigest()


def _kept(
    name: str, key: str, origin: str, make: Callable[[], None], *, is_whole: bool = True
) -> str:
    """Return a database that nobody connects to, under a key; make it, and drop older ones.

    One that is not whole, because its files are gone, is made anew, as one that was half made is.
    """
    kept = f"zol_{name}_{key}"
    names = _names(f"zol_{name}_")
    if kept in names and is_whole:
        return kept
    for old in names:
        drop(old)
    half = f"zol_{name}_half"
    create(half, origin)
    with leading_to(half):
        make()
    with _server() as cursor:
        _say(cursor, "ALTER DATABASE {} ALLOW_CONNECTIONS false", half)
        _say(cursor, "ALTER DATABASE {} RENAME TO {}", half, kept)
    return kept


def _migrate() -> None:
    call_command("migrate", database="owner", interactive=False, verbosity=0)


@contextmanager
def leading_to(name: str) -> Iterator[None]:
    before = {alias: connections[alias].settings_dict["NAME"] for alias in BOTH}
    _lead_to(name)
    try:
        yield
    finally:
        connections.close_all()
        process_lock.release()
        for alias, old in before.items():
            connections[alias].settings_dict["NAME"] = old


def _lead_to(name: str) -> None:
    """Have every connection from now on, in any thread, lead to a database."""
    connections.close_all()
    process_lock.release()
    for alias in BOTH:
        connections[alias].settings_dict["NAME"] = name


def create(name: str, template: str) -> None:
    with _server() as cursor:
        _say(cursor, "CREATE DATABASE {} TEMPLATE {} STRATEGY file_copy", name, template)


def drop(name: str) -> None:
    with _server() as cursor:
        _say(cursor, "DROP DATABASE IF EXISTS {} WITH (FORCE)", name)


def _names(start: str) -> list[str]:
    with _server() as cursor:
        cursor.execute("SELECT datname FROM pg_database WHERE starts_with(datname, %s)", [start])
        return [name for (name,) in cursor.fetchall()]


def _server():  # type: ignore[no-untyped-def]
    """A cursor outside all databases of tests."""
    return connections["owner"]._nodb_cursor()


def _say(cursor, statement: str, *names: str) -> None:  # type: ignore[no-untyped-def]
    cursor.execute(sql.SQL(statement).format(*map(sql.Identifier, names)))
