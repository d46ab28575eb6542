"""Concurrent publications, killed processes and lost messages leave patients unaffected."""

import os
import random
import time

import pytest
from django.db import connections, transaction

from taxonomy.models import LivePointer, Release, RowSet, Version
from taxonomy.models.releases import ReleaseState
from taxonomy.publishing import approval, going_live
from taxonomy.publishing.content import content_of
from taxonomy.publishing.versions import live_version, publish
from taxonomy.vocabulary import Kind
from tests import factories
from tests.taxonomy.processes import processes, wait_until
from tests.taxonomy.releases import approved, approver, author
from zol.models import AuditEntry
from zol.tenancy import serving

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]
SOAK = bool(os.environ.get("SOAK"))


@pytest.fixture
def live(transactional_db):
    """A hospital with a live version, and a department that is not published yet."""
    row = factories.hospital()
    with serving(row):
        factories.entity(row, Kind.DEPARTMENT, "Cardiologie")
        publish(row, by=None)
        factories.entity(row, Kind.DEPARTMENT, "Geriatrie")
        yield row


def assert_whole():
    """One release is live, it is the one that is pointed to, and its version is complete."""
    [published] = Release.objects.filter(state=ReleaseState.PUBLISHED)
    version = LivePointer.objects.get().version
    assert published.version == version
    content = content_of(version)
    assert content.fingerprint() == version.fingerprint
    assert content.dangling() == ()


def publish_at_once(hospital, lists):
    who = approver(hospital).username
    with processes(*(("publish", hospital.pk, who, *numbers) for numbers in lists)) as started:
        for process in started:
            process.wait_for("ready")
        for process in started:
            process.go()
        for process in started:
            process.wait_for("release", len(lists[0]))
        return [said for process in started for said in process.heard("release")]


def assert_one_won(outcomes, number):
    winners = [said for said in outcomes if "version" in said]
    refused = [said["refused"] for said in outcomes if "refused" in said]
    assert [said for said in outcomes if "failed" in said] == []
    assert (len(winners), len(refused)) == (1, number - 1)
    assert live_version().number == winners[0]["version"]
    return refused


@pytest.mark.soak
def test_of_many_different_releases_published_at_once_exactly_one_wins(live):
    workers, each = (5, 10) if SOAK else (3, 4)
    made = [approved(live, f"Release {n}").pk for n in range(workers * each)]

    outcomes = publish_at_once(live, [made[n::workers] for n in range(workers)])

    refused = assert_one_won(outcomes, workers * each)
    assert all("went live after this release was submitted" in said for said in refused)
    assert Release.objects.filter(state=ReleaseState.APPROVED).count() == workers * each - 1
    assert AuditEntry.objects.filter(what=AuditEntry.What.PUBLISHED).count() == 2
    assert_whole()


@pytest.mark.soak
def test_one_release_published_by_many_goes_live_once(live):
    workers, each = (5, 10) if SOAK else (2, 4)
    release = approved(live)

    outcomes = publish_at_once(live, [[release.pk] * each] * workers)

    refused = assert_one_won(outcomes, workers * each)
    assert all("is now" in said for said in refused)
    assert_whole()


def somebody_is_blocked() -> bool:
    """Whether somebody waits for a lock in the test's database."""
    with connections["owner"].cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() "
            "AND wait_event_type = 'Lock'"
        )
        return cursor.fetchone()[0] > 0


def test_a_process_killed_while_publishing_leaves_the_old_version_live(live):
    release = approved(live)
    before = live_version()
    with processes(("publish", live.pk, approver(live).username, release.pk)) as [process]:
        process.wait_for("ready")
        with transaction.atomic():
            # It writes the release's new state, and then waits here, in the middle.
            LivePointer.objects.select_for_update().get()
            process.go()
            assert wait_until(somebody_is_blocked)
            process.kill()

    assert live_version() == before
    assert Release.objects.get(pk=release.pk).state == ReleaseState.APPROVED
    assert_whole()
    going_live.publish_release(release, by=approver(live))
    assert live_version() == release.version


def test_a_process_killed_while_freezing_leaves_nothing_half_frozen(live):
    factories.with_defaults(live)
    draft = approval.open_release(by=author(live), title="Half")
    versions = Version.objects.count()
    with (
        transaction.atomic(using="owner"),
        connections["owner"].cursor() as owner,
        processes(("submit", live.pk, "anna", draft.pk)) as [process],
    ):
        # Entities are written by then; rows of other sets have to wait.
        owner.execute("LOCK TABLE taxonomy_rowset IN SHARE MODE")
        process.wait_for("ready")
        assert wait_until(somebody_is_blocked)
        process.kill()

    rows = RowSet.objects.count()
    assert Version.objects.count() == versions
    assert Release.objects.get(pk=draft.pk).state == ReleaseState.DRAFT
    approval.submit(draft, by=author(live))
    assert RowSet.objects.count() > rows


@pytest.mark.soak
def test_whenever_the_plug_is_pulled_what_is_live_is_whole(live):
    """Releases are made and published without end, and the process is killed at random moments."""
    author(live), approver(live)
    dice = random.Random(4)  # noqa: S311 (moments, not secrets)
    for _ in range(25 if SOAK else 3):
        with processes(("cycle", live.pk)) as [process]:
            process.wait_for("version", 1)
            time.sleep(dice.uniform(0.0, 0.4))
            process.kill()
        assert wait_until(nobody_works)
        assert_whole()


def nobody_works() -> bool:
    """Whether the killed process's connection is gone, and with it its transaction."""
    with connections["owner"].cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() "
            "AND usename = 'zol_app' AND pid <> pg_backend_pid() AND state <> 'idle'"
        )
        return cursor.fetchone()[0] == 0


def test_every_process_answers_from_the_new_version_and_from_the_old_one_again_within_a_second(
    live,
):
    """Two processes answer; one of them hears no announcement at all."""
    first, release = live_version(), approved(live)
    with processes(*(("answer", live.pk, each) for each in ("hears", "deaf"))) as started:
        for process in started:
            process.wait_for("version")
        time.sleep(0.3)
        for number, go, names in (
            (2, lambda: going_live.publish_release(release, by=approver(live)),
             ["Cardiologie", "Geriatrie"]),
            (3, lambda: going_live.activate(first, by=approver(live), why="Terug"), ["Cardiologie"]),
        ):  # fmt: skip
            go()
            committed = time.time()
            for process in started:
                process.wait_for("version", number)
            changes = [process.heard("version")[-1] for process in started]
            assert [change["departments"] for change in changes] == [names] * 2
            assert max(change["at"] - committed for change in changes) <= 1.0
