"""Long tasks of staff: run in a worker, with a page that shows the progress.

Celery's result backend keeps the state. Without a broker the request runs the task itself; if no
worker starts it, the page offers to run it in the web process.
"""

from __future__ import annotations

from time import monotonic, sleep, time
from typing import Any, TypedDict

from celery import Task, current_app
from celery.result import AsyncResult
from django.contrib import admin, messages
from django.contrib.auth import get_user_model
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

from zol.errors import StepRefused
from zol.runtime.progress import following
from zol.tenancy import acting, required_hospital_id, serving

#: Seconds that a request waits, so that a short task needs no progress page.
PATIENCE, PAUSE = 0.5, 0.05
#: Seconds after which a task that no worker has started is reported.
LONELY = 10
#: Maximum number of tasks in a session.
REMEMBERED = 5
KEY = "work"
BROKER_IS_AWAY = (OperationalError, RedisError, OSError)


class WorkOutcome(TypedDict):
    """Outcome of a task: a message for the user, and the page to continue on."""

    text: str
    level: int
    url: str


def outcome(text: Any, url: str, level: int = messages.SUCCESS) -> WorkOutcome:
    return {"text": str(text), "level": level, "url": url}


class Work(Task):
    """A task run as a user, in their language; a refusal is returned as a message."""

    ignore_result = False
    #: `__call__` takes more arguments than the task's function.
    typing = False

    def __call__(
        self, hospital_id: int, user_id: int, language: str, back: str, *args: Any, **more: Any
    ) -> Any:
        user = get_user_model()._default_manager.get(pk=user_id)
        translated, followed = translation.override(language), following(self._report)
        with serving(hospital_id), acting(user), translated, followed:
            try:
                return self.run(user, *args, **more)
            except StepRefused as error:
                return outcome(error, back, messages.ERROR)

    def _report(self, words: str) -> None:
        if self.request.id and not self.request.is_eager:
            self.update_state(state="PROGRESS", meta={"words": words})


def begin(request: HttpRequest, task: Any, back: str, *args: Any) -> HttpResponse:
    """Queue a task and redirect to the page that shows its progress."""
    given = [required_hospital_id(), request.user.pk, translation.get_language(), back, *args]
    try:
        result = task.apply_async(given)
        until = monotonic() + PATIENCE
        while not result.ready() and monotonic() < until:
            sleep(PAUSE)
        if result.ready():
            return _end(request, result)
    except BROKER_IS_AWAY:
        return _go_on(request, task(*given))
    known = request.session.get(KEY, {})
    kept = dict(list(known.items())[1 - REMEMBERED :])
    request.session[KEY] = kept | {result.id: [task.name, given, time()]}
    return HttpResponseRedirect(reverse("admin:work", args=[result.id]))


def work_view(request: HttpRequest, task_id: str) -> HttpResponse:
    """Show the progress of a task, or its outcome. A POST runs it in this process."""
    name, given, began = _mine(request, task_id)
    result = AsyncResult(task_id)
    if request.method == "POST" and not result.ready():
        return _go_on(request, current_app.tasks[name](*given))
    if result.ready():
        return _end(request, result)
    context = admin.site.each_context(request) | {
        "title": _("This takes a moment"),
        "address": reverse("admin:work-state", args=[task_id]),
        "is_lonely": _is_lonely(result, began),
    }
    return TemplateResponse(request, "admin/work.html", context)


def state_view(request: HttpRequest, task_id: str) -> JsonResponse:
    """Return the progress of a task as JSON."""
    _name, _given, began = _mine(request, task_id)
    result = AsyncResult(task_id)
    words = result.info.get("words", "") if result.state == "PROGRESS" else ""
    lonely = _is_lonely(result, began)
    return JsonResponse({"running": not result.ready(), "words": words, "lonely": lonely})


def _mine(request: HttpRequest, task_id: str) -> tuple[str, list[Any], float]:
    try:
        name, given, began = request.session.get(KEY, {})[task_id]
    except KeyError as error:
        raise Http404 from error
    return name, given, began


def _is_lonely(result: Any, began: float) -> bool:
    return result.state == "PENDING" and time() - began > LONELY


def _end(request: HttpRequest, result: Any) -> HttpResponse:
    if result.failed():
        text = _(
            "This ended with an error, and nothing was changed. Ask IT to look in "
            "the log of the worker."
        )
        return _go_on(request, outcome(text, reverse("admin:index"), messages.ERROR))
    return _go_on(request, result.result)


def _go_on(request: HttpRequest, found: WorkOutcome) -> HttpResponse:
    messages.add_message(request, found["level"], found["text"])
    return HttpResponseRedirect(found["url"])
