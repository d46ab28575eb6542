"""Translations of pages: one for each section and language, as a list and as a spreadsheet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from chat.models import Message, PassageTranslation
from chat.models.translations import digests_of
from chat.packs import TRANSLATIONS
from chat.sources.translations import digest_of, sections
from retrieval.models import Chunk, Document
from retrieval.statements import lines
from taxonomy.admin.tables import TablePages
from taxonomy.packs.spreadsheets import Spreadsheet
from zol.backoffice.base import HospitalAdmin, SteadyList

#: A spreadsheet holds what answers of these days quoted and nobody has translated, at most so much.
DAYS, MOST = 30, 400


def write() -> Iterator[Sequence[str]]:
    """Yield all translations, then what is quoted most to people who read another language."""
    yield from TRANSLATIONS.table().write()
    known = set(PassageTranslation.objects.values_list("digest", "language"))
    for (page, source, language), _count in quoted().most_common(MOST):
        if (digest_of(source), language) not in known:
            yield [page, language, "", source, "", ""]


def quoted() -> Counter[tuple[str, str, str]]:
    """Count the sections that answers quoted to who asked in another language, lately."""
    since = timezone.now() - timedelta(days=DAYS)
    told: Counter[tuple[int, str, str]] = Counter()
    answers = Message.objects.filter(created_at__gte=since).exclude(citations=[])
    for language, citations in answers.values_list("language", "citations"):
        for each in citations:
            if each["passage"] and each.get("language", language) != language:
                told[each["chunk_id"], each["passage"], language] += 1
    chunks = Chunk.objects.in_bulk({chunk for chunk, _passage, _language in told})
    pages = dict(Document.objects.values_list("pk", "path"))
    found: Counter[tuple[str, str, str]] = Counter()
    for (chunk, passage, language), count in told.items():
        content = chunks[chunk].content if chunk in chunks else ""
        for section in sections(content):
            if any(line.text in passage for line in lines(section.body)):
                found[pages[chunks[chunk].document_id], section.body, language] += count
    return found


def gone(rows: list[PassageTranslation]) -> set[int]:
    """Return the keys of translations whose section stands on its page no longer."""
    known = digests_of({row.page for row in rows})
    return {row.pk for row in rows if row.digest not in known[row.page]}


class TranslationList(SteadyList):
    """The list, with whether each section still stands on its page: pages are read once."""

    def get_results(self, request: HttpRequest) -> None:
        super().get_results(request)
        self.result_list = list(self.result_list)
        stale = gone(self.result_list)
        for row in self.result_list:
            row.is_gone = row.pk in stale


class SectionFilter(admin.SimpleListFilter):
    title = _("section")
    parameter_name = "section"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("gone", _("its page says something else now"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.filter(pk__in=gone(list(queryset))) if self.value() else queryset


@admin.register(PassageTranslation)
class PassageTranslationAdmin(TablePages, HospitalAdmin):
    list_display = ["opening", "language", "page", "still_there", "read_by"]
    list_filter = [SectionFilter, "language", ("read_by", admin.EmptyFieldListFilter)]
    search_fields = ["page", "heading", "source", "text"]
    fields = ["page", "source", "language", "heading", "text", "read_by"]

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[TranslationList]:
        return TranslationList

    @property
    def sheet(self) -> Spreadsheet:
        return replace(TRANSLATIONS.table(), write=write)

    @admin.display(description=_("translation"))
    def opening(self, row: PassageTranslation) -> str:
        return row.heading or row.text[:60]

    @admin.display(description=_("shown"), boolean=True)
    def still_there(self, row: Any) -> bool:
        return not row.is_gone
