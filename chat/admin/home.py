"""The chat on the admin's home page: safety and budget tasks, figures of the last days."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from django.contrib.admin import site
from django.db.models import Count, Q
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from chat.behaviours import UNSURE, Behaviour
from chat.models import Feedback, InjectionPattern, Intervention, Message, ModelBudget
from chat.selectors import NEARLY, broken_patterns, budget_used, text_flaws
from zol.access.roles import SEE_CONVERSATIONS
from zol.backoffice import home
from zol.backoffice.base import listed
from zol.backoffice.home import HomeFigure, Task, counted, share

WEEK, YEAR = timedelta(days=7), timedelta(days=365)


@home.tasks("chat.view_fixedtext")
def safety_tasks(request: HttpRequest) -> Iterator[Task]:
    yield Task(
        _("Texts that are missing or differ too much in a language"),
        len(text_flaws()),
        reverse("admin:chat_fixedtext_check"),
    )
    title = (
        _("Rows with an error, which are ignored: %s") % InjectionPattern._meta.verbose_name_plural
    )
    broken = len(broken_patterns())
    yield Task(title, broken, listed(InjectionPattern), is_urgent=True)


@home.tasks("chat.view_fixedtext")
def budget_tasks(request: HttpRequest) -> Iterator[Task]:
    if (used := budget_used()) >= NEARLY:
        nearly = _("Language model budget: nearly used up today (%)")
        over = _("Language model budget: used up, the embedded engine answers today (%)")
        is_over, budget = used >= 1, listed(ModelBudget)
        yield Task(over if is_over else nearly, int(used * 100), budget, is_urgent=is_over)


@home.figures(SEE_CONVERSATIONS)
def conversation_figures(request: HttpRequest) -> Iterator[HomeFigure]:
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
    advice = Intervention.objects.filter(incident=Intervention.Incident.ADVICE)
    incidents = advice.filter(created_at__gte=now - YEAR).count()
    may_decide = site._registry[Intervention].has_view_permission(request)
    yield HomeFigure(
        _("Medical advice given"),
        counted(incidents),
        listed(Intervention, "incident__exact=advice") if may_decide else "",
        _("incidents in a year; the goal is 0"),
        is_bad=incidents > 0,
    )
    messages = listed(Message)
    yield HomeFigure(_("Questions today"), counted(week["today"]), messages)
    yield HomeFigure(_("Questions in 7 days"), counted(week["total"]), messages)
    unanswered = share(week["unanswered"], week["answers"])
    failed = reverse("admin:evaluation_workitem_changelist")
    yield HomeFigure(_("Without an answer"), unanswered, failed, _("of the answers in 7 days"))
    refused, query = counted(week["refused"]), "behaviour__exact=refuse_medical"
    yield HomeFigure(_("Medical advice refused"), refused, listed(Message, query), _("in 7 days"))
    up, remark = share(thumbs["up"], sum(thumbs.values())), _("%(up)d up, %(down)d down in 7 days")
    yield HomeFigure(_("Thumbs up"), up, listed(Feedback), remark % thumbs)
