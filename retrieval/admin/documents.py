"""Admin of documents: fields, uploads, ingestion, failures, and a comparison of the texts read and
left out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import Count, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import JSONObject
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.html import format_html
from django.utils.text import Truncator
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from retrieval import services
from retrieval.admin.ingestion import in_words
from retrieval.admin.steering import category_choices
from retrieval.admin.uploads import (
    ReplaceForm,
    UploadForm,
    process_again,
    replace_file,
    store_uploads,
)
from retrieval.ingestion import relations
from retrieval.ingestion.process import NEEDS_SCRIPT, original_of
from retrieval.ingestion.store import bump_revision
from retrieval.models import Chunk, Document
from retrieval.packs import ORIGINS
from retrieval.reading import Blocks, LeftOut, compared
from retrieval.reading.visible import Why
from taxonomy.models import Campus
from zol.backoffice import home
from zol.backoffice.base import CodesField, HospitalAdmin, HospitalForm, listed
from zol.backoffice.home import HomeFigure, Task, counted
from zol.errors import OnlyImages, UnreadableDocument, WrongIndex

#: Fields that affect chunking: a change ingests the document again.
MAKES_CHUNKS = {"title", "language", "category_override"}


def campus_choices() -> list[tuple[str, str]]:
    return list(Campus.objects.order_by("position", "name").values_list("key", "name"))


class OutdatedFilter(admin.SimpleListFilter):
    title = _("outdated")
    parameter_name = "outdated"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("1", _("may be outdated"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Document]) -> QuerySet[Document]:
        if not self.value():
            return queryset
        return queryset.exclude(replaced_by="").filter(status=Document.Status.READY)


class DocumentForm(HospitalForm):
    campuses = CodesField(label=_("campuses"), required=False, choices=campus_choices)
    category_override = forms.ChoiceField(
        label=_("content category"),
        required=False,
        choices=lambda: [("", _("chosen by keywords")), *category_choices()],
        help_text=_(
            "This category replaces the one chosen by keywords, for all chunks of the document."
        ),
    )

    def save(self, commit: bool = True) -> Any:  # noqa: FBT001, FBT002 (Django's)
        if "summary" in self.changed_data:
            self.instance.summary_edited = True
        return super().save(commit)


class NewDocumentForm(DocumentForm, UploadForm):
    """New documents: their fields and files."""


class ChangeDocumentForm(DocumentForm, ReplaceForm):
    """A document's fields, and a file that replaces its own."""


