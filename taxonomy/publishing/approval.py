"""Steps of a release from draft to approval, and the guards of every step.

Pages, API and commands call these; `going_live` has the steps that follow. Each is one transaction,
exclusive within the hospital, that writes the audit log and then notifies who can act next. The
database refuses the same things once more (taxonomy/models/rules.py).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from taxonomy.models import Release, ReleaseComment, Version
from taxonomy.models.releases import WAITING, ReleaseState
from taxonomy.publishing import notices
from taxonomy.publishing.content import content_of
from taxonomy.publishing.live import load_snapshot
from taxonomy.publishing.versions import freeze, live_version
from taxonomy.snapshot import Snapshot
from zol.access.roles import APPROVE, may_enter
from zol.errors import StepRefused
from zol.models import AuditEntry
from zol.postgres.locks import publish_alone
from zol.records.audit import record
from zol.tenancy import required_hospital_id

What = AuditEntry.What
VIEW, ADD, EDIT = "taxonomy.view_release", "taxonomy.add_release", "taxonomy.change_release"
#: States from which a release can be taken back to be worked on.
RETURNABLE = (
    ReleaseState.IN_REVIEW, ReleaseState.APPROVED, ReleaseState.SCHEDULED, ReleaseState.REJECTED,
)  # fmt: skip
#: Fields that a submission fills and a draft leaves empty.
OF_A_SUBMISSION = (
    "version", "base", "submitted_by", "submitted_at", "approved_by", "approved_at",
    "goes_live_at", "scheduled_by", "preview", "previewed_at", "broken", "broken_by",
)  # fmt: skip


@contextmanager
def step(release: Release) -> Iterator[Release]:
    """Lock the hospital's releases and yield this one, freshly read."""
    with transaction.atomic():
        publish_alone(release.hospital_id)
        yield Release.objects.select_related("hospital", "version", "base").get(pk=release.pk)


def move(held: Release, state: ReleaseState, what: AuditEntry.What, **details: Any) -> None:
    details.setdefault("before", held.state)
    details.setdefault("after", state)
    held.state = state
    held.save()
    held.refresh_from_db(fields=["authors"])
    record(what, held, **details)


def frozen(release: Release) -> Version:
    version = release.version
    if version is None:
        raise StepRefused(_("This release has not been submitted yet: submit it first."))
    return version


def require(by: Any, permission: str) -> None:
    if by is None or not may_enter(by) or not by.has_perm(permission):
        raise StepRefused(
            _("Your roles at this hospital do not include this step: ask a colleague.")
        )


def must_be(held: Release, *states: ReleaseState) -> None:
    if held.state not in states:
        raise StepRefused(
            _("This is no longer possible: the release “%(title)s” is now “%(state)s”.")
            % {"title": held.title, "state": held.get_state_display()}
        )


def must_be_what_was_seen(held: Release, seen: int | None) -> None:
    if seen is not None and frozen(held).number != seen:
        text = _("The release was submitted again after you opened it: look at it once more.")
        raise StepRefused(text)


def must_be_another(held: Release, by: Any) -> None:
    if by is not None and by.pk in held.authors:
        raise StepRefused(
            _("You opened or submitted this release, or edited something in it: a "
              "colleague must approve it.")
        )  # fmt: skip


def must_still_fit(held: Release) -> None:
    """Refuse a release that is based on an earlier live version: it would undo the current one."""
    live = live_version()
    if (live.pk if live else None) != held.base_id:
        raise StepRefused(
            _("Another version (%(live)s) went live after this release was submitted. "
              "Take it back and submit it again, so that a colleague sees what it changes"
              " now.")
            % {"live": live.number if live else "–"}
        )  # fmt: skip


def must_be_previewed(held: Release) -> None:
    if not held.is_previewed:
        raise StepRefused(
            _("The impact preview of this release is not finished, so what it changes for"
              " patients is not known yet. Wait for it; if no evaluation worker is "
              "running, ask IT to start one.")
        )  # fmt: skip


