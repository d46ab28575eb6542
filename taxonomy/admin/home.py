"""Tasks of the taxonomy on the home page, and the filter for entities with gaps.

Add a gap to `CHECKS`; the home page and the filters follow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.contrib import admin
from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from taxonomy.admin.facts import stale
from taxonomy.admin.relations import ambiguous
from taxonomy.admin.releases import awaiting, unreviewed
from taxonomy.models import (
    Alias,
    Condition,
    Department,
    Doctor,
    Entity,
    Examination,
    Fact,
    Proposal,
    Relation,
    Release,
    Treatment,
)
from taxonomy.models.entities import ENTITY_MODELS
from taxonomy.models.releases import ReleaseState
from taxonomy.publishing.differences import edits_of, pending
from taxonomy.publishing.versions import live_version
from taxonomy.vocabulary import Predicate
from zol.access.roles import PUBLISH
from zol.backoffice import home, site
from zol.backoffice.base import listed
from zol.backoffice.concurrency import edit_counters
from zol.backoffice.home import Task

Rows = QuerySet[Any]


@dataclass(frozen=True, slots=True)
class Check:
    """A gap that an entity may have."""

    key: str
    title: Any
    #: The model whose rows are checked.
    model: type[Entity]
    find: Callable[[Rows], Rows]

    def rows(self) -> Rows:
        return self.find(self.model.objects.filter(status=Entity.Status.ACTIVE))


def without(predicate: Predicate, own: str) -> Callable[[Rows], Rows]:
    """Return a filter for rows that are not the `own` end of any such relation."""
    relations = Relation.objects.filter(**{own: OuterRef("pk")}, predicate=str(predicate))
    return lambda rows: rows.filter(~Exists(relations))


def staffed(find: Callable[[Rows], Rows]) -> Callable[[Rows], Rows]:
    """Return the filter without wards and services, which need no doctors of their own."""
    return lambda rows: find(rows.filter(sort=Department.Sort.DEPARTMENT))


CHECKS = (
    Check("doctors", _("Departments without doctors"), Department,
          staffed(without(Predicate.WORKS_IN, "object"))),
    Check("campus", _("Departments without campus"), Department,
          without(Predicate.LOCATED_AT, "subject")),
    Check("department", _("Doctors without department"), Doctor,
          without(Predicate.WORKS_IN, "subject")),
    Check("campus", _("Doctors without campus"), Doctor, without(Predicate.LOCATED_AT, "subject")),
    Check("department", _("Conditions without department"), Condition,
          without(Predicate.HANDLES, "object")),
    Check("department", _("Treatments without department"), Treatment,
          without(Predicate.OFFERS, "object")),
    Check("department", _("Examinations without department"), Examination,
          without(Predicate.PERFORMS, "object")),
)  # fmt: skip


def overdue(rows: Rows) -> Rows:
    """Return the rows whose review-by date has passed."""
    return rows.filter(status=Entity.Status.ACTIVE, review_by__lt=timezone.localdate())


class GapFilter(admin.SimpleListFilter):
    """Filter for rows that lack something, or whose review is overdue."""

    title = _("needs attention")
    parameter_name = "gap"

    def lookups(self, request: HttpRequest, model_admin: admin.ModelAdmin) -> list[tuple[str, Any]]:
        mine = [(check.key, check.title) for check in CHECKS if check.model is model_admin.model]
        return [*mine, ("overdue", _("Review date has passed"))]

    def queryset(self, request: HttpRequest, queryset: Rows) -> Rows:
        if self.value() == "overdue":
            return overdue(queryset)
        for check in CHECKS:
            if check.model is queryset.model and check.key == self.value():
                return check.find(queryset.filter(status=Entity.Status.ACTIVE))
        return queryset


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
        gettext("Urgent publications to review"), urgent.count(), address("awaits=look"),
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
        gettext("Facts that are no longer on their page"),
        len(stale(Fact.objects.only("source", "sentence"))),
        listed(Fact, "source_state=stale"),
        is_urgent=True,
    )
    doubles = ambiguous(Alias.objects.all()).count()
    yield Task(gettext("Aliases with two meanings"), doubles, listed(Alias, "meaning=two"))


@home.tasks("taxonomy.change_proposal")
def proposal_tasks(request: HttpRequest) -> Iterator[Task]:
    waiting = Proposal.objects.filter(status=Proposal.Status.OPEN).count()
    yield Task(gettext("Proposals to decide on"), waiting, listed(Proposal, "status__exact=open"))


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
