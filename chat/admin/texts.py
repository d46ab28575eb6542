"""Admin of fixed texts, cues, examples, prompts and translations of pages.

All of them go live by publishing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import timedelta
from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from chat.admin.explain import ExplainAdmin
from chat.models import (
    CountryLine,
    Cue,
    FixedText,
    IntentExample,
    Message,
    ModelPrice,
    PassageTranslation,
    PromptSection,
    RewriteTemplate,
)
from chat.models.curated import digests_of
from chat.models.names import TARGETS, TEXTS, name_in
from chat.packs import TRANSLATION_TABLE
from chat.phrases import What
from chat.selectors import text_flaws
from chat.sources.records import digest_of, sections
from retrieval.models import Chunk, Document
from retrieval.statements import lines
from taxonomy.admin.tables import TablePages
from taxonomy.packs.spreadsheets import Spreadsheet
from zol.backoffice.base import HospitalAdmin, HospitalForm, SteadyList, by_names
from zol.languages import LANGUAGES, Language

#: Descriptions of problems with a text.
FLAWS = {
    What.MISSING: _("is missing: patients see it in another language"),
    What.PLACEHOLDERS: _("has other placeholders than most translations"),
    What.LENGTH: _("is much longer or shorter than its translations (letters)"),
}


class FixedTextForm(HospitalForm):
    def clean_text(self) -> str:
        """Refuse an unclosed brace, which patients would see."""
        text: str = self.cleaned_data["text"]
        if re.search(r"[{}]", re.sub(r"\{\w+\}", "", text)):
            raise forms.ValidationError(
                _("Write a placeholder as a name between braces, such as {department}.")
            )
        return text


@admin.register(FixedText)
class FixedTextAdmin(HospitalAdmin):
    form = FixedTextForm
    named = {"kind": (TEXTS, "kind_name")}
    list_display = ["kind_name", "language", "text"]
    list_filter = ["language", ("kind", by_names(lambda: TEXTS))]
    search_fields = ["kind", "text"]
    fields = ["kind", "language", "text"]
    pages = {"check": "check/"}

    @admin.display(description=_("text"), ordering="kind")
    def kind_name(self, row: FixedText) -> Any:
        return name_in(TEXTS, row.kind)

    def check_view(self, request: HttpRequest) -> HttpResponse:
        """Show the texts that a language lacks, or that differ in it."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        found = text_flaws()
        rows = {
            (row.kind, row.language): row
            for row in self.get_queryset(request).filter(kind__in={flaw.kind for flaw in found})
        }
        context = self.admin_site.each_context(request) | {
            "title": gettext("Texts in eight languages"),
            "opts": self.opts,
            "flaws": [
                {
                    "flaw": flaw,
                    "name": name_in(TEXTS, flaw.kind),
                    "what": FLAWS[flaw.what],
                    "row": rows.get((flaw.kind, flaw.language)),
                    "language": Language(flaw.language).label,
                }
                for flaw in found
            ],
            "may_add": self.has_add_permission(request),
        }
        return TemplateResponse(request, "admin/chat/texts.html", context)


@admin.register(CountryLine)
class CountryLineAdmin(HospitalAdmin):
    list_display = ["number", "name_nl", "kind", "language", "country", "review_by", "source"]
    list_filter = ["country", "kind"]
    search_fields = ["number", "name_nl", "name_en"]
    fieldsets = [
        (None, {"fields": [("country", "kind"), "number", "language", "source", "review_by"]}),
        (_("Name in each language"), {"fields": [f"name_{code}" for code in LANGUAGES]}),
    ]


@admin.register(IntentExample)
class ExampleAdmin(ExplainAdmin):
    change_form_template = "admin/chat/explained_form.html"
    list_display = ["text", "intent", "language"]
    list_filter = ["intent", "language"]
    search_fields = ["text"]
    fields = ["intent", "language", "text"]


@admin.register(Cue)
class CueAdmin(HospitalAdmin):
    change_form_template = "admin/chat/explained_form.html"
    named = {"target": (TARGETS, "target_name")}
    list_display = ["text", "kind", "target_name", "language", "weight"]
    list_editable = ["weight"]
    list_filter = ["kind", "language", ("target", by_names(lambda: TARGETS))]
    search_fields = ["text", "target"]
    fields = ["kind", "target", "language", "text", "weight"]

    @admin.display(description=_("meaning"), ordering="target")
    def target_name(self, cue: Cue) -> Any:
        return name_in(TARGETS, cue.target)


