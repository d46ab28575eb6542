"""Comparing the draft and versions of the served hospital."""

from __future__ import annotations

from taxonomy.content import Content
from taxonomy.contents import Held, content_of, draft_content
from taxonomy.differences import Differences, differences
from taxonomy.models import Release, Version
from taxonomy.services.publishing import live_version
from zol.models import Hospital
from zol.versioned import versioned_models


def pending(hospital: Hospital) -> Differences:
    """Return how the draft differs from what is live."""
    live = live_version()
    return _compare(content_of(live) if live else Content(), draft_content(hospital))


def changes_of(release: Release) -> Differences:
    """Return what a release changes: against what was live when it was submitted, or is live."""
    version = release.version
    return pending(release.hospital) if version is None else between(release.base, version)


def between(before: Version | None, after: Version) -> Differences:
    """Return how two versions differ; sets of rows that are equal are not even read."""
    equal = before.digests.items() & after.digests.items() if before else ()
    held: Held = dict.fromkeys(equal, ())
    return _compare(content_of(before, held) if before else Content(), content_of(after, held))


def _compare(before: Content, after: Content) -> Differences:
    identities = {model.row_set(): model.identity for model in versioned_models()}
    return differences(before, after, identities)
