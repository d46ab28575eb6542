"""Protection from lost updates in admin pages, and editing of rows that hospitals share.

A form, and each row of a list, contains a digest of every value that it showed. Saving a value that
somebody else changed meanwhile shows both values; saving again overwrites the other one. Default
rows of the product are shared by hospitals until one of them changes a row.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.core.exceptions import FieldDoesNotExist
from django.db import models, transaction
from django.db.models import QuerySet
from django.forms.models import _get_foreign_key
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from zol.postgres.locks import take_turns
from zol.records.versioned import DefaultedRow, in_place_of
from zol.tenancy import current_hospital_id

PRODUCT, OWN = "product", "own"


class OriginFilter(admin.SimpleListFilter):
    """Filter for shared default rows, or for rows of this hospital."""

    title = gettext_lazy("origin")
    parameter_name = "origin"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [
            (PRODUCT, gettext_lazy("delivered with the product")),
            (OWN, gettext_lazy("added or changed here")),
        ]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        if self.value() not in (PRODUCT, OWN):
            return queryset
        return queryset.filter(hospital__isnull=self.value() == PRODUCT)


class SharedRowsAdmin:
    """Admin mixin to edit shared rows like any other.

    An edit is logged for the hospital's own row that replaces the shared one: other hospitals could
    read a history of the shared row.
    """

    opts: Any
    model: Any

    def get_list_filter(self, request: HttpRequest) -> Any:
        found = super().get_list_filter(request)  # type: ignore[misc]
        return [*found, OriginFilter] if issubclass(self.model, DefaultedRow) else found

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: Any) -> None:
        """Keep a row shared if it was saved without changes."""
        if form.changed_data or not is_shared(obj):
            super().save_model(request, obj, form, change)  # type: ignore[misc]

    def log_change(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        return None if is_shared(obj) else super().log_change(request, obj, message)  # type: ignore[misc]

    def log_deletions(self, request: HttpRequest, queryset: Any) -> Any:
        entries = super().log_deletions(request, queryset)  # type: ignore[misc]
        shared = [str(row.pk) for row in queryset if is_shared(row)]
        mine = LogEntry.objects.filter(pk__in=[entry.pk for entry in entries])
        mine.filter(object_id__in=shared).update(object_id=None)
        return entries

    def change_view(self, request: HttpRequest, object_id: str, *args: Any, **more: Any) -> Any:
        """Redirect from a replaced shared row to the row in its place."""
        own = in_force(self.model, object_id)
        if own == object_id or request.method != "GET":
            return super().change_view(request, object_id, *args, **more)  # type: ignore[misc]
        found = redirect(f"admin:{self.opts.app_label}_{self.opts.model_name}_change", own)
        found["Location"] += f"?{request.GET.urlencode()}" if request.GET else ""
        return found

    def history_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> Any:
        own = in_force(self.model, object_id)
        return super().history_view(request, own, extra_context)  # type: ignore[misc]


def is_shared(row: Any) -> bool:
    return getattr(row, "default_id", None) is not None


def in_force(model: Any, pk: str) -> str:
    """Return the primary key of the row that replaces a shared one here, or else its own."""
    return in_place_of(model, [pk]).get(pk, pk)


FIELD = "_seen"
#: Length of a digest, and maximum length of a value in a message.
DIGEST, SHOWN = 12, 500
#: Permission to send edits for approval.
SEND = "taxonomy.add_release"
State = dict[str, str]
#: Functions that count the edits of a user that are in no release yet; taxonomy adds its own.
edit_counters: list[Callable[[Any], int]] = []


def digest(value: Any) -> str:
    return hashlib.sha256(repr(value).encode()).hexdigest()[:DIGEST]


def fields_of(row: models.Model) -> State:
    """Return a digest of each loaded field of a row."""
    away = row.get_deferred_fields()
    return {
        field.name: digest(field.value_from_object(row))
        for field in row._meta.concrete_fields
        if field.attname not in away
    }


def entries_of(row: models.Model) -> models.QuerySet[LogEntry]:
    kind = ContentType.objects.get_for_model(row)
    return LogEntry.objects.filter(content_type=kind, object_id=str(row.pk))


def values_in(entry: LogEntry | None) -> dict[str, Any]:
    """Return the values of each field before and after, as a history entry stores them."""
    try:
        parts = json.loads(entry.change_message) if entry else []
    except ValueError:
        return {}
    changed = [part["changed"] for part in parts if isinstance(part, dict) and "changed" in part]
    return changed[0].get("values", {}) if changed else {}


def changed_by(row: models.Model) -> str:
    """Describe who last changed a row in the back office, and when."""
    last = entries_of(row).select_related("user").order_by("-action_time").first()
    if last is None:
        return _("Somebody")
    who = last.user.get_full_name() or last.user.get_username()
    return f"{who} ({timezone.localtime(last.action_time):%d/%m %H:%M})"


def waiting(model: type[models.Model], request: HttpRequest) -> int:
    """Count the user's edits that could be sent for approval."""
    if not (getattr(model, "is_carried", False) and request.user.has_perm(SEND)):
        return 0
    return sum(count(request.user) for count in edit_counters)


