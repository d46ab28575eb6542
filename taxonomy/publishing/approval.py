"""Steps of a release from draft to approval; `going_live` has those that follow.

Pages, API and commands call these. Each step is one transaction, exclusive within the hospital,
that writes the audit log and then notifies who can act next. The impact preview reads a release as
a snapshot and stores its report here.
"""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from taxonomy.models import Release, ReleaseComment
from taxonomy.models.releases import WAITING, ReleaseState
from taxonomy.publishing import notices
from taxonomy.publishing.guards import (
    frozen,
    move,
    must_be,
    must_be_another,
    must_be_previewed,
    must_be_what_was_seen,
    must_say_why_it_breaks,
    must_still_fit,
    require,
    step,
)
from taxonomy.publishing.live import load_snapshot
from taxonomy.publishing.snapshot import Snapshot
from taxonomy.publishing.versions import freeze, live_version
from zol.access.roles import APPROVE
from zol.errors import StepRefused
from zol.models import AuditEntry
from zol.records.audit import record
from zol.tenancy import required_hospital_id

What = AuditEntry.What
VIEW, ADD, EDIT = "taxonomy.view_release", "taxonomy.add_release", "taxonomy.change_release"
#: States from which a release can be taken back to be worked on.
RETURNABLE = (
    ReleaseState.IN_REVIEW, ReleaseState.APPROVED, ReleaseState.SCHEDULED, ReleaseState.REJECTED,
)  # fmt: skip
#: Fields of a submission, which a draft does not have.
OF_A_SUBMISSION = (
    "version", "base", "submitted_by", "submitted_at", "approved_by", "approved_at",
    "goes_live_at", "scheduled_by", "preview", "previewed_at", "broken", "broken_by",
)  # fmt: skip


def open_release(*, by: Any, title: str, note: str = "") -> Release:
    """Begin a release of the served hospital."""
    require(by, ADD)
    if not title.strip():
        raise StepRefused(_("A release needs a title."))
    with transaction.atomic():
        release = Release.objects.create(
            hospital_id=required_hospital_id(), title=title.strip(), note=note, created_by=by
        )
        record(What.OPENED, release, by=by, why=note)
    return release


def describe(release: Release, *, by: Any, title: str, note: str) -> Release:
    """Change the title or note of a draft release."""
    require(by, EDIT)
    with step(release) as held:
        must_be(held, ReleaseState.DRAFT)
        before, held.title, held.note = held.title, title.strip() or held.title, note
        held.save(update_fields=["title", "note"])
        record(What.CHANGED, held, by=by, before=before, after=held.title, why=note)
    return held


def submit(release: Release, *, by: Any) -> Release:
    """Freeze the draft as this release's content, and ask for a colleague's approval."""
    require(by, EDIT)
    with step(release) as held:
        must_be(held, ReleaseState.DRAFT)
        live = live_version()
        version = freeze(held.hospital, by=by, note=held.title)
        if live and live.fingerprint == version.fingerprint:
            raise StepRefused(_("The draft is the same as the live version: nothing to release."))
        held.version, held.base = version, live
        held.submitted_by, held.submitted_at = by, timezone.now()
        move(held, ReleaseState.IN_REVIEW, What.SUBMITTED, by=by, after=version)
        transaction.on_commit(lambda: notices.submitted(held))
    return held


def take_back(release: Release, *, by: Any, why: str = "") -> Release:
    """Return a release to draft: its content is frozen anew when it is submitted again."""
    require(by, EDIT)
    with step(release) as held:
        must_be(held, *RETURNABLE)
        before = held.state
        for name in OF_A_SUBMISSION:
            setattr(held, name, None)
        held.authors, held.reason, held.broken_reason = [], "", ""
        move(held, ReleaseState.DRAFT, What.WITHDRAWN, by=by, before=before, why=why)
    return held


def approve(release: Release, *, by: Any, seen: int | None = None, comment: str = "") -> Release:
    """Approve what was submitted; `seen` is the number of the version that was looked at.

    When golden questions break, the comment says why it may go live all the same.
    """
    require(by, APPROVE)
    with step(release) as held:
        must_be(held, ReleaseState.IN_REVIEW)
        must_be_what_was_seen(held, seen)
        must_still_fit(held)
        must_be_another(held, by)
        must_be_previewed(held)
        must_say_why_it_breaks(held, comment, by)
        held.approved_by, held.approved_at = by, timezone.now()
        move(held, ReleaseState.APPROVED, What.APPROVED, by=by, after=held.version, why=comment)
        if comment:
            _comment(held, by, comment)
        transaction.on_commit(lambda: notices.approved(held))
    return held


def reject(release: Release, *, by: Any, reason: str) -> Release:
    """Send a release back, saying why."""
    require(by, APPROVE)
    if not reason.strip():
        raise StepRefused(_("Say why it is rejected: the author has to go on from there."))
    with step(release) as held:
        must_be(held, ReleaseState.IN_REVIEW, ReleaseState.APPROVED, ReleaseState.SCHEDULED)
        before, held.reason, held.goes_live_at = held.state, reason.strip(), None
        move(held, ReleaseState.REJECTED, What.REJECTED, by=by, before=before, why=reason)
        transaction.on_commit(lambda: notices.rejected(held, by))
    return held


def comment(release: Release, *, by: Any, text: str) -> ReleaseComment:
    """Add a comment to a release."""
    require(by, VIEW)
    if not text.strip():
        raise StepRefused(_("The comment is empty."))
    with transaction.atomic():
        made = _comment(release, by, text.strip())
        record(What.COMMENTED, release, by=by, why=text)
    return made


def _comment(release: Release, by: Any, text: str) -> ReleaseComment:
    return ReleaseComment.objects.create(
        hospital_id=release.hospital_id, release=release, by=by, text=text
    )


def snapshot_of_release(release: Release) -> Snapshot:
    """Return what answers would be given from if this release were live; nothing is published."""
    return load_snapshot(frozen(release))


def keep_preview(release: Release, report: dict[str, Any], *, broken: int, seen: int) -> Release:
    """Keep an impact preview with the content it was made of: version number `seen`.

    `broken` counts the golden questions that pass live and would fail. When it is not 0, approving,
    scheduling and publishing need a written reason; one that was given for others counts no more.
    """
    with step(release) as held:
        must_be_what_was_seen(held, seen)
        if held.urgent_by_id is None:
            must_be(held, *WAITING)
        if _broken_keys(held.preview) != _broken_keys(report):
            held.broken_reason, held.broken_by = "", None
        held.preview, held.broken, held.previewed_at = report, broken, timezone.now()
        held.save(update_fields=["preview", "broken", "previewed_at", "broken_reason", "broken_by"])
        record(AuditEntry.What.PREVIEWED, held, after=_("%d golden questions break") % broken)
    return held


def _broken_keys(report: dict[str, Any] | None) -> set[str]:
    return set((report or {}).get("broken", ()))
