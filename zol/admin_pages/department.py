"""One department's page: what its patients asked and got, what is told of it, and how old that is.

Its head, who is the department's owner, gets it by e-mail: counts and topics, no patient's words.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from django.contrib import messages
from django.contrib.admin import site
from django.contrib.admin.models import CHANGE, LogEntry
from django.core.exceptions import PermissionDenied
from django.db.models import F, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.timesince import timesince
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from chat.certainty import UNSURE
from chat.engines.embedded.outdated import OLD
from chat.models import CuratedAnswer, Message
from evaluation.models import WorkItem
from evaluation.queue import failed_groups
from retrieval.models import Document
from taxonomy.admin.facts import STALE, STATES, source_states
from taxonomy.kinds import Predicate
from taxonomy.models import Department, Doctor, Entity, Fact, Relation
from taxonomy.services.notices import language_of, mail
from zol.admin_pages.figures import Period, chosen_period
from zol.admin_pages.home import listed
from zol.roles import SEE_CONVERSATIONS

SEE, CHANGE_IT, APPROVE_TEXTS = (
    "taxonomy.view_department", "taxonomy.change_department", "chat.change_curatedanswer",
)  # fmt: skip
#: Rows that are shown of a list, and topics that are told.
SHOWN, TOPICS = 25, 5
YEAR = timedelta(days=365)


@dataclass(frozen=True, slots=True)
class DepartmentRow:
    """A row of a list, and the page where it is changed."""

    text: Any
    url: str
    #: What is told beside it, as far as there is something to tell.
    beside: tuple[Any, ...] = ()
    #: Somebody should look at it.
    is_bad: bool = False
    #: What can be approved here.
    key: int = 0


@dataclass(frozen=True, slots=True)
class DepartmentList:
    """A list of the page; its figures are what an e-mail tells of it."""

    title: str
    rows: list[DepartmentRow]
    empty: str
    total: int
    figures: list[tuple[Any, int]] = field(default_factory=list)
    #: Where all of it stands.
    url: str = ""


def page(request: HttpRequest, key: int) -> HttpResponse:
    """Show a department to who may see departments: of each list, to who may see its rows."""
    if not request.user.has_perm(SEE):
        raise PermissionDenied
    department = get_object_or_404(Department.objects.select_related("owner"), pk=key)
    chosen = chosen_period(request)
    is_head = request.user == department.owner and request.user.has_perm(APPROVE_TEXTS)
    may_mail = request.user.has_perm(CHANGE_IT)
    if request.method == "POST":
        if not (is_head if "approve" in request.POST else may_mail):
            raise PermissionDenied
        (_approve if "approve" in request.POST else _mail)(request, department, chosen["period"])
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
    makers = {
        SEE_CONVERSATIONS: lambda: _questions(department, period),
        "evaluation.view_workitem": lambda: _work(department, user),
        "taxonomy.view_fact": lambda: _facts(department),
        "chat.view_curatedanswer": lambda: _curated(department),
        "taxonomy.view_doctor": lambda: _doctors(department),
        "retrieval.view_document": lambda: _pages(department),
    }
    return [make() for permission, make in makers.items() if user.has_perm(permission)]


def _approve(request: HttpRequest, department: Department, period: Period) -> None:
    """Note that the head has read a curated answer in the language of the house, for a year."""
    row = get_object_or_404(_texts(department), pk=request.POST["approve"])
    name = (request.user.get_full_name() or request.user.get_username())[:80]
    row.checked_in |= {row.hospital.default_language: name}
    row.review_by = timezone.localdate() + YEAR
    row.save(update_fields=["checked_in", "review_by"])
    _log(request, row, _("Read and approved by the head of %s.") % department)


def _mail(request: HttpRequest, department: Department, period: Period) -> None:
    """Send the head what the head may see, in counts and topics."""
    head, hospital = department.owner, request.hospital  # type: ignore[attr-defined]
    with language_of(hospital):
        days = [date_format(day) for day in (period.first, period.last)]
        lines = [f"{days[0]} – {days[1]}", ""]
        for each in lists_of(department, period, head) if head else ():
            told = [f"{name}: {number}" for name, number in each.figures]
            lines.append(f"{each.title}: {each.total}")
            lines += [f"  - {line}" for line in told]
        subject, path = str(department), reverse("admin:department", args=[department.pk])
        is_sent = mail(hospital, [head] if head else [], subject, "\n".join(lines), path)
    if is_sent:
        _log(request, department, _("Sent to %s by e-mail.") % head)
    else:
        messages.error(request, _("Nothing was sent: the department has no owner with an e-mail "
                                  "address, or the mail server does not answer."))  # fmt: skip


def _log(request: HttpRequest, row: Any, text: str) -> None:
    """Write what was done into the history of a row, and so into the audit log; and say it."""
    LogEntry.objects.log_actions(request.user.pk, [row], CHANGE, text, single_object=True)
    messages.success(request, text)


def _change(row: Any) -> str:
    return reverse(f"admin:{row._meta.app_label}_{row._meta.model_name}_change", args=[row.pk])


def _dated(text: str, day: Any) -> str:
    return f"{text} {date_format(day)}" if day else ""


def _questions(department: Department, period: Period) -> DepartmentList:
    """The questions whose answers sent somebody here, as those do that name the department."""
    here = Q(contact__name=department.name)
    if department.url:
        here |= Q(contact__url=department.url)
    asked = Message.objects.filter(here, **period.lookup, state=Message.State.FINISHED)
    codes = asked.order_by().values_list("certainty", "behaviour", "intent")
    got: Counter[Any] = Counter()
    topics: Counter[Any] = Counter()
    names = {name: dict(Message._meta.get_field(name).flatchoices)
             for name in ("certainty", "behaviour", "intent")}  # fmt: skip
    for certainty, behaviour, intent in codes:
        got[names["certainty"].get(certainty) or names["behaviour"].get(behaviour, "–")] += 1
        topics[names["intent"].get(intent, "–")] += 1
    newest = asked.select_related("feedback").defer("answer", "trace", "citations", "follow_ups")
    rows = [
        DepartmentRow(
            row.question[:200], _change(row),
            (row.get_certainty_display() or row.get_behaviour_display(),
             getattr(row, "feedback", ""), date_format(timezone.localtime(row.created_at), "j M")),
            row.certainty in UNSURE,
        )
        for row in newest.order_by("-created_at")[:SHOWN]
    ]  # fmt: skip
    return DepartmentList(
        _("What patients asked, and what they got"), rows,
        _("Nobody asked about this department in this period."), got.total(),
        [*got.most_common(), *topics.most_common(TOPICS)],
    )  # fmt: skip


def _work(department: Department, user: Any) -> DepartmentList:
    """What waits in the work queue, whatever period is looked at."""
    groups = [each for each in failed_groups()
              if each.is_in("open", user) and department.name in each.about]  # fmt: skip
    rows = [
        DepartmentRow(
            each.question[:200], _change(each.first),
            (f"{each.failures.total()}×", each.item and each.item.owner), is_bad=each.is_back,
        )
        for each in groups[:SHOWN]
    ]  # fmt: skip
    return DepartmentList(
        _("What failed and is to be mended"), rows, _("Nothing waits in the work queue."),
        len(groups), url=listed(WorkItem),
    )  # fmt: skip


def _facts(department: Department) -> DepartmentList:
    facts = list(Fact.objects.filter(subject=department).select_related("subject", "hospital"))
    language, today = (get_language() or "nl")[:2], timezone.localdate()
    rows = [
        DepartmentRow(
            fact.get_need_display(), _change(fact),
            (fact.printed(language), STATES[state], _dated(_("valid until"), fact.valid_to)),
            state in STALE or bool(fact.valid_to and fact.valid_to < today),
        )
        for fact, state in zip(facts, source_states(facts), strict=True)
    ]  # fmt: skip
    return _told(_("Facts"), rows, _("No fact is kept of this department."), Fact)


def _texts(department: Department) -> Any:
    sent_here = Q(next_step=f"department:{department.key}")
    return CuratedAnswer.objects.filter(Q(subject=department) | sent_here)


def _curated(department: Department) -> DepartmentList:
    today = timezone.localdate()
    rows = [
        DepartmentRow(
            row.key, _change(row),
            (row.get_need_display(), _dated(_("review by"), row.review_by),
             ", ".join(dict.fromkeys(row.checked_in.values()))),
            row.review_by is None or row.review_by < today, row.pk,
        )
        for row in _texts(department)
    ]  # fmt: skip
    return _told(_("Curated answers"), rows, _("No curated answer is about it."), CuratedAnswer)


def _doctors(department: Department) -> DepartmentList:
    ties = {"relations__predicate": Predicate.WORKS_IN, "relations__object": department}
    today = timezone.localdate()
    rows = [
        DepartmentRow(
            row.name, _change(row),
            (row.specialty, _dated(_("absent until"), row.absent_until),
             row.get_status_display() if row.status == Entity.Status.HIDDEN else ""),
            bool(row.review_by and row.review_by < today),
        )
        for row in Doctor.objects.filter(**ties)
    ]  # fmt: skip
    return _told(_("Doctors"), rows, _("No doctor works in this department."), Doctor)


def _pages(department: Department) -> DepartmentList:
    """Its own page and those of what belongs to it, and the sources of what is told; the oldest
    first."""
    ties = Relation.objects.filter(Q(subject=department) | Q(object=department))
    near = Q(pk=department.pk) | Q(pk__in=ties.values("subject")) | Q(pk__in=ties.values("object"))
    urls = {*Entity.objects.filter(near).exclude(kind="campus").values_list("url", flat=True)}
    urls.update(*_texts(department).values_list("sources", flat=True))
    paths = Fact.objects.filter(subject=department).values("source")
    found = Document.objects.filter(Q(url__in=urls - {""}) | Q(path__in=paths))
    found = found.exclude(status=Document.Status.WITHDRAWN)
    old = timezone.localdate() - OLD
    rows = [
        DepartmentRow(
            row.title, _change(row),
            (row.updated_on and _("%s old") % timesince(row.updated_on, depth=1),
             _dated(_("changed"), row.updated_on), _dated(_("read"), row.processed_at),
             row.get_status_display() if row.status != Document.Status.READY else ""),
            row.status != Document.Status.READY or bool(row.updated_on and row.updated_on < old),
        )
        for row in found.order_by(F("updated_on").asc(nulls_first=True), "title")
    ]  # fmt: skip
    return _told(_("Pages and their age"), rows, _("No page of it is known."), Document)


def _told(title: str, rows: list[DepartmentRow], empty: str, model: Any) -> DepartmentList:
    """Return a list of which somebody should look at some rows."""
    bad = sum(row.is_bad for row in rows)
    figures = [(_("to be looked at"), bad)] if bad else []
    return DepartmentList(title, rows, empty, len(rows), figures, listed(model))
