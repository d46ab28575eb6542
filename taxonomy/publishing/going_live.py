"""Publish an approved release, now, later or urgently; go back to an earlier version."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from taxonomy.models import Release, Version
from taxonomy.models.releases import WAITING, ReleaseState
from taxonomy.publishing import notices
from taxonomy.publishing.approval import (
    frozen,
    move,
    must_be,
    must_be_another,
    must_be_previewed,
    must_be_whole,
    must_say_why_it_breaks,
    must_still_fit,
    require,
    step,
)
from taxonomy.publishing.live import make_ready
from taxonomy.publishing.versions import live_version, point_to
from zol.access.roles import APPROVE, PUBLISH
from zol.errors import StepRefused
from zol.models import AuditEntry
from zol.records.audit import record
from zol.runtime.progress import report

What = AuditEntry.What
#: Time within which a colleague has to review an urgent publication.
REVIEWED_WITHIN = timedelta(days=1)


def schedule(release: Release, *, by: Any, at: datetime | None, reason: str = "") -> Release:
    """Schedule an approved release for a future time."""
    require(by, PUBLISH)
    if at is None or at <= timezone.now():
        raise StepRefused(_("That moment has passed: choose one that is still to come."))
    with step(release) as held:
        must_be(held, ReleaseState.APPROVED)
        must_still_fit(held)
        must_be_previewed(held)
        must_say_why_it_breaks(held, reason, by)
        held.goes_live_at, held.scheduled_by = at, by
        moment = f"{timezone.localtime(at):%Y-%m-%d %H:%M}"
        move(held, ReleaseState.SCHEDULED, What.SCHEDULED, by=by, after=moment, why=reason)
    return held


def unschedule(release: Release, *, by: Any = None, why: str = "") -> Release:
    """Take a release off the schedule; it stays approved."""
    require(by, PUBLISH)
    with step(release) as held:
        must_be(held, ReleaseState.SCHEDULED)
        held.goes_live_at = held.scheduled_by = None
        move(held, ReleaseState.APPROVED, What.UNSCHEDULED, by=by, why=why)
    return held


def publish_release(release: Release, *, by: Any, reason: str = "") -> Version:
    """Make an approved release live: exactly the content that was approved, or nothing.

    `reason` is required if it breaks golden questions and no reason was given before.
    """
    require(by, PUBLISH)
    _make_ready(release)
    with step(release) as held:
        return _go_live(held, by=by, reason=reason)


def _make_ready(release: Release) -> None:
    """Build the snapshot before the step begins, so that the step itself is quick.

    Other processes build theirs after the announcement, from the models that this one trained.
    """
    waiting = Release.objects.filter(pk=release.pk, state__in=WAITING, version__isnull=False)
    if found := waiting.select_related("version__hospital").first():
        report(_("Getting the new version ready to answer"))
        make_ready(frozen(found))
        report(_("Giving patients the new version"))


def _go_live(held: Release, *, by: Any, reason: str) -> Version:
    must_be(held, ReleaseState.APPROVED, ReleaseState.SCHEDULED)
    must_still_fit(held)
    must_be_another(held, held.approved_by)
    must_be_previewed(held)
    must_say_why_it_breaks(held, reason, by)
    must_be_whole(held)
    held.published_by, held.published_at = by, timezone.now()
    return _swap(held, What.PUBLISHED, by=by, why=reason)


def publish_urgently(release: Release, *, by: Any, reason: str) -> Version:
    """Publish a submitted release at once, without approval or preview.

    It stays marked until a colleague has reviewed it. While a review is more than a day late, a
    second urgent publication is refused.
    """
    require(by, PUBLISH)
    if not reason.strip():
        raise StepRefused(_("Write why it cannot wait for a colleague and for its preview."))
    _make_ready(release)
    with step(release) as held:
        must_be(held, ReleaseState.IN_REVIEW)
        must_still_fit(held)
        must_be_whole(held)
        _must_have_been_reviewed()
        held.urgent_by, held.urgent_reason = by, reason.strip()
        held.published_by, held.published_at = by, timezone.now()
        version = _swap(held, What.PUBLISHED, by=by, why=_("Urgent: %s") % reason.strip())
        transaction.on_commit(lambda: notices.went_live_urgently(held, by))
    return version


def _must_have_been_reviewed() -> None:
    """Refuse a second urgent publication while the review of an earlier one is late."""
    since = timezone.now() - REVIEWED_WITHIN
    unseen = Release.objects.filter(urgent_by__isnull=False, reviewed_by=None)
    if old := unseen.filter(published_at__lt=since).first():
        raise StepRefused(
            _("“%s” was published urgently more than a day ago and no colleague has "
              "reviewed it: review that one first.") % old.title
        )  # fmt: skip


def review(release: Release, *, by: Any, remark: str) -> Release:
    """Record a colleague's review of an urgent publication."""
    require(by, APPROVE)
    if not remark.strip():
        raise StepRefused(_("Write in a few words what you checked and found."))
    with step(release) as held:
        if not held.is_unreviewed:
            raise StepRefused(_("This release needs no review afterwards."))
        must_be_another(held, by)
        if by.pk == held.urgent_by_id:
            raise StepRefused(_("You published this release yourself: a colleague must review it."))
        held.reviewed_by, held.reviewed_at = by, timezone.now()
        held.save(update_fields=["reviewed_by", "reviewed_at"])
        record(What.APPROVED, held, by=by, before=_("published urgently"), why=remark.strip())
    return held


