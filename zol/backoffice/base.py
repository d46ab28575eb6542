"""Base classes of admin pages: forms, lists, inlines, fields and filters.

The hospital is never a form field: every row belongs to the hospital being served. It is filled in
before validation, so that a violated constraint gives a message instead of an error page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.views.main import ChangeList
from django.contrib.admin.widgets import AdminTextInputWidget
from django.contrib.auth import get_user_model
from django.db import models
from django.db.models import QuerySet
from django.db.models.constants import LOOKUP_SEP
from django.http import HttpRequest
from django.urls import path, reverse
from django.utils import translation
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from zol.backoffice import searching  # noqa: F401  (registers how texts are searched)
from zol.backoffice.concurrency import ConcurrentAdmin, ConcurrentForm, SharedRowsAdmin
from zol.models import Membership
from zol.tenancy import current_hospital_id, required_hospital_id

#: Small enough to read as a whole, large enough to find a row without paging.
PER_PAGE = 50


class HospitalForm(ConcurrentForm):
    """A form whose row belongs to the hospital being served."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not self.instance.pk:
            self.complete(self.instance)

    def complete(self, instance: models.Model) -> None:
        """Fill in the model fields that are not form fields."""
        if not instance.hospital_id:
            instance.hospital_id = required_hospital_id()

    def _post_clean(self) -> None:
        """Check constraints also over the model fields that are filled in."""
        super()._post_clean()
        if self.errors:
            return
        self.complete(self.instance)
        try:
            self.instance.validate_constraints()
        except forms.ValidationError as error:
            self._update_errors(error)


class NamedInput(AdminTextInputWidget):
    """Text input that suggests names."""

    names: Mapping[str, Any] = {}

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        place = f"{(attrs or {}).get('id', name)}-names"
        line = super().render(name, value, {**(attrs or {}), "list": place}, renderer)
        offered = format_html_join("", '<option value="{}">', ((n,) for n in self.names.values()))
        return format_html('{}<datalist id="{}">{}</datalist>', line, place, offered)