class ConcurrentForm(forms.ModelForm):
    """Form that refuses, once, to overwrite values that changed since it was shown."""

    #: Returns digests of the inlines of the page; set by `ConcurrentAdmin`.
    beside: Any = None
    #: Earlier values to open the form with, to restore them.
    earlier: dict[str, Any] = {}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not self.prefix:
            known = self.earlier.keys() & self.fields
            self.initial.update({name: self.earlier[name] for name in known})
        self.stored: State = {}
        if self.beside is not None and self.instance.pk and not self.prefix:
            # Other fields, such as the status set by a worker, are not overwritten.
            own = {name: value for name, value in fields_of(self.instance).items()
                   if name in self.fields}  # fmt: skip
            self.stored = own | self.beside(self.instance)
            self.shown = {
                name: self.shown_as(self.get_initial_for_field(field, name))
                for name, field in self.fields.items()
            }

    def _clean_form(self) -> None:
        super()._clean_form()
        if self.stored and (seen := self.data.get(FIELD)):
            differing = self._differing(json.loads(seen))
            if differing:
                self.add_error(None, self._both(differing))

    def _differing(self, seen: State) -> list[str]:
        """Return the fields that changed since they were shown, unless the same value is posted."""
        names = [name for name in self.stored if self.stored[name] != seen.get(name)]
        return [name for name in names if name not in self.fields or self._is_other(name)]

    def _is_other(self, name: str) -> bool:
        field = self.fields[name]
        return bool(field.has_changed(self.get_initial_for_field(field, name), self._typed(name)))

    def _typed(self, name: str) -> Any:
        widget = self.fields[name].widget
        return widget.value_from_datadict(self.data, self.files, self.add_prefix(name))

    @staticmethod
    def shown_as(value: Any) -> str:
        text = "\n".join(map(str, value)) if isinstance(value, list | tuple) else str(value or "–")
        return text[:SHOWN]

    def _both(self, names: list[str]) -> SafeString:
        lines = (
            (self._label(name), self.shown.get(name, ""), self.shown_as(self._typed(name)))
            for name in names
            if name in self.fields
        )
        table = format_html_join(
            "", "<tr><th>{}</th><td><del>{}</del></td><td><ins>{}</ins></td></tr>", lines
        )
        lists = format_html_join(", ", "{}", ((n,) for n in names if n not in self.shown))
        also = format_html("<br>{} {}", _("Also changed:"), lists) if lists else ""
        return format_html(
            "{}<table class='both'><tr><th></th><th>{}</th><th>{}</th></tr>{}</table>{}",
            _("%s changed this after you opened it, so nothing is saved yet. Combine both"
              " versions below, then save again.") % changed_by(self.instance),
            _("current version"), _("your version"), table, also,
        )  # fmt: skip

    def _label(self, name: str) -> str:
        return str(self.fields[name].label or name)