def activate(version: Version, *, by: Any, why: str) -> Version:
    """Make an earlier version live again. Nothing is deleted; the draft stays."""
    require(by, PUBLISH)
    if not why.strip():
        raise StepRefused(_("Write why you go back to this version."))
    release = Release.objects.filter(version=version).first()
    if release is None or release.state not in (ReleaseState.PUBLISHED, ReleaseState.SUPERSEDED):
        raise StepRefused(_("Version %d was never live: only a release can publish it.")
                          % version.number)  # fmt: skip
    report(_("Getting the new version ready to answer"))
    make_ready(version)
    with step(release) as held:
        if held.state == ReleaseState.PUBLISHED:
            raise StepRefused(_("Version %d is live already.") % version.number)
        must_be_whole(held)
        return _swap(held, What.ACTIVATED, by=by, why=why)


def _swap(held: Release, what: AuditEntry.What, *, by: Any, why: str) -> Version:
    """Mark a release as live and the previous one as superseded, in the caller's transaction."""
    live = live_version()
    version = frozen(held)
    for old in Release.objects.filter(state=ReleaseState.PUBLISHED):
        old.state = ReleaseState.SUPERSEDED
        old.save(update_fields=["state"])
    before, held.state = held.state, ReleaseState.PUBLISHED
    held.save()
    point_to(version)
    record(what, held, by=by, before=f"{live or '–'} ({before})", after=version, why=why)
    transaction.on_commit(lambda: notices.went_live(held, by))
    return version


def publish_due(*, now: datetime | None = None) -> list[Release]:
    """Publish the served hospital's releases that are due; return them, refused ones too."""
    scheduled = Release.objects.filter(state=ReleaseState.SCHEDULED)
    due = scheduled.filter(goes_live_at__lte=now or timezone.now())
    tried = list(due.order_by("goes_live_at", "pk"))
    for release in tried:
        _publish_on_time(release)
    return tried


def _publish_on_time(release: Release) -> None:
    """Publish a release on behalf of its scheduler, who gets an e-mail if it is refused."""
    by = release.scheduled_by
    try:
        require(by, PUBLISH)
        _make_ready(release)
        with step(release) as held:
            if held.state == ReleaseState.SCHEDULED:
                _go_live(held, by=by, reason="")
    except StepRefused as error:
        sentence = str(error)
        with step(release) as held:
            if held.state != ReleaseState.SCHEDULED:
                return
            held.goes_live_at = held.scheduled_by = None
            move(held, ReleaseState.APPROVED, What.REFUSED, by=by, why=sentence)
            transaction.on_commit(lambda: notices.not_on_time(held, sentence, by))