@admin.register(RewriteTemplate)
class TemplateAdmin(HospitalAdmin):
    list_display = ["template", "intent", "slot"]
    list_filter = ["intent"]
    search_fields = ["template", "slot"]
    fieldsets: list[Any] = [
        (None, {"fields": [("intent", "slot"), "template"]}),
        (_("In other languages"), {"fields": LANGUAGES[1:]}),
    ]


@admin.register(PromptSection)
class PromptAdmin(HospitalAdmin):
    list_display = ["prompt", "position", "section", "text"]
    list_display_links = ["section"]
    list_filter = ["prompt"]
    search_fields = ["prompt", "section", "text"]
    fields = ["prompt", "section", "position", "text"]


@admin.register(ModelPrice)
class ModelPriceAdmin(HospitalAdmin):
    list_display = ["model", "input_per_million", "output_per_million"]
    search_fields = ["model"]
    fields = ["model", "input_per_million", "output_per_million"]


#: Days of answers searched for untranslated quotations, and the most rows of the spreadsheet.
DAYS, MOST = 30, 400


def write() -> Iterator[Sequence[str]]:
    """Yield all translations, then the sections most quoted to speakers of another language."""
    yield from TRANSLATION_TABLE.write()
    known = set(PassageTranslation.objects.values_list("digest", "language"))
    for (page, source, language), _count in quoted().most_common(MOST):
        if (digest_of(source), language) not in known:
            yield [page, language, "", source, "", ""]


def quoted() -> Counter[tuple[str, str, str]]:
    """Count sections recently quoted to askers in another language."""
    since = timezone.now() - timedelta(days=DAYS)
    counts: Counter[tuple[int, str, str]] = Counter()
    answers = Message.objects.filter(created_at__gte=since).exclude(citations=[])
    for language, citations in answers.values_list("language", "citations"):
        for each in citations:
            if each["passage"] and each.get("language", language) != language:
                counts[each["chunk_id"], each["passage"], language] += 1
    chunks = Chunk.objects.in_bulk({chunk for chunk, _passage, _language in counts})
    pages = dict(Document.objects.values_list("pk", "path"))
    found: Counter[tuple[str, str, str]] = Counter()
    for (chunk, passage, language), count in counts.items():
        content = chunks[chunk].content if chunk in chunks else ""
        for section in sections(content):
            if any(line.text in passage for line in lines(section.body)):
                found[pages[chunks[chunk].document_id], section.body, language] += count
    return found


def gone(rows: list[PassageTranslation]) -> set[int]:
    """Return the keys of translations whose section is no longer on its page."""
    known = digests_of({row.page for row in rows})
    return {row.pk for row in rows if row.digest not in known[row.page]}


class TranslationList(SteadyList):
    """The list of translations; it marks those whose section is no longer on its page."""

    def get_results(self, request: HttpRequest) -> None:
        super().get_results(request)
        self.result_list = list(self.result_list)
        stale = gone(self.result_list)
        for row in self.result_list:
            row.is_gone = row.pk in stale


@admin.register(PassageTranslation)
class PassageTranslationAdmin(TablePages, HospitalAdmin):
    list_display = ["beginning", "language", "page", "is_shown", "read_by"]
    list_filter = ["language", ("read_by", admin.EmptyFieldListFilter)]
    search_fields = ["page", "heading", "source", "text"]
    fields = ["page", "source", "language", "heading", "text", "read_by"]

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[TranslationList]:
        return TranslationList

    @property
    def sheet(self) -> Spreadsheet:
        return TRANSLATION_TABLE

    def exported(self, request: HttpRequest) -> tuple[Sequence[str], Iterable[Sequence[str]]]:
        return self.sheet.columns, write()

    @admin.display(description=_("translation"))
    def beginning(self, row: PassageTranslation) -> str:
        return row.heading or row.text[:60]

    @admin.display(description=_("shown"), boolean=True)
    def is_shown(self, row: Any) -> bool:
        return not row.is_gone
