"""Freeze the draft into a version, point patients to a version, and announce it through Redis.

A message is only a hint: its receiver reads the pointer in the database. A process that misses it
notices from the same pointer, which is cached for a quarter of a second (`publishing.live`).

Submitted versions are announced too, so that every process prepares them before they are approved.
"""

from __future__ import annotations

import logging
from threading import Event, Thread
from typing import Any

import redis
from django.conf import settings
from django.contrib.auth.models import User
from django.db import connections, transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _

from taxonomy.models import LivePointer, Release, Version
from taxonomy.models.releases import ReleaseOrigin, ReleaseState
from taxonomy.publishing.content import draft_content, write
from taxonomy.publishing.live import (
    hospitals_in_use,
    prepare_coming_versions,
    recheck_live_versions,
    swap_in_live_version,
)
from zol.errors import ExpectedError, StepRefused
from zol.models import AuditEntry, Edit, Hospital
from zol.postgres.locks import publish_alone, wait_for_edits
from zol.records.audit import record
from zol.runtime.progress import report
from zol.tenancy import serving

What = AuditEntry.What


@transaction.atomic
def publish(hospital: Hospital, *, by: User | None, note: str = "") -> Version:
    """Publish the draft of a hospital that has nothing live: its first version.

    Every later version goes through a release (taxonomy/publishing/approval.py).
    """
    with serving(hospital):
        publish_alone(hospital.pk)
        if LivePointer.objects.exists():
            raise StepRefused(
                f"{hospital.name} has a live version already: later ones go through a release."
            )
        version = freeze(hospital, by=by, note=note)
        now = timezone.now()
        release = Release.objects.create(
            hospital=hospital,
            title=f"v{version.number}",
            note=note,
            state=ReleaseState.PUBLISHED,
            origin=ReleaseOrigin.FIRST,
            created_by=by,
            version=version,
            published_at=now,
            published_by=by,
        )
        point_to(version)
        record(What.PUBLISHED, release, by=by, after=version, why=note)
    return version


def freeze(hospital: Hospital, *, by: User | None, note: str = "") -> Version:
    """Copy the draft into a version that is not live.

    Call it in a transaction that holds the hospital's publishing lock.
    """
    wait_for_edits(hospital.pk)
    report(_("Reading the draft"))
    content = draft_content(hospital)
    last = Version.objects.aggregate(last=Max("number"))["last"] or 0
    version = Version.objects.create(
        hospital=hospital,
        number=last + 1,
        note=note[:500],
        created_by=by,
        fingerprint=content.fingerprint(),
        digests=content.digests(),
        last_edit=Edit.objects.aggregate(last=Max("pk"))["last"] or 0,
    )
    report(_("Freezing it as version %d") % version.number)
    write(version, content)
    hospital_id = hospital.pk
    # Nothing goes live yet, but processes that answer patients can prepare it.
    transaction.on_commit(lambda: announce(hospital_id))
    return version


def live_version() -> Version | None:
    """Return the version that patients of the served hospital are answered from."""
    pointer = LivePointer.objects.select_related("version__created_by").first()
    return pointer.version if pointer else None


def point_to(version: Version) -> None:
    """Make a version the live one once the transaction is committed."""
    hospital_id = version.hospital_id
    LivePointer.objects.update_or_create(hospital_id=hospital_id, defaults={"version": version})
    transaction.on_commit(lambda: recheck_live_versions(hospital_id))
    transaction.on_commit(lambda: announce(hospital_id))


logger = logging.getLogger(__name__)
CHANNEL = "zol:published"
#: Seconds to wait for Redis when announcing, and between two attempts to subscribe.
REDIS_TIMEOUT, RETRY_AFTER = 1.0, 0.5
#: Seconds without a message after which the live pointers are checked in the database.
CHECK_EVERY = 2.0


def announce(hospital_id: int) -> None:
    """Announce a hospital's new live version. Without Redis, processes notice slightly later."""
    try:
        with redis.Redis.from_url(
            settings.REDIS_URL, socket_timeout=REDIS_TIMEOUT, socket_connect_timeout=REDIS_TIMEOUT
        ) as client:
            client.publish(CHANNEL, hospital_id)
    except redis.RedisError:
        logger.warning("The publication of hospital %s was not announced", hospital_id)


class ReleaseListener(Thread):
    """Swaps in a version as soon as it is announced, in the process that starts it."""

    def __init__(self) -> None:
        super().__init__(name="published-versions", daemon=True)
        self._ended = Event()
        #: Set while the channel is subscribed to.
        self.subscribed = Event()
        self._has_warned = False

    def end(self) -> None:
        self._ended.set()
        self.join(timeout=5)

    def run(self) -> None:
        while not self._ended.is_set():
            try:
                with redis.Redis.from_url(settings.REDIS_URL) as client, client.pubsub() as channel:
                    channel.subscribe(CHANNEL)
                    while not self._ended.is_set():
                        self._take(channel.get_message(timeout=CHECK_EVERY))
            except redis.RedisError as error:
                if not self._has_warned:
                    logger.warning("Publications are not received from Redis: %s", error)
                self._has_warned = True
                self.subscribed.clear()
                check_versions()
                self._ended.wait(RETRY_AFTER)

    def _take(self, message: dict[str, Any] | None) -> None:
        if message is None:
            check_versions()
        elif message["type"] == "subscribe":
            recheck_live_versions()  # Earlier messages were missed.
            self.subscribed.set()
            self._has_warned = False
        elif message["type"] == "message":
            swap_in(int(message["data"]))


def check_versions() -> None:
    """Swap in versions whose announcement this process missed."""
    for hospital_id in hospitals_in_use():
        swap_in(hospital_id)


def swap_in(hospital_id: int) -> None:
    """Switch to the live version of a hospital, and prepare the versions that may follow it.

    If that fails, the next question tries again.
    """
    try:
        with serving(hospital_id):
            swap_in_live_version()
            prepare_coming_versions()
    except ExpectedError:
        logger.warning("Hospital %s has nothing live", hospital_id)
    except Exception:  # The thread goes on: the next announcement may be of another hospital.
        logger.exception("The live version of hospital %s could not be loaded", hospital_id)
    finally:
        connections.close_all()


_listeners: list[ReleaseListener] = []


def listen() -> None:
    """Start listening for announcements; call once per process."""
    if not _listeners:
        listener = ReleaseListener()
        _listeners.append(listener)
        listener.start()