def must_say_why_it_breaks(held: Release, reason: str, by: Any) -> None:
    """Refuse a release that breaks golden questions, unless a non-author wrote the reason."""
    if not held.broken:
        return
    if not held.broken_reason and reason.strip():
        if by is None or by.pk in held.authors:
            raise StepRefused(
                _("You opened or submitted this release, or edited something in it: a "
                  "colleague must write why it goes live although golden questions would "
                  "fail.")
            )  # fmt: skip
        held.broken_reason, held.broken_by = reason.strip(), by
    if not held.broken_reason:
        raise StepRefused(
            _("%d golden questions would fail with this release. A colleague who did not "
              "work on the release must write why it should go live anyway.") % held.broken
        )  # fmt: skip


def must_be_whole(held: Release) -> None:
    """Refuse content with dangling relations, or other content than was frozen."""
    version = frozen(held)
    content = content_of(version)
    if dangling := content.dangling():
        raise StepRefused(
            _(
                "%(number)d relations point to something that is not published: %(first)s. "
                "Remove these relations, or publish what they point to."
            )
            % {"number": len(dangling), "first": dangling[0].subject.key}
        )
    if version.fingerprint and version.fingerprint != content.fingerprint():
        raise StepRefused(
            _(
                "The content of version %d changed after it was frozen, so it"
                " cannot be used: ask IT."
            )
            % version.number
        )


def open_release(*, by: Any, title: str, note: str = "") -> Release:
    """Begin a release of the served hospital."""
    require(by, ADD)
    if not title.strip():
        raise StepRefused(_("Give the release a title."))
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
    """Freeze the draft as the content of this release, and ask colleagues for approval."""
    require(by, EDIT)
    with step(release) as held:
        must_be(held, ReleaseState.DRAFT)
        live = live_version()
        version = freeze(held.hospital, by=by, note=held.title)
        if live and live.fingerprint == version.fingerprint:
            raise StepRefused(
                _("The draft is the same as the live version: there is nothing to release.")
            )
        held.version, held.base = version, live
        held.submitted_by, held.submitted_at = by, timezone.now()
        move(held, ReleaseState.IN_REVIEW, What.SUBMITTED, by=by, after=version)
        transaction.on_commit(lambda: notices.submitted(held))
    return held


def take_back(release: Release, *, by: Any, why: str = "") -> Release:
    """Return a release to draft; submitting it again freezes the draft again."""
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
    """Approve a submitted release; `seen` is the version number that the user reviewed.

    When golden questions break, the comment is the required reason.
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
            held.comments.create(hospital_id=held.hospital_id, by=by, text=comment)
        transaction.on_commit(lambda: notices.approved(held))
    return held


def reject(release: Release, *, by: Any, reason: str) -> Release:
    """Reject a release with a reason."""
    require(by, APPROVE)
    if not reason.strip():
        raise StepRefused(_("Write why you reject it: the author needs the reason to continue."))
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
        raise StepRefused(_("Write a comment first."))
    with transaction.atomic():
        made = release.comments.create(hospital_id=release.hospital_id, by=by, text=text.strip())
        record(What.COMMENTED, release, by=by, why=text)
    return made


def snapshot_of_release(release: Release) -> Snapshot:
    """Return the snapshot that this release would publish."""
    return load_snapshot(frozen(release))


def keep_preview(release: Release, report: dict[str, Any], *, broken: int, seen: int) -> Release:
    """Store the impact preview of a release, made from version number `seen`.

    `broken` counts the golden questions that pass on the live version and would fail. If there are
    any, approval and publication need a written reason; one given for other questions is discarded.
    """
    with step(release) as held:
        must_be_what_was_seen(held, seen)
        if held.urgent_by_id is None:
            must_be(held, *WAITING)
        before, now = ({*(each or {}).get("broken", ())} for each in (held.preview, report))
        if before != now:
            held.broken_reason, held.broken_by = "", None
        held.preview, held.broken, held.previewed_at = report, broken, timezone.now()
        held.save(update_fields=["preview", "broken", "previewed_at", "broken_reason", "broken_by"])
        record(What.PREVIEWED, held, after=_("%d golden questions would fail") % broken)
    return held