class ConcurrentAdmin:
    """Admin mixin that protects forms and lists from lost updates, and restores earlier values."""

    opts: Any
    model: Any

    def get_form(self, request: HttpRequest, obj: Any = None, **kwargs: Any) -> Any:
        made = super().get_form(request, obj, **kwargs)  # type: ignore[misc]
        if obj is None or not issubclass(made, ConcurrentForm):
            return made
        more = {
            "beside": staticmethod(lambda row: self._lists_of(request, row)),
            "earlier": self._earlier(request, obj),
        }
        return type(made.__name__, (made,), more)

    def _earlier(self, request: HttpRequest, row: models.Model) -> dict[str, Any]:
        """Return the values before the edit that `?restore=` names."""
        number = request.GET.get("restore", "")
        if request.method != "GET" or not number.isdecimal():
            return {}
        entry = entries_of(row).filter(pk=int(number[:18])).first()
        return {name: before for name, (before, _after) in values_in(entry).items()}

    def construct_change_message(
        self,
        request: HttpRequest,
        form: Any,
        formsets: Any,
        add: bool = False,  # noqa: FBT001, FBT002 (Django's)
    ) -> Any:
        """Store the values before and after with each edit."""
        parts = super().construct_change_message(request, form, formsets, add)  # type: ignore[misc]
        if not add and form.changed_data and isinstance(parts, list):
            values = {name: [form.initial.get(name), form.cleaned_data.get(name)]
                      for name in form.changed_data if name in form.initial}  # fmt: skip
            parts[0]["changed"]["values"] = json.loads(json.dumps(values, default=str))
        return parts

    def history_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> Any:
        """Show the values before and after each edit, and offer to restore the earlier ones."""
        response = super().history_view(request, object_id, extra_context)  # type: ignore[misc]
        for entry in getattr(response, "context_data", {}).get("action_list", ()):
            entry.values = [
                (self._name_of(name), *map(ConcurrentForm.shown_as, change))
                for name, change in values_in(entry).items()
            ]
        return response

    def _name_of(self, name: str) -> str:
        try:
            return str(self.opts.get_field(name).verbose_name)
        except FieldDoesNotExist:
            return name

    def _lists_of(self, request: HttpRequest, row: models.Model) -> State:
        """Return a digest of the rows of each inline."""
        found: State = {}
        for inline in self.get_inline_instances(request, row):  # type: ignore[attr-defined]
            key = _get_foreign_key(self.model, inline.model, fk_name=inline.fk_name)
            rows = inline.get_queryset(request).filter(**{key.name: row}).order_by("pk")
            found[str(inline.verbose_name_plural)] = digest([fields_of(each) for each in rows])
        return found

    def get_object(self, request: HttpRequest, object_id: str, from_field: Any = None) -> Any:
        """Return a row, or the hospital's replacement of a shared one.

        While it is being saved the row is locked, so that concurrent saves wait for each other.
        """
        get = super().get_object  # type: ignore[misc]
        saves = request.method == "POST" and transaction.get_connection().in_atomic_block
        if saves and self.has_change_permission(request):  # type: ignore[attr-defined]
            found = get(request, in_force(self.model, object_id), from_field)
            if found is None:
                return None
            held = self.model._base_manager.select_for_update(of=("self",))
            if not held.filter(pk=found.pk).values_list("pk"):  # Shared rows cannot be locked.
                take_turns(f"{self.opts.label} {found.pk} {current_hospital_id()}")
        return get(request, in_force(self.model, object_id), from_field)

    def render_change_form(
        self, request: HttpRequest, context: Any, *args: Any, **more: Any
    ) -> Any:
        stored = getattr(context["adminform"].form, "stored", None)
        context["seen"] = json.dumps(stored) if stored else ""
        context["waiting"] = waiting(self.model, request)
        return super().render_change_form(request, context, *args, **more)  # type: ignore[misc]

    def action_checkbox(self, obj: Any) -> SafeString:
        """Add the digest of a row to its checkbox."""
        box = super().action_checkbox(obj)  # type: ignore[misc]
        shown = digest(sorted(fields_of(obj).items()))
        hidden = format_html('<input type="hidden" name="{}-{}" value="{}">', FIELD, obj.pk, shown)
        return mark_safe(f"{box}{hidden}")  # noqa: S308 (both are safe)

    action_checkbox.short_description = mark_safe(  # type: ignore[attr-defined]
        '<input type="checkbox" id="action-toggle">'
    )

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        if request.method == "POST" and (stale := [*self._stale(request)]):
            for row, typed in stale:
                text = _("%(who)s changed “%(row)s” after you opened this list, so "
                         "nothing was done. Look at it and try again. %(typed)s") % {
                    "row": row, "who": changed_by(row), "typed": typed,
                }  # fmt: skip
                messages.warning(request, text)
            return HttpResponseRedirect(request.get_full_path())
        # Only after a form was saved, which redirects here with a message.
        has_message = len(messages.get_messages(request)) > 0
        context = {"waiting": waiting(self.model, request) if has_message else 0}
        return super().changelist_view(request, context | (extra_context or {}))  # type: ignore[misc]

    def _stale(self, request: HttpRequest) -> Iterator[tuple[models.Model, str]]:
        """Yield the selected rows that changed since they were shown, with the posted values."""
        if "_save" in request.POST:
            total = int(request.POST.get("form-TOTAL_FORMS") or 0)
            places = {request.POST.get(f"form-{place}-{self.opts.pk.name}"): place
                      for place in range(total)}  # fmt: skip
            chosen = [pk for pk in places if pk]
        else:
            places, chosen = {}, request.POST.getlist("_selected_action")
        seen = {pk: shown for pk in chosen if (shown := request.POST.get(f"{FIELD}-{pk}"))}
        if not seen:
            return
        known = {own: pk for pk, own in in_place_of(self.model, seen).items()}
        rows = self.get_queryset(request).filter(pk__in=[*seen, *known])  # type: ignore[attr-defined]
        for row in rows:
            pk = known.get(str(row.pk), str(row.pk))
            if digest(sorted(fields_of(row).items())) != seen[pk]:
                yield row, self._typed_in_list(request, row, places.get(pk))

    def _typed_in_list(self, request: HttpRequest, row: Any, place: int | None) -> str:
        """Describe the typed values of a list row beside the present ones."""
        names = self.list_editable if place is not None else ()  # type: ignore[attr-defined]
        return "; ".join(
            _("%(field)s: now %(now)s, yours %(yours)s") % {
                "field": self.opts.get_field(name).verbose_name,
                "now": getattr(row, name),
                "yours": request.POST.get(f"form-{place}-{name}", "–"),
            }
            for name in names
        )  # fmt: skip
