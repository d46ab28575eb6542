"""The home page: tasks of the user, and key figures.

Apps register what they show (`tasks`, `figures`, `context`) when their pages are imported.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

from django.http import HttpRequest
from django.utils.formats import number_format
from django.utils.translation import gettext as _

from zol.backoffice.base import listed
from zol.models import GoneRow


@dataclass(frozen=True, slots=True)
class Task:
    """Work that waits for the user."""

    title: str
    count: int
    url: str
    #: Whether patients notice: red rather than amber.
    is_urgent: bool = False


@dataclass(frozen=True, slots=True)
class HomeFigure:
    title: str
    value: str
    url: str = ""
    remark: str = ""
    #: Whether it misses its goal: red.
    is_bad: bool = False


T = TypeVar("T")
Source = Callable[[HttpRequest], Iterable[T]]
_tasks: list[tuple[str, Source[Task]]] = []
_figures: list[tuple[str, Source[HomeFigure]]] = []
#: Functions that return more of the page's context.
context: list[Callable[[HttpRequest], dict[str, Any]]] = []


def _registered(
    sources: list[tuple[str, Source[T]]], permission: str
) -> Callable[[Source[T]], Source[T]]:
    def add(source: Source[T]) -> Source[T]:
        sources.append((permission, source))
        return source

    return add


def tasks(permission: str) -> Callable[[Source[Task]], Source[Task]]:
    """Register a function that yields tasks for users with a permission."""
    return _registered(_tasks, permission)


def figures(permission: str) -> Callable[[Source[HomeFigure]], Source[HomeFigure]]:
    """Register a function that yields figures for users with a permission."""
    return _registered(_figures, permission)


def shown(request: HttpRequest) -> dict[str, Any]:
    """Return the context of the home page for a user: urgent tasks first."""
    waiting = [task for task in _allowed(request, _tasks) if task.count]
    found = {
        "tasks": sorted(waiting, key=lambda task: not task.is_urgent),
        "figures": list(_allowed(request, _figures)),
    }
    for more in context:
        found |= more(request)
    return found


def _allowed(request: HttpRequest, sources: Iterable[tuple[str, Source[T]]]) -> Iterator[T]:
    for permission, source in sources:
        if request.user.has_perm(permission):
            yield from source(request)


@tasks("zol.change_gonerow")
def _gone_rows(request: HttpRequest) -> Iterator[Task]:
    gone = GoneRow.objects.filter(read_at=None).count()
    yield Task(_("Rows and settings that the upgrade removed"), gone, listed(GoneRow))


def share(part: float, whole: float) -> str:
    """Return a share as a percentage; a dash without a whole."""
    return f"{100 * part / whole:.0f} %" if whole else "–"


def counted(number: int) -> str:
    """Format a number in the language of the page."""
    return str(number_format(number, force_grouping=True))