@admin.register(Document)
class DocumentAdmin(HospitalAdmin):
    form = DocumentForm
    list_display = [
        "title", "category", "language", "status", "chunk_count", "updated_on", "why", "outdated",
    ]  # fmt: skip
    list_filter = ["status", OutdatedFilter, "category", "language", "has_instructions", "url_tier"]
    search_fields = ["title", "path", "url"]
    search_help_text = _("Search by title, path or address.")
    date_hierarchy = "updated_on"
    actions = ["ingest", "keep", "withdraw"]
    pages = {"reading": "<int:pk>/reading/"}
    readonly_fields = [
        "path", "status", "why", "processed_at", "has_instructions", "chunks", "dated", "outdated",
        "reading",
    ]  # fmt: skip
    about = [
        "title", "url", "category", "language", "translation_of", "updated_on", "campuses",
        "category_override",
    ]  # fmt: skip
    weighing = (_("Ranking"), {"classes": ["collapse"], "fields": ["authority", "url_tier"]})
    machine = (
        _("Processing"),
        {
            "fields": [
                "path", "status", "why", "outdated", "dated", "processed_at", "has_instructions",
                "chunks", "reading",
            ]
        },
    )  # fmt: skip

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
        newer = Document.objects.filter(path=OuterRef("replaced_by"), path__gt="")
        return (
            super()
            .get_queryset(request)
            .annotate(
                number_of_chunks=Count("chunks"),
                newer=Subquery(newer.values(fields=JSONObject(pk="pk", title="title"))[:1]),
            )
        )

    @admin.display(description=_("chunks"), ordering="number_of_chunks")
    def chunk_count(self, document: Any) -> int:
        return document.number_of_chunks

    @admin.display(description=_("reason"), ordering="reason")
    def why(self, document: Document) -> str:
        return in_words(document.reason)

    @admin.display(description=_("source of the date"))
    def dated(self, document: Document) -> str:
        if not document.updated_on:
            return _("the page gives no date: fill in “updated on”")
        return document.get_updated_from_display() or _("the pack or staff")

    @admin.display(description=_("may be outdated"), ordering="replaced_by")
    def outdated(self, document: Document) -> str:
        """Link to the page that seems to replace this one, with the reason."""
        newer: Any = getattr(document, "newer", None)
        if newer is None:
            return ""
        address = reverse("admin:retrieval_document_change", args=[newer["pk"]])
        because = in_words(document.replaced_because)
        link = '<a href="{}">{}</a> <span class="help">{}</span>'
        return format_html(link, address, newer["title"], because)

    @admin.display(description=_("text that was read"))
    def reading(self, document: Document) -> str:
        if document.original is None:
            return ""
        address = reverse("admin:retrieval_document_reading", args=[document.pk])
        text = _("Compare what patients can find with what was left out, and see why")
        return format_html('<a href="{}">{}</a>', address, text)

    def reading_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Show the texts that the reader keeps and leaves out of a document."""
        document = get_object_or_404(Document.objects.select_related("original"), pk=pk)
        if not self.has_view_permission(request, document):
            raise PermissionDenied
        return show_reading(request, document, self.admin_site.each_context(request))

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
        """Refuse: answers may have cited it, so staff withdraw it."""
        return False

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
        for name, origin in ORIGINS.items():
            if name in form.changed_data:
                setattr(obj, origin, "")
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
            '{} <a href="{}">{}</a>', text % len(documents), address, _("See the progress.")
        )
        self.message_user(request, link, messages.SUCCESS)

    @admin.action(permissions=["change"], description=_("Process again"))
    def ingest(self, request: HttpRequest, queryset: QuerySet[Document]) -> None:
        self._start(request, list(queryset), "admin")

    @admin.action(permissions=["change"], description=_("Keep beside the newer page"))
    def keep(self, request: HttpRequest, queryset: QuerySet[Document]) -> None:
        documents = list(queryset.exclude(replaced_by=""))
        if not documents:
            text = _("None of the selected documents seems outdated, so nothing was changed.")
            self.message_user(request, text, messages.WARNING)
            return
        relations.keep(documents)
        text = ngettext("%d document is kept.", "%d documents are kept.", len(documents))
        self.message_user(request, text % len(documents), messages.SUCCESS)

    @admin.action(permissions=["change"], description=_("Withdraw from search"))
    def withdraw(self, request: HttpRequest, queryset: QuerySet[Document]) -> None:
        documents = list(queryset)
        services.withdraw(request.hospital, documents)  # type: ignore[attr-defined]
        text = ngettext(
            "%d document was withdrawn.", "%d documents were withdrawn.", len(documents)
        )
        self.message_user(request, text % len(documents), messages.SUCCESS)


#: Time limit in seconds, letters shown per part, and parts shown.
LONGEST, SHOWN, MOST = 20.0, 400, 400
REASONS: Mapping[Why, Any] = {
    Why.SCRIPT: _("script, style or field: not text"),
    Why.HIDDEN: _("hidden on the page"),
    Why.STRUCK: _("struck out"),
    Why.NAVIGATION: _("navigation"),
    Why.COOKIES: _("cookie banner"),
    Why.FOOTER: _("footer"),
    Why.HEADER: _("header of the site"),
    Why.DIALOG: _("dialog"),
    Why.FORM: _("form"),
    Why.LINKS: _("links to other pages"),
    Why.BESIDE: _("beside the content"),
    Why.BEFORE: _("before the title"),
    Why.DATE: _("only a date"),
    Why.REPEATED: _("repeated at the edge of pages"),
    Why.CONTENTS: _("table of contents"),
    Why.WATERMARK: _("across the page, as a watermark"),
    Why.RIGHT_TO_LEFT: _("written from right to left: numbers would come out wrong"),
}


def show_reading(request: HttpRequest, document: Document, context: dict[str, Any]) -> HttpResponse:
    """Show the texts that the reader keeps and leaves out, or why it cannot read the document."""
    kept: Blocks = ()
    left_out: LeftOut = ()
    try:
        kept, left_out = compared(*original_of(document), longest=LONGEST)
        wrong = "" if kept else "No text was found"
    except (UnreadableDocument, OnlyImages) as error:
        wrong = str(error)
    if document.reason == NEEDS_SCRIPT:
        wrong = NEEDS_SCRIPT
    shown = [(Truncator(text).chars(SHOWN), str(REASONS[why])) for text, why in left_out[:MOST]]
    own = {
        "title": _("Text that was read"), "document": document, "kept": kept[:MOST],
        "left_out": shown, "wrong": in_words(wrong),
        "more": max(len(kept), len(left_out)) > MOST, "opts": Document._meta,
    }  # fmt: skip
    return render(request, "admin/retrieval/reading.html", context | own)


@home.tasks("retrieval.view_document")
def document_tasks(request: HttpRequest) -> Iterator[Task]:
    status, ready = Document.Status, Q(status=Document.Status.READY)
    states = Document.objects.aggregate(
        failed=Count("pk", filter=Q(status=status.FAILED)),
        waiting=Count("pk", filter=Q(status=status.REGISTERED)),
        suspicious=Count("pk", filter=ready & Q(has_instructions=True)),
        outdated=Count("pk", filter=ready & Q(replaced_by__gt="")),
    )
    for name, title, query in (
        ("failed", gettext("Documents that failed to be processed"), "status__exact=failed"),
        ("waiting", gettext("Documents waiting to be processed"), "status__exact=registered"),
        (
            "suspicious",
            gettext("Documents with instructions to an assistant"),
            "has_instructions__exact=1",
        ),
        ("outdated", gettext("Documents that may be outdated"), "outdated=1"),
    ):
        yield Task(title, states[name], listed(Document, query), is_urgent=name == "failed")
    edited = Chunk.objects.filter(source_changed=True).count()
    title = gettext("Edited chunks whose source has changed")
    yield Task(title, edited, listed(Chunk, "source_changed__exact=1"))


@home.figures("retrieval.view_document")
def document_figures(request: HttpRequest) -> Iterator[HomeFigure]:
    ready = Document.objects.filter(status=Document.Status.READY).count()
    yield HomeFigure(gettext("Searchable documents"), counted(ready), listed(Document))
    enabled = Chunk.objects.filter(is_enabled=True, document__status="ready").count()
    yield HomeFigure(gettext("Searchable chunks"), counted(enabled), listed(Chunk))
