"""The taxonomy on the home page: releases, gaps, proposals, and what is live."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import gettext, ngettext

from taxonomy.admin.completeness import CHECKS, overdue
from taxonomy.admin.facts import stale
from taxonomy.admin.relations import ambiguous
from taxonomy.admin.releases import awaiting, unreviewed
from taxonomy.models import Alias, Fact, Proposal, Release
from taxonomy.models.entities import ENTITY_MODELS
from taxonomy.models.releases import ReleaseState
from taxonomy.publishing.differences import edits_of, pending
from taxonomy.publishing.versions import live_version
from zol.access.roles import PUBLISH
from zol.backoffice import home, site
from zol.backoffice.base import listed
from zol.backoffice.home import Task
from zol.backoffice.seen import edit_counters


@home.tasks("taxonomy.view_release")
def release_tasks(request: HttpRequest) -> Iterator[Task]:
    releases, state = Release.objects.all(), ReleaseState
    mine, urgent = awaiting(request.user, releases), unreviewed(request.user, releases)
    counts = releases.aggregate(
        rejected=Count("pk", filter=Q(state=state.REJECTED, created_by=request.user)),
        approved=Count("pk", filter=Q(state=state.APPROVED)),
    )
    address = partial(listed, Release)
    yield Task(
        gettext("Releases that await your approval"), mine.count(), address("awaits=me"),
        is_urgent=True,
    )  # fmt: skip
    yield Task(
        gettext("Urgent publications to look at"), urgent.count(), address("awaits=look"),
        is_urgent=True,
    )  # fmt: skip
    rejected = gettext("Your releases that were rejected")
    yield Task(rejected, counts["rejected"], address("state__exact=rejected"))
    if request.user.has_perm(PUBLISH):
        approved = gettext("Approved releases to publish")
        yield Task(approved, counts["approved"], address("state__exact=approved"))


@home.tasks("taxonomy.view_department")
def gap_tasks(request: HttpRequest) -> Iterator[Task]:
    for check in CHECKS:
        yield Task(str(check.title), check.rows().count(), listed(check.model, f"gap={check.key}"))
    for model in ENTITY_MODELS.values():
        title = gettext("Review date has passed: %s") % model._meta.verbose_name_plural
        yield Task(title, overdue(model.objects.all()).count(), listed(model, "gap=overdue"))
    yield Task(
        gettext("Facts whose page no longer says so"),
        len(stale(Fact.objects.only("source", "sentence"))),
        listed(Fact, "source_state=stale"),
        is_urgent=True,
    )
    doubles = ambiguous(Alias.objects.all()).count()
    yield Task(gettext("Aliases that mean two things"), doubles, listed(Alias, "meaning=two"))


@home.tasks("taxonomy.change_proposal")
def proposal_tasks(request: HttpRequest) -> Iterator[Task]:
    waiting = Proposal.objects.filter(status=Proposal.Status.OPEN).count()
    yield Task(gettext("Proposals to decide"), waiting, listed(Proposal, "status__exact=open"))


def publication(request: HttpRequest) -> dict[str, Any]:
    may_release = request.user.has_perm("taxonomy.view_release")
    return {"live": live_version(), "may_release": may_release}


def changes(request: HttpRequest) -> HttpResponse:
    """Count the unpublished changes of the draft; the page asks for it once it is shown."""
    number = pending(request.hospital).total  # type: ignore[attr-defined]
    text = ngettext("%d change not yet published", "%d changes not yet published", number) % number
    shown = text if number else gettext("Nothing to publish")
    return JsonResponse({"changes": number, "text": shown})


home.context.append(publication)
site.pages.append(("changes/", changes, "changes"))
edit_counters.append(edits_of)
