"""Submitted versions are announced and prepared, so that going live is quick."""

import logging
from itertools import count
from threading import Event

import pytest

from taxonomy.publishing import going_live, versions
from taxonomy.publishing import live as selectors
from taxonomy.publishing.live import (
    live_snapshot,
    prepare_coming_versions,
    snapshot_at_hand,
    swap_in_live_version,
)
from taxonomy.vocabulary import Kind
from tests.taxonomy.releases import approved, approver, submitted
from zol.tenancy import serving

pytestmark = pytest.mark.django_db


@pytest.fixture
def built():
    """The versions from which something has been derived, in order."""
    return []


@pytest.fixture
def departments(built, live):
    """Derive the names of departments; of what is live they are derived already."""

    def derive(snapshot):
        built.append(snapshot.version)
        return tuple(thing.name for thing in snapshot.vocabulary.of_kind(Kind.DEPARTMENT))

    live_snapshot().derived(derive)
    return derive


def test_what_was_submitted_is_derived_before_it_goes_live(live, built, departments):
    release = approved(live)
    prepare_coming_versions()
    prepare_coming_versions()
    assert built == [1, release.version.number]

    going_live.publish_release(release, by=approver(live))
    swap_in_live_version()

    assert live_snapshot().derived(departments) == ("Cardiologie", "Geriatrie")
    assert built == [1, release.version.number]


def test_a_question_that_comes_before_the_message_finds_it_ready_too(live, built, departments):
    release = approved(live)
    prepare_coming_versions()

    going_live.publish_release(release, by=approver(live))
    versions.recheck_live_versions()

    assert live_snapshot().version == release.version.number
    live_snapshot().derived(departments)
    assert built == [1, release.version.number]


def test_a_process_that_does_not_answer_for_a_hospital_prepares_nothing(
    live, other_hospital, built, departments
):
    with serving(other_hospital):
        prepare_coming_versions()

    assert built == [1]


def test_submitting_is_announced(live, django_capture_on_commit_callbacks, monkeypatch):
    announced = []
    monkeypatch.setattr("taxonomy.publishing.versions.announce", announced.append)
    with django_capture_on_commit_callbacks(execute=True):
        submitted(live)

    assert announced == [live.pk]


def test_what_must_be_said_at_once_does_not_wait_for_a_newer_version(live):
    before = live_snapshot()
    going_live.publish_release(approved(live), by=approver(live))
    selectors.recheck_live_versions()

    # Held as long as a newer version is being built.
    with selectors._building:
        assert snapshot_at_hand() is before
    assert live_snapshot().version > before.version
    assert snapshot_at_hand() is live_snapshot()


def test_a_missing_redis_is_logged_once_and_not_at_every_attempt(
    settings, monkeypatch, caplog, tmp_path
):
    settings.REDIS_URL = f"unix://{tmp_path}/nobody.sock"
    monkeypatch.setattr(versions, "RETRY_AFTER", 0.01)
    attempts, tried_often = count(1), Event()
    monkeypatch.setattr(
        versions, "check_versions", lambda: next(attempts) >= 5 and tried_often.set()
    )
    listener = versions.ReleaseListener()

    with caplog.at_level(logging.WARNING, logger=versions.__name__):
        listener.start()
        assert tried_often.wait(30)
        listener.end()

    assert ["not received" in line for line in caplog.messages] == [True]