class NamedField(forms.CharField):
    """Field for a code, shown and entered by its name; a code without a name, as it is."""

    widget = NamedInput

    def __init__(self, names: Mapping[str, Any], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.names = self.widget.names = names

    def widget_attrs(self, widget: Any) -> dict[str, Any]:
        """Set no maximum length: a name may be longer than its code."""
        return {}

    def prepare_value(self, value: Any) -> Any:
        return self.names.get(value, value)

    def to_python(self, value: Any) -> str:
        """Return the code of a name in English or Dutch, as the page may be open in either."""
        written = super().to_python(value)
        for language in ("en", "nl"):
            with translation.override(language):
                for code, name in self.names.items():
                    if str(name).casefold() == written.casefold():
                        return str(code)
        return written


class LabelledForms:
    """Formset mixin that labels fields for screen readers, as table headers are no labels."""

    def add_fields(self, form: Any, index: int | None) -> None:
        super().add_fields(form, index)  # type: ignore[misc]
        for field in form.fields.values():
            field.widget.attrs.setdefault("aria-label", field.label)


class NamedInlines(LabelledForms, forms.BaseInlineFormSet):
    pass


class NamedRows(LabelledForms, forms.BaseModelFormSet):
    pass


#: An address typed without a scheme gets https.
SAFE_ADDRESSES = {models.URLField: {"assume_scheme": "https"}}


class SteadyList(ChangeList):
    """List that ignores malformed query parameters, also those that Django lets raise an error."""

    def __init__(self, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        try:
            super().__init__(request, *args, **kwargs)
        except (ValueError, OverflowError) as error:  # Of dates after the last or before the first.
            raise IncorrectLookupParameters from error


class HospitalAdmin(SharedRowsAdmin, ConcurrentAdmin, admin.ModelAdmin):
    """Base class for rows of the hospital being served; row-level security hides all others."""

    form = HospitalForm
    formfield_overrides = SAFE_ADDRESSES
    list_per_page = PER_PAGE
    show_full_result_count = False
    save_on_top = True
    #: Columns that need another permission than the list does.
    leads: dict[str, str] = {}
    #: Fields with codes: the names of the codes, and the column that shows the name.
    named: dict[str, tuple[Mapping[str, Any], str]] = {}
    #: Further pages, by name, with their addresses; the method `NAME_view` shows one.
    pages: Mapping[str, str] = {}

    def get_urls(self) -> list[Any]:
        """Add the `pages` of the class and of its mixins."""
        label = f"{self.opts.app_label}_{self.opts.model_name}"
        named = dict(
            page
            for each in reversed(type(self).__mro__)
            for page in vars(each).get("pages", {}).items()
        )
        return [
            path(
                address,
                self.admin_site.admin_view(getattr(self, f"{name}_view")),
                name=f"{label}_{name}",
            )
            for name, address in named.items()
        ] + super().get_urls()

    def get_list_display(self, request: HttpRequest) -> list[Any]:
        may = request.user.has_perm
        named = super().get_list_display(request)
        return [name for name in named if name not in self.leads or may(self.leads[name])]

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        """Show names instead of codes to users who may only read."""
        found = super().get_fieldsets(request, obj)
        if not (self.named and obj) or self.has_change_permission(request, obj):
            return found
        columns = {field: column for field, (_names, column) in self.named.items()}
        return [
            (title, {**options, "fields": [columns.get(each, each) for each in options["fields"]]})
            for title, options in found
        ]

    def formfield_for_dbfield(self, db_field: Any, request: Any, **kwargs: Any) -> Any:
        if db_field.name in self.named:
            names, _column = self.named[db_field.name]
            kwargs |= {"form_class": NamedField, "names": names, "widget": NamedInput}
        return super().formfield_for_dbfield(db_field, request, **kwargs)

    def get_changelist_formset(self, request: Any, **kwargs: Any) -> Any:
        return super().get_changelist_formset(request, formset=NamedRows, **kwargs)

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return SteadyList

    def get_search_fields(self, request: HttpRequest) -> list[str]:
        """Search texts without regard to accents and case (zol/backoffice/searching.py)."""
        fields = super().get_search_fields(request)
        return [f"{name}__alike" if self._is_text(name) else name for name in fields]

    def formfield_for_foreignkey(self, db_field: Any, request: Any, **kwargs: Any) -> Any:
        """Limit choices of accounts to the staff of this hospital."""
        people = get_user_model()
        if db_field.related_model is people:
            here = Membership.objects.filter(hospital_id=current_hospital_id()).values("user")
            kwargs["queryset"] = people._default_manager.filter(pk__in=here).order_by("username")
        return super().formfield_for_foreignkey(db_field, request, **kwargs)

    def _is_text(self, name: str) -> bool:
        """Return whether a search field is a text that supports partial matches."""
        model, field = self.model, None
        for part in name.split(LOOKUP_SEP) if name[0] not in "^=@" else ():
            field = model._meta.get_field(part)
            model = field.related_model or model
        return isinstance(field, models.CharField | models.TextField)


class NamedValues(admin.AllValuesFieldListFilter):
    """Filter by the values of a field, shown by their names."""

    names: Callable[[], Mapping[str, Any]] = dict
    #: Whether values without a name are offered too.
    offers_others = True

    def choices(self, changelist: ChangeList) -> Iterator[Any]:
        names = type(self).names()
        for place, choice in enumerate(super().choices(changelist)):
            code, mark, count = str(choice["display"]).partition(" (")
            name = names.get(code) or code.replace("_", " ")
            if self.offers_others or not place or code in names:
                yield choice | {"display": f"{name}{mark}{count}"}


def by_names(
    names: Callable[[], Mapping[str, Any]], *, offers_others: bool = True
) -> type[NamedValues]:
    """Return a filter that shows values by these names."""
    own = {"names": staticmethod(names), "offers_others": offers_others}
    return type("NamedValues", (NamedValues,), own)


def listed(model: Any, query: str = "") -> str:
    """Return the address of the list of a model's rows."""
    address = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
    return f"{address}?{query}" if query else address


class MineAdmin(HospitalAdmin):
    """Rows that row-level security lets every hospital read: only the served one's are shown."""

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).filter(hospital_id=current_hospital_id())


class HospitalInline(admin.TabularInline):
    form = HospitalForm
    formset = NamedInlines
    extra = 0


class ReadOnly:
    """Mixin for rows that staff may only read."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class ReadOnlyAdmin(ReadOnly, HospitalAdmin):
    pass


class ReadOnlyInline(ReadOnly, HospitalInline):
    pass


class LinesField(forms.CharField):
    """A list of texts, one on a line."""

    widget = forms.Textarea(attrs={"rows": 5})

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("help_text", _("One per line."))
        super().__init__(**kwargs)

    def prepare_value(self, value: Any) -> Any:
        return "\n".join(map(str, value)) if isinstance(value, list | tuple) else value

    def to_python(self, value: Any) -> Any:
        return [line.strip() for line in (value or "").splitlines() if line.strip()]

    def has_changed(self, initial: Any, data: Any) -> bool:
        return list(initial or []) != self.to_python(data)


class CodesField(forms.MultipleChoiceField):
    """A list of codes, chosen by ticking."""

    widget = forms.CheckboxSelectMultiple
