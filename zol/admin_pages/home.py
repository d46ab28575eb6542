"""The home page: what needs me today, and how the product is doing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.contrib.admin import site
from django.db.models import Avg, Count, Q
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from chat.answering.certainty import UNSURE
from chat.behaviours import Behaviour
from chat.models import Feedback, InjectionPattern, Intervention, Message, ModelBudget
from chat.selectors import NEARLY, broken_patterns, budget_used, text_flaws
from evaluation.models import LiveGrade, WorkItem
from retrieval.models import Chunk, Document
from taxonomy.admin.completeness import CHECKS, overdue
from taxonomy.admin.facts import stale
from taxonomy.admin.relations import ambiguous
from taxonomy.admin.releases import awaiting, unreviewed
from taxonomy.models import Alias, Fact, Proposal, Release
from taxonomy.models.entities import ENTITY_MODELS
from taxonomy.models.releases import ReleaseState
from taxonomy.publishing.differences import pending
from taxonomy.publishing.versions import live_version
from zol.admin_pages.base import listed
from zol.models import GoneRow
from zol.roles import PUBLISH, SEE_CONVERSATIONS

SEE_DOCUMENTS = "retrieval.view_document"
#: What is still to be decided, in the list of a queue.
OPEN, MINE = "status__exact=open", "show=mine"
WEEK, YEAR = timedelta(days=7), timedelta(days=365)


@dataclass(frozen=True, slots=True)
class Task:
    """Something that waits for somebody."""

    title: str
    count: int
    url: str
    #: Patients notice: red rather than amber.
    is_urgent: bool = False


@dataclass(frozen=True, slots=True)
class Figure:
    title: str
    value: str
    url: str = ""
    remark: str = ""
    #: Above its goal: red.
    is_bad: bool = False


def context(request: HttpRequest) -> dict[str, Any]:
    """Return what the home page shows to this person."""
    tasks = [task for task in _tasks(request) if task.count]
    return {
        "tasks": sorted(tasks, key=lambda task: not task.is_urgent),
        "figures": list(_figures(request)),
        "live": live_version(),
        "may_release": request.user.has_perm("taxonomy.view_release"),
    }


def changes(request: HttpRequest) -> HttpResponse:
    """Say how many changes of the draft wait to be published; asked for after the page is shown."""
    number = pending(request.hospital).total  # type: ignore[attr-defined]
    text = ngettext("%d change not yet published", "%d changes not yet published", number) % number
    return JsonResponse({"changes": number, "text": text if number else _("Nothing to publish")})


def _tasks(request: HttpRequest) -> Iterator[Task]:
    if request.user.has_perm("taxonomy.view_release"):
        yield from _release_tasks(request)
    if request.user.has_perm(SEE_DOCUMENTS):
        yield from _document_tasks()
    if request.user.has_perm("taxonomy.view_department"):
        yield from _taxonomy_tasks()
    if request.user.has_perm("chat.view_fixedtext"):
        yield from _safety_tasks()
        yield from _budget_tasks()
    if request.user.has_perm("taxonomy.change_proposal"):
        waiting = Proposal.objects.filter(status=Proposal.Status.OPEN).count()
        yield Task(_("Proposals to decide"), waiting, listed(Proposal, OPEN))
    if request.user.has_perm("zol.change_gonerow"):
        gone = GoneRow.objects.filter(read_at=None).count()
        yield Task(_("Rows and settings that the upgrade removed"), gone, listed(GoneRow))
    if request.user.has_perm("evaluation.change_workitem"):
        mine = WorkItem.objects.filter(owner=request.user, state=WorkItem.State.OPEN)
        late = mine.filter(due__lte=timezone.localdate()).count()
        yield Task(_("Failed answers that you would mend by now"), late, listed(WorkItem, MINE))


def _budget_tasks() -> Iterator[Task]:
    if (used := budget_used()) >= NEARLY:
        nearly = _("Budget of models: nearly used up today (%)")
        over = _("Budget of models: used up, today the embedded engine answers (%)")
        is_over, budget = used >= 1, listed(ModelBudget)
        yield Task(over if is_over else nearly, int(used * 100), budget, is_urgent=is_over)


def _release_tasks(request: HttpRequest) -> Iterator[Task]:
    releases = Release.objects.all()
    yield Task(
        _("Releases that await your approval"),
        awaiting(request.user, releases).count(),
        listed(Release, "awaits=me"),
        is_urgent=True,
    )
    yield Task(
        _("Urgent publications to look at"),
        unreviewed(request.user, releases).count(),
        listed(Release, "awaits=look"),
        is_urgent=True,
    )
    states = releases.aggregate(
        rejected=Count("pk", filter=Q(state=ReleaseState.REJECTED, created_by=request.user)),
        approved=Count("pk", filter=Q(state=ReleaseState.APPROVED)),
    )
    yield Task(
        _("Your releases that were rejected"),
        states["rejected"],
        listed(Release, "state__exact=rejected"),
    )
    if request.user.has_perm(PUBLISH):
        yield Task(
            _("Approved releases to publish"),
            states["approved"],
            listed(Release, "state__exact=approved"),
        )


def _document_tasks() -> Iterable[Task]:
    status = Document.Status
    states = Document.objects.aggregate(
        failed=Count("pk", filter=Q(status=status.FAILED)),
        waiting=Count("pk", filter=Q(status=status.REGISTERED)),
        suspicious=Count("pk", filter=Q(has_instructions=True, status=status.READY)),
        outdated=Count("pk", filter=Q(replaced_by__gt="", status=status.READY)),
    )
    edited = Chunk.objects.filter(source_changed=True).count()
    return (
        Task(
            _("Documents that failed to be processed"),
            states["failed"],
            listed(Document, "status__exact=failed"),
            is_urgent=True,
        ),
        Task(
            _("Documents waiting to be processed"),
            states["waiting"],
            listed(Document, "status__exact=registered"),
        ),
        Task(
            _("Documents with instructions to an assistant"),
            states["suspicious"],
            listed(Document, "has_instructions__exact=1"),
        ),
        Task(
            _("Documents that may be outdated"), states["outdated"], listed(Document, "outdated=1")
        ),
        Task(
            _("Edited chunks whose source has changed"),
            edited,
            listed(Chunk, "source_changed__exact=1"),
        ),
    )


def _safety_tasks() -> Iterator[Task]:
    yield Task(
        _("Texts that are missing or differ in a language"),
        len(text_flaws()),
        reverse("admin:chat_texts"),
    )
    title = _("Rows that do not work: %s") % InjectionPattern._meta.verbose_name_plural
    broken = len(broken_patterns())
    yield Task(title, broken, listed(InjectionPattern, "works=no"), is_urgent=True)


def _taxonomy_tasks() -> Iterator[Task]:
    for check in CHECKS:
        yield Task(str(check.title), check.rows().count(), listed(check.model, f"gap={check.key}"))
    for model in ENTITY_MODELS.values():
        yield Task(
            _("Review date has passed: %s") % model._meta.verbose_name_plural,
            overdue(model.objects.all()).count(),
            listed(model, "gap=overdue"),
        )
    yield Task(
        _("Facts whose page no longer says so"),
        len(stale(Fact.objects.only("source", "sentence"))),
        listed(Fact, "source_state=stale"),
        is_urgent=True,
    )
    yield Task(
        _("Aliases that mean two things"),
        ambiguous(Alias.objects.all()).count(),
        listed(Alias, "meaning=two"),
    )


def _figures(request: HttpRequest) -> Iterator[Figure]:
    if request.user.has_perm(SEE_DOCUMENTS):
        ready = Document.objects.filter(status=Document.Status.READY).count()
        yield Figure(_("Searchable documents"), counted(ready), listed(Document))
        enabled = Chunk.objects.filter(is_enabled=True, document__status="ready").count()
        yield Figure(_("Searchable chunks"), counted(enabled), listed(Chunk))
    if request.user.has_perm(SEE_CONVERSATIONS):
        yield from _conversation_figures(request)


def _conversation_figures(request: HttpRequest) -> Iterator[Figure]:
    now = timezone.localtime()
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    answered = Q(state=Message.State.FINISHED, behaviour=Behaviour.ANSWER)
    week = Message.objects.filter(created_at__gte=now - WEEK).aggregate(
        today=Count("pk", filter=Q(created_at__gte=midnight)),
        total=Count("pk"),
        answers=Count("pk", filter=answered),
        unanswered=Count("pk", filter=answered & Q(certainty__in=UNSURE)),
        refused=Count("pk", filter=Q(behaviour=Behaviour.REFUSE_MEDICAL)),
    )
    thumbs = Feedback.objects.filter(created_at__gte=now - WEEK).aggregate(
        up=Count("pk", filter=Q(is_good=True)), down=Count("pk", filter=Q(is_good=False))
    )
    incidents = Intervention.objects.filter(
        incident=Intervention.Incident.ADVICE, created_at__gte=now - YEAR
    ).count()
    may_decide = site._registry[Intervention].has_view_permission(request)
    yield Figure(
        _("Medical advice given"),
        counted(incidents),
        listed(Intervention, "incident__exact=advice") if may_decide else "",
        _("incidents in a year; the goal is 0"),
        is_bad=incidents > 0,
    )
    yield Figure(_("Questions today"), counted(week["today"]), listed(Message))
    yield Figure(_("Questions in 7 days"), counted(week["total"]), listed(Message))
    yield Figure(
        _("Without an answer"),
        share(week["unanswered"], week["answers"]),
        listed(WorkItem),
        _("of the answers in 7 days"),
    )
    yield Figure(
        _("Medical advice refused"),
        counted(week["refused"]),
        listed(Message, "behaviour__exact=refuse_medical"),
        _("in 7 days"),
    )
    yield Figure(
        _("Thumbs up"),
        share(thumbs["up"], thumbs["up"] + thumbs["down"]),
        listed(Feedback),
        _("%(up)d up, %(down)d down in 7 days") % thumbs,
    )
    yield _grade_figure(now - WEEK)


def _grade_figure(since: datetime) -> Figure:
    """Return the mean grade of the week, beside that of the week before."""
    new, old = Q(graded_at__gte=since), Q(graded_at__gte=since - WEEK, graded_at__lt=since)
    grades = LiveGrade.objects.aggregate(
        now=Avg("overall", filter=new), before=Avg("overall", filter=old),
        number=Count("pk", filter=new),
    )  # fmt: skip
    now, before = (share(grades[name] or 0, grades[name] is not None) for name in ("now", "before"))
    text = _("%(number)s graded in 7 days; %(before)s in the week before")
    remark = text % {"number": counted(grades["number"]), "before": before}
    return Figure(_("Grade of live answers"), now, listed(LiveGrade), remark)


def share(part: float, whole: float) -> str:
    return f"{100 * part / whole:.0f} %" if whole else "–"


def counted(number: int) -> str:
    """Return a number as the language of the page writes it."""
    return str(number_format(number, force_grouping=True))
