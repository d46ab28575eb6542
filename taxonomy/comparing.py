"""Comparing the draft and versions of the served hospital."""

from __future__ import annotations

from taxonomy.content import Content
from taxonomy.contents import content_of, draft_content
from taxonomy.differences import Differences, differences
from taxonomy.models import Release, Version
from taxonomy.services.publishing import live_version
from zol.models import Hospital
from zol.versioned import versioned_models


def pending(hospital: Hospital) -> Differences:
    """Return how the draft differs from what is live."""
    return _compare(live_version(), draft_content(hospital))


def changes_of(release: Release) -> Differences:
    """Return what a release changes: against what was live when it was submitted, or is live."""
    version = release.version
    return pending(release.hospital) if version is None else between(release.base, version)


def between(before: Version | None, after: Version) -> Differences:
    return _compare(before, content_of(after))


def _compare(before: Version | None, after: Content) -> Differences:
    identities = {model.row_set(): model.identity for model in versioned_models()}
    return differences(content_of(before) if before else Content(), after, identities)
