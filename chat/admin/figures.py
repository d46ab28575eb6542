"""Figures of a period beside the period before it, and what the chat shows on the home page.

Every figure links to its list. Questions are counted in an index: no patient's text is read.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import partial
from typing import Any, TypeAlias
from urllib.parse import urlencode

from django import forms
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import Aggregate, BooleanField, Count, DurationField, F, Q, Sum
from django.db.models import ExpressionWrapper as Expression
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format, number_format
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from chat.behaviours import UNSURE, Behaviour
from chat.models import Conversation, Feedback, InjectionPattern, Intervention, Message, ModelBudget
from chat.selectors import NEARLY, broken_patterns, budget_used, text_flaws
from retrieval.models import CategoryMismatch
from retrieval.selectors import HIGH
from zol.access.roles import SEE_CONVERSATIONS
from zol.backoffice import home, site
from zol.backoffice.base import listed
from zol.backoffice.home import HomeFigure, Task, counted, share
from zol.text import csv_lines

DAYS, USUAL = (7, 30, 90), 30
WEEK, YEAR = 7, timedelta(days=365)
#: Longest period in days, and the earliest year.
LONGEST, EARLIEST = 366, 2000
DAY = timedelta(days=1)
LOOKUPS = ("created_at__gte", "created_at__lt")
FINISHED = Message.State.FINISHED
#: Groups of rows: their shared values, `is_old` for the period before, and counts.
Counts: TypeAlias = list[dict[str, Any]]
#: A figure of the period and of the one before.
Both: TypeAlias = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Period:
    """Whole days, the first and the last included."""

    first: date
    last: date

    @property
    def before(self) -> Period:
        return Period(self.first - (self.last - self.first) - DAY, self.first - DAY)

    @property
    def lookup(self) -> dict[str, datetime]:
        """Return the lookup for the rows of this period."""
        ends = (datetime.combine(day, time.min) for day in (self.first, self.last + DAY))
        return dict(zip(LOOKUPS, map(timezone.make_aware, ends), strict=True))

    def days(self) -> Iterator[Period]:
        for number in range((self.last - self.first).days + 1):
            yield Period(self.first + DAY * number, self.first + DAY * number)

    def list_of(self, model: Any, **query: Any) -> str:
        """Return the address of the rows of this period."""
        return listed(model, urlencode(self.lookup | query))


class DayField(forms.DateField):
    widget = forms.DateInput({"type": "date"}, format="%Y-%m-%d")
    default_error_messages = {"invalid": _("This is not a date: write it like 2026-11-28.")}


class PeriodForm(forms.Form):
    first = DayField(label=_("From"))
    last = DayField(label=_("To"))

    def clean(self) -> None:
        if self.errors:
            return
        last = min(self.cleaned_data["last"], timezone.localdate())
        first = self.cleaned_data["first"]
        if first.year < EARLIEST or not timedelta() <= last - first < DAY * LONGEST:
            text = _(
                "Choose a first day that is not after the last day and not in the future. "
                "The period lasts at most a year."
            )
            raise forms.ValidationError(text)
        self.cleaned_data["period"] = Period(first, last)


@dataclass(frozen=True, slots=True)
class FigureRow:
    """A figure of the period and of the one before: as values, and as texts with their links."""

    title: Any
    values: Both
    cells: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Chart:
    """Counts drawn side by side."""

    title: Any
    rows: list[FigureRow]

    @property
    def largest(self) -> float:
        return max((value for row in self.rows for value in row.values), default=0) or 1


class Percentile(Aggregate):
    function = "PERCENTILE_CONT"
    template = "%(function)s(%(share)s) WITHIN GROUP (ORDER BY %(expressions)s)"


def _seconds(value: float) -> str:
    return f"{number_format(value, 2)} s" if value else "–"


def last_days(number: int) -> Period:
    """Return the period of the last days, today included."""
    today = timezone.localdate()
    return Period(today - DAY * (number - 1), today)


def page(request: HttpRequest) -> HttpResponse | StreamingHttpResponse:
    """Show figures of a period, or return them as CSV, to users who may read conversations."""
    if not request.user.has_perm(SEE_CONVERSATIONS):
        raise PermissionDenied
    usual = last_days(USUAL)
    form = PeriodForm(request.GET or {"first": usual.first, "last": usual.last})
    period = form.cleaned_data["period"] if form.is_valid() else usual
    charts = list(charts_of(period))
    if form.is_valid() and "csv" in request.GET:
        return _csv(period, charts)
    context = admin.site.each_context(request) | {
        "title": gettext("Figures"),
        "form": form,
        "offered": {number: last_days(number) for number in DAYS},
        "period": period,
        "charts": charts,
        "is_empty": not any(any(row.values) for row in charts[0].rows),
    }
    return TemplateResponse(request, "admin/figures.html", context)


def _csv(period: Period, charts: list[Chart]) -> StreamingHttpResponse:
    spans = [f"{each.first} – {each.last}" for each in (period, period.before)]
    rows = [[str(each.title), str(row.title), *row.values] for each in charts for row in each.rows]
    name = f"figures-{period.first}-{period.last}.csv"
    return StreamingHttpResponse(
        csv_lines([gettext("table"), gettext("figure"), *spans], rows),
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


def charts_of(period: Period) -> Iterator[Chart]:
    """Yield the counts of a period and the one before, the totals first."""
    asked, spans = Message.objects, (period, period.before)
    facets = ("language", "intent", "certainty", "behaviour", "state")
    turns = _counts(asked, period, *facets, cost=Sum("cost"))
    talks = _counts(Conversation.objects, period, "channel")
    yield Chart(_("In short"), list(_totals(period, turns, talks)))
    by_day = _sums(_counts(asked, period, "created_at__date"), "created_at__date")
    pairs = zip(period.days(), period.before.days(), strict=True)
    days = []
    for now, old in pairs:
        both = by_day[now.first,][0], by_day[old.first,][1]
        days.append(_row(date_format(now.first, "D j M"), both, (now, old)))
    yield Chart(_("Questions by day"), days)
    yield Chart(_("Languages"), _rows(turns, spans, Message, "language"))
    yield Chart(_("Topics"), _rows(turns, spans, Message, "intent"))
    outcome = ("certainty", "behaviour", "state")
    yield Chart(_("How it was answered"), _rows(turns, spans, Message, *outcome))
    yield Chart(_("Where it was asked"), _rows(talks, spans, Conversation, "channel"))


def _totals(period: Period, turns: Counts, talks: Counts) -> Iterator[FigureRow]:
    spans = (period, period.before)
    answers = [each for each in turns if each["behaviour"] == Behaviour.ANSWER]
    unsure = [each for each in answers if each["certainty"] in UNSURE]
    yield _row(_("Conversations"), _total(talks), spans, Conversation)
    yield _row(_("Questions"), _total(turns), spans)
    yield _row(
        _("Without an answer"), _total(unsure), spans, of=_total(answers),
        certainty__in=",".join(UNSURE),
    )  # fmt: skip
    rated = _counts(Feedback.objects, period, "is_good")
    thumbs = _sums(rated, "is_good")
    for is_good, title in ((True, _("Thumbs up")), (False, _("Thumbs down"))):
        query = {"of": _total(rated), "is_good__exact": int(is_good)}
        yield _row(title, thumbs[is_good,], spans, Feedback, **query)
    took = Expression(F("finished_at") - F("created_at"), DurationField())
    shares = {"half": Percentile(took, share=0.5), "most": Percentile(took, share=0.95)}
    whole = Message.objects.filter(state=FINISHED, finished_at__isnull=False)
    ended = _counts(whole, period, **shares)
    for name, title in (
        ("half", _("Half of the answers within")),
        ("most", _("95 % of the answers within")),
    ):
        seconds = {each["is_old"]: each[name].total_seconds() for each in ended}
        both = (seconds.get(False, 0.0), seconds.get(True, 0.0))
        yield _row(title, both, spans, form=_seconds, state__exact=FINISHED)
    if any(cost := _total(turns, "cost")):
        money = partial(number_format, decimal_pos=2, force_grouping=True)
        yield _row(_("Cost of the models"), cost, spans, form=money, cost__gt=0)
    high = Count("pk", filter=Q(mismatch_rate__gt=HIGH))
    measured = _counts(CategoryMismatch.objects, period, high=high)
    query = {"of": _total(measured), "mismatch_rate__gt": HIGH}
    off = _total(measured, "high")
    yield _row(_("Answers mostly off the subject"), off, spans, CategoryMismatch, **query)


def _counts(rows: Any, period: Period, *names: str, **measures: Any) -> Counts:
    """Return the counts of both periods by the fields that rows share, and their measures."""
    found = rows.filter(**Period(period.before.first, period.last).lookup).order_by()
    is_old = Expression(Q(**period.before.lookup), BooleanField())
    kinds = found.annotate(is_old=is_old).values("is_old", *names)
    return list(kinds.annotate(number=Count("*"), **measures))


def _sums(counts: Counts, *names: str, of: str = "number") -> dict[tuple[Any, ...], Both]:
    """Return sums of both periods by the fields that rows share."""
    found: dict[tuple[Any, ...], Both] = defaultdict(lambda: (0, 0))
    for each in counts:
        now, old = found[key := tuple(each[name] for name in names)]
        more = each[of]
        found[key] = (now, old + more) if each["is_old"] else (now + more, old)
    return found


def _total(counts: Counts, of: str = "number") -> Both:
    return _sums(counts, of=of)[()]


def _rows(counts: Counts, spans: tuple[Period, Period], model: Any, *names: str) -> list[FigureRow]:
    """Return a row for each combination of values, highest first, named by its first value."""
    rows = []
    for key, values in sorted(_sums(counts, *names).items(), key=lambda each: -sum(each[1])):
        shared = dict(zip(names, key, strict=True))
        field, code = next((each for each in shared.items() if each[1]), (names[0], "–"))
        title = dict(model._meta.get_field(field).flatchoices).get(code, code.replace("_", " "))
        query = {f"{name}__exact": value for name, value in shared.items()}
        rows.append(_row(title, values, spans, model, **query))
    return rows


def _row(
    title: Any, values: Both, spans: tuple[Period, Period], model: Any = Message, *,
    form: Callable[[Any], str] = counted, of: Both = (0, 0), **query: Any,
) -> FigureRow:  # fmt: skip
    cells = tuple(
        (form(value) + (f" ({share(value, whole)})" if whole else ""), span.list_of(model, **query))
        for value, whole, span in zip(values, of, spans, strict=True)
    )
    return FigureRow(title, values, cells)


site.pages.append(("figures/", page, "figures"))


@home.figures(SEE_CONVERSATIONS)
def chat_figures(request: HttpRequest) -> Iterator[HomeFigure]:
    """Yield the incidents of a year, and the totals of this week and the week before."""
    advice = Intervention.objects.filter(incident=Intervention.Incident.ADVICE)
    incidents = advice.filter(created_at__gte=timezone.now() - YEAR).count()
    may_view = request.user.has_perm("chat.view_intervention")
    yield HomeFigure(
        gettext("Medical advice given"),
        counted(incidents),
        listed(Intervention, "incident__exact=advice") if may_view else "",
        gettext("incidents in a year; the goal is 0"),
        is_bad=incidents > 0,
    )
    for row in next(charts_of(last_days(WEEK))).rows:
        (now, address), (before, _address) = row.cells
        remark = gettext("in 7 days; %s in the 7 days before") % before
        yield HomeFigure(str(row.title), now, address, remark)


@home.tasks("chat.view_fixedtext")
def text_tasks(request: HttpRequest) -> Iterator[Task]:
    title = gettext("Texts that are missing or differ too much in a language")
    yield Task(title, len(text_flaws()), reverse("admin:chat_fixedtext_check"))
    title = (
        gettext("Rows with an error, which are ignored: %s")
        % InjectionPattern._meta.verbose_name_plural
    )
    yield Task(title, len(broken_patterns()), listed(InjectionPattern), is_urgent=True)


@home.tasks("chat.view_fixedtext")
def budget_tasks(request: HttpRequest) -> Iterator[Task]:
    if (used := budget_used()) >= NEARLY:
        nearly = gettext("Language model budget: nearly used up today (%)")
        over = gettext("Language model budget: used up, the embedded engine answers today (%)")
        is_over = used >= 1
        yield Task(
            over if is_over else nearly, int(used * 100), listed(ModelBudget), is_urgent=is_over
        )
