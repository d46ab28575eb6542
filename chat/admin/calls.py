"""Pages for the calls to language models and for their budget a day."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils import formats
from django.utils.translation import gettext_lazy as _

from chat.models import ModelBudget, ModelCall
from chat.selectors import forget_budget
from zol.backoffice.base import HospitalAdmin, ReadOnlyAdmin


@admin.register(ModelCall)
class ModelCallAdmin(ReadOnlyAdmin):
    list_display = [
        "created_at", "purpose", "model", "took", "spoke_after", "tokens_in", "tokens_out", "price",
        "failure",
    ]  # fmt: skip
    list_filter = ["purpose", "endpoint", "model", "failure"]
    date_hierarchy = "created_at"

    @admin.display(description=_("seconds"), ordering="seconds")
    def took(self, call: ModelCall) -> str:
        return formats.number_format(call.seconds, 2)

    @admin.display(description=_("first word"), ordering="first_word")
    def spoke_after(self, call: ModelCall) -> str:
        return formats.number_format(call.first_word, 2) if call.first_word else "–"

    @admin.display(description=_("cost"), ordering="cost")
    def price(self, call: ModelCall) -> str:
        return formats.number_format(call.cost, 4)


@admin.register(ModelBudget)
class ModelBudgetAdmin(HospitalAdmin):
    list_display = ["__str__", "tokens", "cost"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return super().has_add_permission(request) and not ModelBudget.objects.exists()

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:  # noqa: FBT001
        super().save_model(request, obj, form, change)
        forget_budget()
