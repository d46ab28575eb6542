"""The lexicon: one concept, its words in every language; and where complaints lead."""

from __future__ import annotations

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from taxonomy.models import ComplaintRoute, LexiconConcept
from zol.admin_pages.base import HospitalAdmin
from zol.languages import LANGUAGES


@admin.register(LexiconConcept)
class LexiconAdmin(HospitalAdmin):
    list_display = ["concept", "kind", "nl", "en", "fr"]
    list_filter = ["kind"]
    search_fields = ["concept", *LANGUAGES]
    fieldsets = [
        (None, {"fields": ["concept", "kind", "note"]}),
        (
            _("Words"),
            {
                "fields": [*LANGUAGES],
                "description": _("Alternatives with | between them; the first is the usual one."),
            },
        ),
    ]


@admin.register(ComplaintRoute)
class ComplaintRouteAdmin(HospitalAdmin):
    list_display = ["complaint", "specialty", "weight"]
    list_filter = ["specialty"]
    search_fields = ["complaint", "specialty"]
