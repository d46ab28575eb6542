"""The default rows of a newer product: what they would bring, and the button that takes them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from taxonomy.publishing import approval
from taxonomy.publishing.defaults import (
    Model,
    Newer,
    NewerDefault,
    Row,
    may_update,
    waiting_defaults,
)
from taxonomy.tasks import take_newer_defaults
from zol.backoffice.work import begin

#: Rows of each sort that the page lists.
SHOWN = 30


@dataclass(frozen=True, slots=True)
class RowSetUpgrade:
    """The changes that newer default rows would make to one row set."""

    title: str
    may: bool
    new: Newer
    lines: tuple[tuple[str, str, str], ...]

    @property
    def more(self) -> int:
        return self.new.total + len(self.new.kept) - len(self.lines)


class NewerDefaultsPage:
    """Gives the list of releases a page on newer default rows; a mixin of the admin's own class."""

    admin_site: Any
    opts: Any
    pages = {"defaults": "defaults/"}

    def defaults_view(self, request: HttpRequest) -> HttpResponse:
        """Show what newer default rows would bring; take them into the draft when asked to."""
        if not request.user.has_perm(approval.EDIT):
            raise PermissionDenied
        if request.method == "POST":
            return begin(request, take_newer_defaults, request.path)
        sections = tuple(sections_of(request.user))
        context = self.admin_site.each_context(request) | {
            "opts": self.opts,
            "title": gettext("Newer default rows"),
            "sections": sections,
            "can_take": any(section.may and section.new.total for section in sections),
        }
        return TemplateResponse(request, "admin/taxonomy/defaults.html", context)


def sections_of(user: Any) -> Iterator[RowSetUpgrade]:
    """Yield the changes of each row set; first those the user may accept."""
    found = [(may_update(model, user), model, new) for model, new in waiting_defaults()]
    for may, model, new in sorted(found, key=lambda each: not each[0]):
        title = str(model._meta.verbose_name_plural)
        yield RowSetUpgrade(title, may, new, tuple(lines_of(model, new)))


def lines_of(model: Model, new: Newer) -> Iterator[tuple[str, str, str]]:
    """Yield the sort, the name and the words of the first rows of each sort."""
    for row in new.added[:SHOWN]:
        yield str(_("new")), named(model, row), ""
    for each in new.changed[:SHOWN]:
        yield str(_("changed")), named(model, each.newer), said(model, each)
    for row in new.withdrawn[:SHOWN]:
        yield str(_("withdrawn")), named(model, row), ""
    for each in new.kept[:SHOWN]:
        yield str(_("edited here, left alone")), named(model, each.newer), said(model, each)


def said(model: Model, each: NewerDefault) -> str:
    """Describe the changed values: "weight: 1 → 3"."""
    return "; ".join(
        f"{model._meta.get_field(name).verbose_name}: {now} → {then}"
        for name, now, then in each.fields()
    )


def named(model: Model, row: Row) -> str:
    return " · ".join(str(row[field]) for field in model.identity if row[field])
