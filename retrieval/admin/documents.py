"""Documents: what was ingested, what failed, and new ones."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db.models import Count, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from retrieval import services
from retrieval.admin.reasons import in_words
from retrieval.admin.steering import category_choices
from retrieval.admin.uploads import (
    ReplaceForm,
    UploadForm,
    process_again,
    replace_file,
    store_uploads,
)
from retrieval.ingestion.store import bump_revision
from retrieval.models import Document, IngestionItem
from taxonomy.models import Campus
from zol.admin_pages.base import CodesField, HospitalAdmin, HospitalForm
from zol.errors import WrongIndex

#: A change of these makes other chunks of the same bytes.
MAKES_CHUNKS = {"title", "language", "category_override"}


def campus_choices() -> list[tuple[str, str]]:
    return list(Campus.objects.order_by("position", "name").values_list("key", "name"))


class DocumentForm(HospitalForm):
    campuses = CodesField(label=_("campuses"), required=False, choices=campus_choices)
    category_override = forms.ChoiceField(
        label=_("content category"),
        required=False,
        choices=lambda: [("", _("as the keywords say")), *category_choices()],
        help_text=_("Overrides what the keywords say, for all chunks."),
    )

    def save(self, commit: bool = True) -> Any:  # noqa: FBT001, FBT002 (Django's)
        if "summary" in self.changed_data:
            self.instance.summary_edited = True
        return super().save(commit)


class NewDocumentForm(DocumentForm, UploadForm):
    """Everything about new documents, and their files."""


class ChangeDocumentForm(DocumentForm, ReplaceForm):
    """Everything about a document, and another file for it."""


@admin.register(Document)
class DocumentAdmin(HospitalAdmin):
    form = DocumentForm
    list_display = [
        "title", "category", "language", "status", "chunk_count", "updated_on", "why",
    ]  # fmt: skip
    list_filter = ["status", "category", "language", "has_instructions", "url_tier"]
    search_fields = ["title", "path", "url"]
    search_help_text = _("Search by title, path or address.")
    date_hierarchy = "updated_on"
    actions = ["ingest", "withdraw"]
    readonly_fields = ["path", "status", "why", "processed_at", "has_instructions", "chunks"]
    about = ["title", "url", "category", "language", "updated_on", "campuses", "category_override"]
    weighing = (_("Ranking"), {"classes": ["collapse"], "fields": ["authority", "url_tier"]})
    machine = (
        _("Processing"),
        {"fields": ["path", "status", "why", "processed_at", "has_instructions", "chunks"]},
    )

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> list[Any]:
        if obj is None:
            return [(None, {"fields": ["file", *self.about]}), self.weighing]
        may_change = self.has_change_permission(request, obj)
        fields = [*self.about, "summary", *(["file"] if may_change else [])]
        return [(None, {"fields": fields}), self.weighing, self.machine]

    def get_form(self, request: HttpRequest, obj: Any = None, **kwargs: Any) -> Any:
        if obj is None:
            kwargs["form"] = NewDocumentForm
        elif self.has_change_permission(request, obj):
            kwargs["form"] = ChangeDocumentForm
        return super().get_form(request, obj, **kwargs)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Document]:
        return super().get_queryset(request).annotate(number_of_chunks=Count("chunks"))

    @admin.display(description=_("chunks"), ordering="number_of_chunks")
    def chunk_count(self, document: Any) -> int:
        return document.number_of_chunks

    @admin.display(description=_("reason"), ordering="reason")
    def why(self, document: Document) -> str:
        return in_words(document.reason)

    @admin.display(description=_("chunks"))
    def chunks(self, document: Document) -> str:
        address = reverse("admin:retrieval_chunk_changelist")
        return format_html(
            '<a href="{}?document__id__exact={}">{}</a>',
            address,
            document.pk,
            _("%d chunks") % document.chunks.count(),
        )

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Only what never became searchable is deleted; anything else is withdrawn, so that what
        answers cited can still be looked up."""
        is_allowed = super().has_delete_permission(request, obj)
        return bool(is_allowed and (obj is None or services.is_disposable(obj)))

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        """Let the lines of runs go with a document: nobody deletes those by themselves."""
        rows, counts, refused, protected = super().get_deleted_objects(objs, request)
        return rows, counts, refused - {IngestionItem._meta.verbose_name}, protected

    def delete_model(self, request: HttpRequest, obj: Document) -> None:
        services.delete_failed([obj])

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Document]) -> None:
        services.delete_failed(list(queryset))

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:  # noqa: FBT001 (Django's)
        files = form.cleaned_data.get("file") or []
        if not change:
            rows = store_uploads(obj, files)
            for row in rows[1:]:
                self.log_addition(request, row, [{"added": {}}])
            self._start(request, rows, "upload")
            return
        for file in files:
            replace_file(obj, file)
        super().save_model(request, obj, form, change)
        bump_revision(obj.hospital_id)
        if files or MAKES_CHUNKS & set(form.changed_data):
            self._start(request, [obj], "upload" if files else "edit")

    def _start(self, request: HttpRequest, documents: list[Document], reason: str) -> None:
        hospital = request.hospital  # type: ignore[attr-defined]
        try:
            run = process_again(hospital, documents, by=request.user, reason=reason)
        except WrongIndex as error:
            self.message_user(request, str(error), messages.ERROR)
            return
        address = reverse("admin:retrieval_ingestionrun_change", args=[run.pk])
        text = ngettext(
            "%d document is being processed.", "%d documents are being processed.", len(documents)
        )
        link = format_html(
            '{} <a href="{}">{}</a>', text % len(documents), address, _("See how far it is.")
        )
        self.message_user(request, link, messages.SUCCESS)

    @admin.action(permissions=["change"], description=_("Process again"))
    def ingest(self, request: HttpRequest, queryset: QuerySet[Document]) -> None:
        self._start(request, list(queryset), "admin")

    @admin.action(permissions=["change"], description=_("Withdraw from search"))
    def withdraw(self, request: HttpRequest, queryset: QuerySet[Document]) -> None:
        documents = list(queryset)
        services.withdraw(request.hospital, documents)  # type: ignore[attr-defined]
        text = ngettext(
            "%d document was withdrawn.", "%d documents were withdrawn.", len(documents)
        )
        self.message_user(request, text % len(documents), messages.SUCCESS)
