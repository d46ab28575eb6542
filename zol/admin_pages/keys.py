"""Keys to the staff API: everybody makes and withdraws their own, IT sees and withdraws all."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from knox.models import get_digest_token

from zol.admin_pages.base import PER_PAGE
from zol.models import ApiToken

LIFETIMES = [(30, _("30 days")), (90, _("90 days")), (365, _("a year"))]


class ApiTokenForm(forms.ModelForm):
    days = forms.TypedChoiceField(label=_("valid for"), choices=LIFETIMES, coerce=int, initial=90)

    class Meta:
        model = ApiToken
        fields = ["name"]


@admin.register(ApiToken)
class ApiTokenAdmin(admin.ModelAdmin):
    """Nobody makes a key for a colleague: it would let one person act as two."""

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
        """A key is made or withdrawn, never changed."""
        return False

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: Any) -> None:
        obj.digest, obj.secret = get_digest_token()
        obj.token_key = obj.secret[: ApiToken.SHOWN]
        obj.user = request.user
        obj.expiry = timezone.now() + timedelta(days=form.cleaned_data["days"])
        obj.save(force_insert=True)

    def response_add(self, request: HttpRequest, obj: Any, post_url_continue: Any = None) -> Any:
        """Show the key, this once: no redirect, so that it is kept nowhere."""
        context = self.admin_site.each_context(request) | {
            "title": _("Your new API key"),
            "opts": self.opts,
            "token": obj,
        }
        shown: HttpResponse = TemplateResponse(request, "admin/api_token.html", context)
        shown["Cache-Control"] = "no-store"
        return shown
