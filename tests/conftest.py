"""Real services for every test, and a hospital to be served."""

import contextlib
import fcntl
import os
import shutil
import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from django.conf import settings
from django.db import connections
from django.test import Client, TransactionTestCase
from django.test.utils import setup_databases, teardown_databases
from pytest_django.plugin import blocking_manager_key

from tests import factories, side_by_side
from tests.chat.server import Server
from tests.databases import databases, tables_template
from tests.zol.staff import signed_in
from zol.access.hosts import forget_hosts
from zol.backoffice.work import Work
from zol.celery import app
from zol.devservices import postgres
from zol.devservices import services as embedded
from zol.models import Hospital, Role
from zol.postgres import locks
from zol.runtime import bridge
from zol.tenancy import serving

# The same examples in every run, so that a run tells about the change; `make soak` looks for new ones.
hypothesis.settings.register_profile("repeatable", derandomize=True, deadline=None)
hypothesis.settings.register_profile("searching", deadline=None)
hypothesis.settings.load_profile("searching" if os.environ.get("SOAK") else "repeatable")

# Rows of tests need not outlive the machine; every commit would wait for its disk.
postgres.CONFIGURATION |= {"fsync": "off", "full_page_writes": "off"}
SOAK = bool(os.environ.get("SOAK"))
#: The marks of tests that take long.
DEAR = ("browser", "slow", "soak")
#: Rows are written and read as the application, and cleaned up as the owner.
BOTH = ["default", "owner"]


