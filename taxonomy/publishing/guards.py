"""Guards of the steps of a release: permissions, allowed states, mutual exclusion.

The database refuses the same things once more (taxonomy/models/rules.py).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from taxonomy.models import Release, Version
from taxonomy.models.releases import ReleaseState
from taxonomy.publishing.content import content_of
from taxonomy.publishing.versions import live_version
from zol.access.roles import may_enter
from zol.errors import StepRefused
from zol.models import AuditEntry
from zol.postgres.locks import publish_alone
from zol.records.audit import record


@contextmanager
def step(release: Release) -> Iterator[Release]:
    """Lock the hospital's releases and yield this one, freshly read."""
    with transaction.atomic():
        publish_alone(release.hospital_id)
        yield Release.objects.select_related("hospital", "version", "base").get(pk=release.pk)


def move(held: Release, state: ReleaseState, what: AuditEntry.What, **said: Any) -> None:
    said.setdefault("before", held.state)
    said.setdefault("after", state)
    held.state = state
    held.save()
    held.refresh_from_db(fields=["authors"])
    record(what, held, **said)


def frozen(release: Release) -> Version:
    version = release.version
    if version is None:
        raise StepRefused(_("This release has not been submitted yet."))
    return version


def require(by: Any, permission: str) -> None:
    if by is None or not may_enter(by) or not by.has_perm(permission):
        raise StepRefused(_("Your roles at this hospital do not include this step."))


def must_be(held: Release, *states: ReleaseState) -> None:
    if held.state not in states:
        raise StepRefused(
            _("This is not possible: the release “%(title)s” is “%(state)s” by now.")
            % {"title": held.title, "state": held.get_state_display()}
        )


def must_be_what_was_seen(held: Release, seen: int | None) -> None:
    if seen is not None and frozen(held).number != seen:
        text = _("The release was submitted anew since you looked at it. Look at it once more.")
        raise StepRefused(text)


def must_be_another(held: Release, by: Any) -> None:
    if by is not None and by.pk in held.authors:
        raise StepRefused(
            _("You opened or submitted this release, or edited something that it contains: "
              "a colleague has to approve it.")
        )  # fmt: skip


def must_still_fit(held: Release) -> None:
    """Refuse a release that was made against another live version: it would undo that one."""
    live = live_version()
    if (live.pk if live else None) != held.base_id:
        raise StepRefused(
            _("Version %(live)s has gone live since this release was submitted. Take it back and "
              "submit it again, so that a colleague sees what it changes now.")
            % {"live": live.number if live else "–"}
        )  # fmt: skip


def must_be_previewed(held: Release) -> None:
    """Refuse a release without an impact preview."""
    if not held.is_previewed:
        raise StepRefused(
            _("The impact preview of this release has not finished: only then is it known what it "
              "changes for patients. A worker for evaluation makes it by itself; where none runs, "
              "`manage.py preview %d` does.") % held.pk
        )  # fmt: skip


def must_say_why_it_breaks(held: Release, reason: str, by: Any) -> None:
    """Refuse a release that breaks golden questions, unless a non-author wrote the reason."""
    if not held.broken:
        return
    if not held.broken_reason and reason.strip():
        if by is None or by.pk in held.authors:
            raise StepRefused(
                _("You opened or submitted this release, or edited something that it contains: a "
                  "colleague has to say why it goes live although golden questions break.")
            )  # fmt: skip
        held.broken_reason, held.broken_by = reason.strip(), by
    if not held.broken_reason:
        raise StepRefused(
            _("This release breaks %d golden questions. A colleague who is not among its authors "
              "has to say in writing why it goes live all the same.") % held.broken
        )  # fmt: skip


def must_be_whole(held: Release) -> None:
    """Refuse content with a relation to something unpublished, or other than what was approved."""
    version = frozen(held)
    content = content_of(version)
    if dangling := content.dangling():
        raise StepRefused(
            _("%(number)d relations point to something that is not published: %(first)s.")
            % {"number": len(dangling), "first": dangling[0].subject.key}
        )
    if version.fingerprint and version.fingerprint != content.fingerprint():
        raise StepRefused(_("The content of version %d is not what was frozen.") % version.number)
