"""Admin pages of the hospital, its staff and their API keys, and the audit log.

All hospitals of a database share accounts, but not roles. The account of somebody who also works at
another hospital can be given roles here, but only a superuser can change it.
"""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

from django import forms
from django.apps import apps
from django.contrib import admin
from django.contrib.admin.helpers import AdminReadonlyField
from django.contrib.auth import get_user_model
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.models import Group
from django.core.exceptions import PermissionDenied, ValidationError
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from knox.models import get_digest_token

from zol.backoffice.base import (
    PER_PAGE,
    SAFE_ADDRESSES,
    CodesField,
    HospitalAdmin,
    HospitalForm,
    HospitalInline,
    MineAdmin,
    ReadOnlyAdmin,
)
from zol.backoffice.concurrency import ConcurrentAdmin, ConcurrentForm
from zol.backoffice.exports import ExportPages, columns_of
from zol.languages import Language
from zol.models import ApiToken, AuditEntry, GoneRow, Hospital, HospitalHost, Membership, OwnNetwork
from zol.tenancy import current_hospital_id, serving

User = get_user_model()
LIFETIMES = [(30, _("30 days")), (90, _("90 days")), (365, _("a year"))]
AUDIT_COLUMNS = ("who", "what", "subject", "before", "after", "why")
# Django links every account on a page, even for users who may not open the page of the account.
LINKED = AdminReadonlyField.get_admin_url
AdminReadonlyField.get_admin_url = lambda self, field, row: (  # type: ignore[method-assign]
    str(row) if field.model is User else LINKED(self, field, row)
)
# Replaced by the pages below; roles are not groups.
admin.site.unregister([User, Group])


class HospitalDataForm(ConcurrentForm):
    languages = CodesField(
        label=_("offered languages"),
        choices=Language.choices,
        help_text=_("Languages in which visitors can read the chat and get answers."),
    )

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or {}
        if values.get("default_language") not in values.get("languages", ()):
            self.add_error("languages", _("Include the content language."))
        return values


@admin.register(Hospital)
class HospitalDataAdmin(ConcurrentAdmin, admin.ModelAdmin):
    """The hospital being served; every hospital has its own host name."""

    form = HospitalDataForm
    formfield_overrides = SAFE_ADDRESSES
    list_display = ["name", "short_name", "phone", "website"]
    readonly_fields = ["slug"]
    fieldsets = [
        (None, {"fields": ["name", "short_name", "slug", "website", "address", "country"]}),
        (_("Languages"), {"fields": ["default_language", "languages"]}),
        (_("Telephone numbers"), {"fields": [
            "phone", "phone_hours", "helpdesk_phone", "out_of_hours_phone", "emergency_phone",
        ]}),
    ]  # fmt: skip

    def get_queryset(self, request: HttpRequest) -> QuerySet[Hospital]:
        return super().get_queryset(request).filter(pk=current_hospital_id())

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(HospitalHost)
class HostAdmin(MineAdmin):
    list_display = ["host"]
    fields = ["host"]


@admin.register(OwnNetwork)
class OwnNetworkAdmin(HospitalAdmin):
    list_display = ["network", "place"]
    fields = ["network", "place"]