@pytest.fixture(scope="session", autouse=True)
def services() -> Iterator[None]:
    """A real PostgreSQL and a real Redis, shared by all tests of a run."""
    embedded.start(settings.STATE_DIR)
    # Whoever else runs tests here keeps them.
    with (Path(settings.STATE_DIR) / "tests.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_SH)
        yield
        with contextlib.suppress(BlockingIOError):
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            embedded.stop(settings.STATE_DIR)
    shutil.rmtree(settings.MEDIA_ROOT, ignore_errors=True)


@pytest.fixture(scope="session")
def django_db_setup(
    services: None,
    django_test_environment: None,
    django_db_modify_db_settings_parallel_suffix: None,
    django_db_blocker,  # type: ignore[no-untyped-def]
) -> Iterator[None]:
    """Make the test database as the owner; the application's connection mirrors it.

    pytest-django's own would leave it out when the only tests of a run need committed rows.
    """
    owner = connections["owner"].settings_dict
    with django_db_blocker.unblock():
        owner["TEST"]["TEMPLATE"] = tables_template()
        made = setup_databases(verbosity=0, interactive=False)
        databases.begin(owner["NAME"])
    yield
    with django_db_blocker.unblock():
        databases.end()
        connections.close_all()
        teardown_databases(made, verbosity=0)


#: Rows that migrations make and no test changes.
KEPT = {"django_migrations", "django_content_type", "auth_permission"}


def emptied(case: TransactionTestCase) -> None:
    """Take the rows of a test out of the tables that have any.

    Django's own empties every table and makes content types and permissions anew.
    """
    owner = connections["owner"]
    quote = owner.ops.quote_name
    names = set(owner.introspection.django_table_names(only_existing=True)) - KEPT
    filled = " UNION ALL ".join(
        f"SELECT '{name}' WHERE EXISTS (SELECT FROM {quote(name)})" for name in sorted(names)
    )
    with owner.cursor() as cursor:
        cursor.execute(filled)
        if found := [quote(name) for (name,) in cursor.fetchall()]:
            cursor.execute(f"TRUNCATE {', '.join(found)} CASCADE")


TransactionTestCase._fixture_teardown = emptied  # type: ignore[method-assign]


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    # Files come in any order, those of a folder together: they leave the database alike. The dear
    # ones come first, so that no process is left with one at the end.
    folders: dict[Path, int] = {}
    dear = {item.path for item in items if any(map(item.get_closest_marker, DEAR))}
    items.sort(
        key=lambda item: (item.path not in dear, folders.setdefault(item.path.parent, len(folders)))
    )
    for item in items:
        for mark in item.iter_markers("django_db"):
            mark.kwargs.setdefault("databases", BOTH)
        if not SOAK and item.get_closest_marker("soak") and item.get_closest_marker("alone"):
            item.add_marker(pytest.mark.skip(reason="a load on a machine of its own: make soak"))


#: A test's place beside others, from before its fixtures until after them.
ROOM = pytest.StashKey[contextlib.ExitStack]()


@pytest.hookimpl
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Before all fixtures, and never for a test that is skipped: it would wait for the machine in vain.

    Whoever asks for the small hospital finds its database.
    """
    item.stash[ROOM] = contextlib.ExitStack()
    alone = item.get_closest_marker("alone") is not None
    item.stash[ROOM].enter_context(side_by_side.room(Path(settings.STATE_DIR), alone=alone))
    if uses_database(item):
        names = item.fixturenames  # type: ignore[attr-defined]
        small, untouched = "committed" in names, "untouched" in names
        commits = item.get_closest_marker("django_db") is None and "db" not in names
        with item.config.stash[blocking_manager_key].unblock():
            databases.want(small=small, untouched=untouched, commits=commits)


def uses_database(item: pytest.Item) -> bool:
    names = getattr(item, "fixturenames", ())
    return "django_db_setup" in names or item.get_closest_marker("django_db") is not None


@pytest.fixture(autouse=True)
def fresh_memory() -> Iterator[None]:
    """What a process remembers of the database must not outlive a test."""
    from chat.selectors import budget_used, live_interventions
    from taxonomy.publishing.live import forget_snapshots

    def forget() -> None:
        forget_hosts()
        forget_snapshots()
        live_interventions.forget()
        budget_used.forget()

    forget()
    yield
    forget()


@pytest.fixture
def hospital(db: None) -> Iterator[Hospital]:
    """A hospital that is being served while the test runs."""
    row = factories.hospital()
    with serving(row):
        yield row


@pytest.fixture(scope="session")
def committed(django_db_setup: None) -> None:
    """The database with the small hospital, and whatever rows other tests left in it."""


@pytest.fixture(scope="session")
def untouched(committed: None) -> None:
    """The same, and no test has left a row in it."""


@pytest.fixture(scope="session")
def server(committed, django_db_blocker, tmp_path_factory) -> Iterator[Server]:  # type: ignore[no-untyped-def]
    """The product's web server, on the small hospital; it stays for all tests of a process."""
    with django_db_blocker.unblock():
        made = Server(tmp_path_factory.mktemp("server"))
        made.start()
    yield made
    made.stop()


@pytest.fixture
def mini(committed: None, django_db_blocker) -> Iterator[Hospital]:  # type: ignore[no-untyped-def]
    """A small hospital that answers. Its rows are committed, so that threads and sockets see them."""
    from chat.answer_cache.store import forget_answers
    from tests import answering

    with django_db_blocker.unblock():
        row = answering.mini_hospital()
        with serving(row):
            # What another test was answered would be given again.
            forget_answers()
            yield row
        let_turns_end()
        connections.close_all()


#: The pools of threads of this process, with how many threads each may have.
POOLS = {
    bridge.turns: bridge.MOST_TURNS,
    bridge.checks: bridge.MOST_CHECKS,
    bridge.urgent: bridge.MOST_URGENT,
    bridge.helpers: bridge.MOST_HELPERS,
}
#: Those that were given work since their threads last let go of the database.
used: set[ThreadPoolExecutor] = set()


def noted(pool: ThreadPoolExecutor) -> None:
    """Have a pool say that it was used: a test that gave it no work waits for none of its threads."""
    submit = pool.submit

    def submit_noted(*args: Any, **kwargs: Any) -> Future[Any]:
        used.add(pool)
        return submit(*args, **kwargs)

    pool.submit = submit_noted  # type: ignore[method-assign]


for each in POOLS:
    noted(each)


def let_turns_end() -> None:
    """Wait for what is left to do after an answer, and have its threads and locks let go of the database.

    The database is closed to tests that end. A thread that is shut out in the middle of a transaction
    could not close its connection: nothing of the next test would be committed in it, and a browser
    test would wait in vain until nobody uses the database.
    """
    # Work that ends may give work to another pool.
    while waiting := {pool: POOLS[pool] for pool in used}:
        meeting = threading.Barrier(sum(waiting.values()) + 1)
        resting = [
            pool.submit(rest, meeting) for pool, count in waiting.items() for _ in range(count)
        ]
        used.difference_update(waiting)
        meeting.wait(60)
        for rested in resting:
            rested.result()
    locks.process_lock.release()


def rest(meeting: threading.Barrier) -> None:
    """Meet all other threads, so that each has ended what it did, and let go of the database."""
    meeting.wait(60)
    for connection in connections.all(initialized_only=True):
        connection.close()
        del connections[connection.alias]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item) -> Iterator[None]:
    """After all fixtures: what a turn left to do may wait for a row that the test's transaction holds."""
    with item.stash.get(ROOM, contextlib.ExitStack()):
        yield
        if uses_database(item):
            let_turns_end()


@pytest.fixture
def work_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a page gives to a worker is done in the request: rows of a test are nobody else's."""
    monkeypatch.setattr(Work, "apply_async", Work.apply)


@pytest.fixture
def other_hospital(db: None) -> Hospital:
    """Another hospital in the same database, which is not being served."""
    return factories.hospital(slug="elders", name="Ziekenhuis Elders", short_name="ZE")


@pytest.fixture
def curator(hospital: Hospital) -> Client:
    """A browser in which a curator of the hospital has signed in."""
    return signed_in(hospital, Role.CURATOR)


@pytest.fixture
def broker_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers are told in memory; each test does the work itself."""
    monkeypatch.setattr(app.conf, "broker_url", "memory://")
