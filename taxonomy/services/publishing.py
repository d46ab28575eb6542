"""Freezing the draft into a version, and pointing patients to a version."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _

from taxonomy.broadcast import announce
from taxonomy.content import draft_content, write
from taxonomy.live import recheck_live_version
from taxonomy.models import LivePointer, Release, Version
from taxonomy.models.releases import Origin, ReleaseState
from zol.audit import record
from zol.errors import StepRefused
from zol.models import AuditEntry, Edit, Hospital
from zol.postgres.locks import publish_alone, wait_for_edits
from zol.progress import tell
from zol.tenancy import serving

What = AuditEntry.What


@transaction.atomic
def publish(hospital: Hospital, *, by: User | None, note: str = "") -> Version:
    """Publish the draft of a hospital that has nothing live: its first version.

    Every later version goes through a release (taxonomy/services/releases.py).
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
            origin=Origin.FIRST,
            created_by=by,
            version=version,
            published_at=now,
            published_by=by,
        )
        point_to(version)
        record(What.PUBLISHED, release, by=by, after=version, why=note)
    return version


def freeze(hospital: Hospital, *, by: User | None, note: str = "") -> Version:
    """Copy the draft into a version that is not live; in a transaction, with nobody publishing."""
    wait_for_edits(hospital.pk)
    tell(_("Reading the draft"))
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
    tell(_("Freezing it as version %d") % version.number)
    write(version, content)
    hospital_id = hospital.pk
    # Nothing goes live by this; who answers makes it ready meanwhile.
    transaction.on_commit(lambda: announce(hospital_id))
    return version


def live_version() -> Version | None:
    """Return the version that patients of the served hospital are answered from."""
    pointer = LivePointer.objects.select_related("version__created_by").first()
    return pointer.version if pointer else None


def point_to(version: Version) -> None:
    """Answer patients from a version, once the transaction is committed."""
    hospital_id = version.hospital_id
    LivePointer.objects.update_or_create(hospital_id=hospital_id, defaults={"version": version})
    transaction.on_commit(lambda: recheck_live_version(hospital_id))
    transaction.on_commit(lambda: announce(hospital_id))
