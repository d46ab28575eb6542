"""The seam of the impact preview: a release as a snapshot, and where its report is kept."""

from __future__ import annotations

from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from taxonomy.contents import draft_content
from taxonomy.models import Release
from taxonomy.models.releases import WAITING
from taxonomy.services.steps import frozen, must_be, must_be_what_was_seen, step
from taxonomy.snapshot import Snapshot
from taxonomy.snapshots import load_snapshot, snapshot_of
from zol.models import AuditEntry
from zol.trail import record


def snapshot_of_release(release: Release) -> Snapshot:
    """Return what answers would be given from if this release were live; nothing is published.

    Of a submitted release that is its frozen content, of a draft what staff have edited so far.
    """
    if release.version_id is None:
        return snapshot_of(draft_content(release.hospital), release.hospital, 0)
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