class MembershipForm(HospitalForm):
    """Form that takes a login name, so that staff of other hospitals are not listed."""

    username = forms.CharField(
        label=_("login name"), help_text=_("Write the login name exactly as in the account.")
    )

    class Meta:
        model = Membership
        fields = ["role"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "username" in self.fields and self.instance.user_id:
            self.initial["username"] = self.instance.user.get_username()
            self.fields["username"].disabled = True

    def clean_username(self) -> str:
        name: str = self.cleaned_data["username"]
        user = User._default_manager.filter(username=name, is_active=True).first()
        if user is None:
            raise ValidationError(_("There is no account with this name."))
        if not user.is_staff:
            raise ValidationError(_("This account has no access to the back office."))
        self.instance.user = user
        return name


@admin.register(Membership)
class MembershipAdmin(HospitalAdmin):
    form = MembershipForm
    list_display = ["user", "role", "last_login"]
    list_filter = ["role"]
    list_select_related = ["user"]
    search_fields = ["user__username", "user__first_name", "user__last_name", "user__email"]
    fields = ["username", "role"]

    @admin.display(description=_("last signed in"), ordering="user__last_login")
    def last_login(self, membership: Membership) -> Any:
        return membership.user.last_login

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_change_permission(request, obj) and not is_own(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_delete_permission(request, obj) and not is_own(request, obj)

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: Any) -> None:
        if is_own(request, obj):
            self.message_user(
                request, _("You cannot give yourself a role: ask a colleague."), "ERROR"
            )
            return
        super().save_model(request, obj, form, change)


def is_own(request: HttpRequest, membership: Membership | None) -> bool:
    """Return whether a membership is the user's own: only a colleague may change it."""
    if membership is None or request.user.is_superuser:
        return False
    return bool(membership.user_id == request.user.pk)


def is_self(request: HttpRequest, user: Any) -> bool:
    return user is not None and not request.user.is_superuser and user.pk == request.user.pk


class MembershipInline(HospitalInline):
    model = Membership
    fields = ["role"]
    verbose_name = _("role at this hospital")
    verbose_name_plural = _("roles at this hospital")

    def get_min_num(self, request: HttpRequest, obj: Any = None, **kwargs: Any) -> int:
        return 1 if obj is None else 0

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_add_permission(request, obj) and not is_self(request, obj)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_change_permission(request, obj) and not is_self(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_delete_permission(request, obj) and not is_self(request, obj)


@admin.register(User)
class StaffAdmin(UserAdmin):
    """Accounts of the staff of the hospital being served."""

    list_display = ["username", "first_name", "last_name", "email", "is_active", "last_login"]
    list_filter = ["is_active", "memberships__role"]
    filter_horizontal: list[str] = []
    readonly_fields = ["last_login", "date_joined"]
    fieldsets = [
        (None, {"fields": ["username", "password"]}),
        (_("Person"), {"fields": ["first_name", "last_name", "email"]}),
        (_("Access"), {"fields": ["is_active", "last_login", "date_joined"]}),
    ]

    def get_inlines(self, request: HttpRequest, obj: Any) -> list[Any]:
        return [MembershipInline]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows = super().get_queryset(request).filter(memberships__isnull=False).distinct()
        return rows if request.user.is_superuser else rows.filter(is_superuser=False)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        if not super().has_change_permission(request, obj):
            return False
        return obj is None or request.user.is_superuser or not works_elsewhere(obj)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return False: deactivate accounts, so that past edits keep their author."""
        return False

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: Any) -> None:
        obj.is_staff = True
        super().save_model(request, obj, form, change)


def works_elsewhere(user: Any) -> bool:
    """Return whether a user has a role at another hospital of this database."""
    for hospital in Hospital.objects.exclude(pk=current_hospital_id()):
        with serving(hospital):
            if Membership.objects.filter(user=user).exists():
                return True
    return False


class ApiTokenForm(forms.ModelForm):
    days = forms.TypedChoiceField(label=_("valid for"), choices=LIFETIMES, coerce=int, initial=90)

    class Meta:
        model = ApiToken
        fields = ["name"]


@admin.register(ApiToken)
class ApiTokenAdmin(admin.ModelAdmin):
    """Keys to the staff API: users make and withdraw their own, IT sees and withdraws all.

    Nobody can make one for a colleague, as one person could then act as two.
    """

    form = ApiTokenForm
    list_display = ["name", "user", "created", "expiry"]
    list_select_related = ["user"]
    list_per_page = PER_PAGE
    search_fields = ["name", "user__username"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[ApiToken]:
        rows: QuerySet[ApiToken] = super().get_queryset(request)
        if request.user.has_perm("zol.change_apitoken"):
            return rows
        return rows.filter(user_id=request.user.pk)

    def get_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        return ["name", "user", "created", "expiry"] if obj else ["name", "days"]

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return False: a key is made or withdrawn, never changed."""
        return False

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: Any) -> None:
        obj.digest, obj.secret = get_digest_token()
        obj.token_key = obj.secret[: ApiToken.SHOWN]
        obj.user = request.user
        obj.expiry = timezone.now() + timedelta(days=form.cleaned_data["days"])
        obj.save(force_insert=True)

    def response_add(self, request: HttpRequest, obj: Any, post_url_continue: Any = None) -> Any:
        """Show the key once, without a redirect, so that it is stored nowhere."""
        context = self.admin_site.each_context(request) | {
            "title": _("Your new API key"),
            "opts": self.opts,
            "token": obj,
        }
        shown: HttpResponse = TemplateResponse(request, "admin/api_token.html", context)
        shown["Cache-Control"] = "no-store"
        return shown


@admin.register(AuditEntry)
class AuditAdmin(ExportPages, ReadOnlyAdmin):
    """Read-only audit log."""

    list_display = ["at", *AUDIT_COLUMNS]
    list_filter = ["what", "at", ("by", admin.RelatedOnlyFieldListFilter)]
    search_fields = ["who", "subject", "why", "after"]
    date_hierarchy = "at"
    fields = ["at", *AUDIT_COLUMNS]
    exports = {
        "at": lambda row: timezone.localtime(row.at).isoformat(timespec="seconds"),
        **columns_of(*AUDIT_COLUMNS),
    }


@admin.register(GoneRow)
class GoneRowAdmin(ExportPages, ReadOnlyAdmin):
    """Rows that an upgrade removed, to download and to mark as read."""

    list_display = ["kind", "__str__", "gone_at", "read_at", "read_by"]
    list_filter = ["row_set", ("read_at", admin.EmptyFieldListFilter)]
    fields = ["kind", "values", "gone_at", "read_at", "read_by"]
    exports = {
        **columns_of("row_set"),
        "values": lambda row: json.dumps(row.values, ensure_ascii=False),
        "gone_at": lambda row: timezone.localtime(row.gone_at).isoformat(timespec="seconds"),
    }
    change_list_template = "admin/gone_rows.html"
    pages = {"read": "read/"}

    @admin.display(description=_("kind"), ordering="row_set")
    def kind(self, row: GoneRow) -> str:
        model = apps.all_models.get(row.row_set.partition(".")[0], {}).get(
            row.row_set.partition(".")[2]
        )
        return str(model._meta.verbose_name) if model else row.row_set

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        unread = GoneRow.objects.filter(read_at=None).exists()
        may_read = unread and request.user.has_perm("zol.change_gonerow")
        return super().changelist_view(request, {"may_read": may_read, **(extra_context or {})})

    def read_view(self, request: HttpRequest) -> HttpResponse:
        """Mark all removed rows as read by the user."""
        if request.method != "POST" or not request.user.has_perm("zol.change_gonerow"):
            raise PermissionDenied
        unread = GoneRow.objects.filter(read_at=None)
        unread.update(read_at=timezone.now(), read_by=request.user.pk)
        return HttpResponseRedirect(reverse("admin:index"))
