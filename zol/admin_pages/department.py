"""One department's page: what its patients asked and got, what is told of it, and how old that is.

Its head is its owner. They get it by e-mail in counts and topics, without a patient's words, and
approve its curated answers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from itertools import chain
from typing import Any, TypeAlias

from django.contrib import messages
from django.contrib.admin import site
from django.contrib.admin.models import CHANGE, LogEntry
from django.core.exceptions import PermissionDenied
from django.db.models import F, Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.timesince import timesince
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from chat.answering.certainty import UNSURE
from chat.answering.quotation.outdated import OLD
from chat.models import CuratedAnswer, Message
from evaluation.models import WorkItem
from evaluation.queue import failed_groups
from retrieval.models import Document
from taxonomy.admin.facts import STALE, STATES, source_states
from taxonomy.kinds import Kind, Predicate
from taxonomy.models import Department, Doctor, Entity, Fact, Relation
from taxonomy.services.notices import language_of, mail
from zol.admin_pages.base import listed
from zol.admin_pages.figures import Period, chosen_period

YEAR = timedelta(days=365)
Finder: TypeAlias = Callable[[Department, Period, Any], Iterator["DepartmentRow"]]


@dataclass(frozen=True, slots=True)
class DepartmentRow:
    """A row of a list, what is told beside it, and whether somebody should look at it."""

    row: Any
    text: Any
    beside: tuple[Any, ...] = ()
    is_bad: bool = False
    #: What is counted over all rows.
    counted: tuple[Any, ...] = ()

    @property
    def url(self) -> str:
        meta = self.row._meta
        return reverse(f"admin:{meta.app_label}_{meta.model_name}_change", args=[self.row.pk])

    @property
    def is_text(self) -> bool:
        return isinstance(self.row, CuratedAnswer)


@dataclass(frozen=True, slots=True)
class DepartmentList:
    title: Any
    empty: Any
    url: str
    rows: list[DepartmentRow]

    @property
    def figures(self) -> list[tuple[Any, int]]:
        """What an e-mail tells of it."""
        found = Counter(each for row in self.rows for each in row.counted)
        found[gettext("to be looked at")] = sum(row.is_bad for row in self.rows)
        return [(name, number) for name, number in found.most_common() if number]


def may(user: Any, action: str, model: Any) -> bool:
    return bool(user.has_perm(f"{model._meta.app_label}.{action}_{model._meta.model_name}"))


def page(request: HttpRequest, key: int) -> HttpResponse:
    """Show a department to who may see departments: of each list, to who may see its rows."""
    if not may(request.user, "view", Department):
        raise PermissionDenied
    department = get_object_or_404(Department.objects.select_related("owner"), pk=key)
    chosen = chosen_period(request)
    is_head = request.user == department.owner and may(request.user, "change", CuratedAnswer)
    may_mail = may(request.user, "change", Department)
    if request.method == "POST":
        is_approval = "approve" in request.POST
        if not (is_head if is_approval else may_mail):
            raise PermissionDenied
        (_approve if is_approval else _mail)(request, department, chosen["period"])
        return redirect(request.get_full_path())
    context = site.each_context(request) | chosen | {
        "title": department.name,
        "department": department,
        "lists": lists_of(department, chosen["period"], request.user),
        "may_mail": may_mail,
        "is_head": is_head,
    }  # fmt: skip
    return TemplateResponse(request, "admin/department.html", context)


def lists_of(department: Department, period: Period, user: Any) -> list[DepartmentList]:
    """Return what somebody may see of a department."""
    return [
        DepartmentList(title, empty, listed(model), [*find(department, period, user)])
        for title, empty, model, find in LISTS
        if may(user, "view", model)
    ]


def _approve(request: HttpRequest, department: Department, period: Period) -> None:
    """Note that the head has read a curated answer in the language of the house, for a year."""
    texts = {str(row.pk): row for row in _texts(department)}
    if not (row := texts.get(request.POST["approve"])):
        raise Http404
    name = (request.user.get_full_name() or request.user.get_username())[:80]
    row.checked_in |= {row.hospital.default_language: name}
    row.review_by = timezone.localdate() + YEAR
    row.save(update_fields=["checked_in", "review_by"])
    _log(request, row, gettext("Read and approved by the head of %s.") % department)


def _mail(request: HttpRequest, department: Department, period: Period) -> None:
    """Send the head what the head may see, in counts and topics."""
    head, hospital = department.owner, request.hospital  # type: ignore[attr-defined]
    with language_of(hospital):
        lines = [f"{date_format(period.first)} – {date_format(period.last)}", ""]
        for each in lists_of(department, period, head) if head else ():
            lines.append(f"{each.title}: {len(each.rows)}")
            lines += [f"  - {name}: {number}" for name, number in each.figures]
        path = reverse("admin:department", args=[department.pk])
        people = [head] if head else []
        is_sent = mail(hospital, people, department.name, "\n".join(lines), path)
    if is_sent:
        _log(request, department, gettext("Sent to %s by e-mail.") % head)
    else:
        text = gettext("Nothing was sent: the department has no owner with an e-mail address, or "
                       "the mail server does not answer.")  # fmt: skip
        messages.error(request, text)


def _log(request: HttpRequest, row: Any, text: str) -> None:
    """Write what was done into the history of a row, and so into the audit log; and say it."""
    LogEntry.objects.log_actions(request.user.pk, [row], CHANGE, text, single_object=True)
    messages.success(request, text)


def _dated(text: str, day: Any) -> str:
    return f"{text} {date_format(day)}" if day else ""


def _questions(department: Department, period: Period, user: Any) -> Iterator[DepartmentRow]:
    """The questions whose answers sent somebody here, as those do that name the department."""
    here = Q(contact__name=department.name) | Q(contact__url=department.url or "-")
    asked = Message.objects.filter(here, **period.lookup, state=Message.State.FINISHED)
    asked = asked.defer("answer", "trace", "citations", "follow_ups").select_related("feedback")
    for row in asked.order_by("-created_at"):
        got = row.get_certainty_display() or row.get_behaviour_display()
        day = date_format(timezone.localtime(row.created_at), "j M")
        beside = (got, getattr(row, "feedback", ""), day)
        counted = (got, row.get_intent_display() or "–")
        yield DepartmentRow(row, row.question[:200], beside, row.certainty in UNSURE, counted)


def _work(department: Department, period: Period, user: Any) -> Iterator[DepartmentRow]:
    """What waits in the work queue, whatever period is looked at."""
    for group in failed_groups():
        if group.is_in("open", user) and department.name in group.about:
            beside = (f"{group.failures.total()}×", group.item and group.item.owner)
            yield DepartmentRow(group.first, group.question[:200], beside, group.is_back)


def _facts(department: Department, period: Period, user: Any) -> Iterator[DepartmentRow]:
    facts = list(Fact.objects.filter(subject=department).select_related("subject", "hospital"))
    language, today = (get_language() or "nl")[:2], timezone.localdate()
    for row, state in zip(facts, source_states(facts), strict=True):
        beside = row.printed(language), STATES[state], _dated(gettext("valid until"), row.valid_to)
        is_over = row.valid_to is not None and row.valid_to < today
        yield DepartmentRow(row, row.get_need_display(), beside, is_over or state in STALE)


def _texts(department: Department) -> Any:
    sent_here = Q(next_step=f"department:{department.key}")
    return CuratedAnswer.objects.filter(Q(subject=department) | sent_here)


def _curated(department: Department, period: Period, user: Any) -> Iterator[DepartmentRow]:
    for row in _texts(department):
        readers = ", ".join(dict.fromkeys(row.checked_in.values()))
        beside = row.get_need_display(), _dated(gettext("review by"), row.review_by), readers
        is_late = row.review_by is None or row.review_by < timezone.localdate()
        yield DepartmentRow(row, row.key, beside, is_late)


def _doctors(department: Department, period: Period, user: Any) -> Iterator[DepartmentRow]:
    works_here = {"relations__predicate": Predicate.WORKS_IN, "relations__object": department}
    for row in Doctor.objects.filter(**works_here):
        status = row.get_status_display() if row.status == Entity.Status.HIDDEN else ""
        beside = row.specialty, _dated(gettext("absent until"), row.absent_until), status
        is_late = row.review_by is not None and row.review_by < timezone.localdate()
        yield DepartmentRow(row, row.name, beside, is_late)


def _pages(department: Department, period: Period, user: Any) -> Iterator[DepartmentRow]:
    """Its page and those of what belongs to it, and the sources of what is told; oldest first."""
    ties = Relation.objects.filter(Q(subject=department) | Q(object=department))
    near = Entity.objects.filter(pk__in={*chain(*ties.values_list("subject", "object"))})
    urls = {department.url, *near.exclude(kind=Kind.CAMPUS).values_list("url", flat=True)}
    urls.update(*_texts(department).values_list("sources", flat=True))
    told = Fact.objects.filter(subject=department).values("source")
    found = Document.objects.exclude(status=Document.Status.WITHDRAWN)
    found = found.filter(Q(url__in=urls - {""}) | Q(path__in=told))
    for row in found.order_by(F("updated_on").asc(nulls_first=True), "title"):
        is_ready, day = row.status == Document.Status.READY, row.updated_on
        beside = (
            day and gettext("%s old") % timesince(day, depth=1), _dated(gettext("changed"), day),
            _dated(gettext("read"), row.processed_at), "" if is_ready else row.get_status_display(),
        )  # fmt: skip
        is_old = day is not None and timezone.localdate() - day > OLD
        yield DepartmentRow(row, row.title, beside, is_old or not is_ready)


#: Title, what is said where there is nothing, rows of what, and how they are found.
LISTS: tuple[tuple[Any, Any, Any, Finder], ...] = (
    (_("What patients asked, and what they got"),
     _("Nobody asked about this department in this period."), Message, _questions),
    (_("What failed and is to be mended"),
     _("Nothing waits in the work queue."), WorkItem, _work),
    (_("Facts"), _("No fact is kept of this department."), Fact, _facts),
    (_("Curated answers"), _("No curated answer is about it."), CuratedAnswer, _curated),
    (_("Doctors"), _("No doctor works in this department."), Doctor, _doctors),
    (_("Pages and their age"), _("No page of it is known."), Document, _pages),
)  # fmt: skip
