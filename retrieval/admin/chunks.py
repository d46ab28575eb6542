"""Admin of chunks, where staff correct the text that search reads."""

from __future__ import annotations

from functools import partial
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db import transaction
from django.db.models import F, QuerySet
from django.db.models.functions import Left
from django.http import HttpRequest
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from retrieval.admin.steering import CategoryColumn, category_choices, category_names
from retrieval.analysis import IndexedChunk
from retrieval.categories import classifier_of
from retrieval.embedding import get_embedder
from retrieval.fields import packed, refitted, unpacked
from retrieval.index.writing import embed_chunks, index_chunks, prepare
from retrieval.ingestion.knowledge import current_snapshot
from retrieval.ingestion.store import bump_revision
from retrieval.models import Chunk
from zol.backoffice.base import HospitalForm, LinesField, by_names
from zol.errors import EmbeddingFailed, WrongIndex
from zol.tenancy import required_hospital_id

#: Fields that search reads: a change reindexes the chunk.
SEARCHED = {"content", "context", "questions", "section"}
OPENING = 160


class ChunkForm(HospitalForm):
    questions = LinesField(
        label=_("canonical questions"),
        required=False,
        help_text=_("Questions that this chunk answers, one per line."),
    )
    category = forms.ChoiceField(label=_("content category"), choices=category_choices)
    is_confirmed = forms.BooleanField(
        label=_("I have seen that the source changed"),
        required=False,
        help_text=_("This removes the warning and keeps your text."),
    )

    def save(self, commit: bool = True) -> Any:  # noqa: FBT001, FBT002 (Django's)
        if SEARCHED & set(self.changed_data):
            self.instance.is_edited = True
        if {"content", "section"} & set(self.changed_data):
            row = self.instance
            was = self.initial["section"], self.initial["content"]
            places = unpacked(was[1], was[0], row.fields)
            row.fields = packed(row.content, refitted(places, was, (row.section, row.content)))
            row.categories = {}
        if "category" in self.changed_data:
            self.instance.category_fixed = True
        if self.cleaned_data.get("is_confirmed"):
            self.instance.source_changed = False
        return super().save(commit)


@admin.register(Chunk)
class ChunkAdmin(CategoryColumn):
    form = ChunkForm
    list_display = ["opening", "document", "section", "category_name", "is_enabled", "is_edited"]
    list_filter = [
        "is_enabled", "is_edited", "source_changed", ("category", by_names(category_names)),
        "document__category",
    ]  # fmt: skip
    list_select_related = ["document"]
    search_fields = ["content", "section", "document__title"]
    readonly_fields = [
        "document", "ordinal", "page", "tokens", "is_edited", "source_changed", "evidence",
        "entity_kinds",
    ]  # fmt: skip
    fieldsets = [
        (None, {"fields": ["document", "content", "section", "context", "questions"]}),
        (_("Use in search"), {"fields": ["is_enabled"]}),
        (_("Subject"), {"fields": [("category", "category_fixed"), "evidence", "entity_kinds"]}),
        (
            _("Origin"),
            {
                "fields": [
                    ("ordinal", "page", "tokens"),
                    "is_edited",
                    "source_changed",
                    "is_confirmed",
                ]
            },
        ),
    ]
    actions = ["enable", "disable"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Refuse: chunks are cut from documents."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse: a deleted chunk would return with the next ingestion, so staff disable it."""
        return False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Chunk]:
        rows = super().get_queryset(request).annotate(start=Left("content", OPENING))
        match = request.resolver_match
        if match and match.url_name == "retrieval_chunk_changelist":
            rows = rows.defer("content", "context", "category_evidence", "questions", "fields")
        return rows

    @admin.display(description=_("text"), ordering=F("document"))
    def opening(self, chunk: Any) -> str:
        return chunk.start

    @admin.display(description=_("reason for this category"))
    def evidence(self, chunk: Chunk) -> str:
        judge = current_snapshot().derived(classifier_of).classify
        verdict = judge(chunk.content, title=chunk.document.title, section=chunk.section)
        if not verdict.scores:
            return "–"
        rows = (
            (name, f"{score:.1f}", ", ".join(word for word, _weight in verdict.matched[name]))
            for name, score in verdict.scores.items()
        )
        body = format_html_join("", "<tr><th>{}</th><td>{}</td><td>{}</td></tr>", rows)
        return format_html('<table class="evidence">{}</table>', body)

    def save_model(self, request: HttpRequest, obj: Chunk, form: Any, change: bool) -> None:  # noqa: FBT001 (Django's)
        super().save_model(request, obj, form, change)
        bump_revision(obj.hospital_id)
        if SEARCHED & set(form.changed_data):
            transaction.on_commit(partial(self._reindex, request, obj))

    def _reindex(self, request: HttpRequest, chunk: Chunk) -> None:
        """Index a chunk as it is now; calls the embedding provider outside the transaction."""
        embedder = get_embedder()
        try:
            indexed = [IndexedChunk.of(chunk)]
            vectors = embed_chunks(indexed, embedder)
            with transaction.atomic():
                prepare(embedder)
                index_chunks(indexed, vectors)
                bump_revision(chunk.hospital_id)
        except (EmbeddingFailed, WrongIndex) as error:
            text = _("The text is saved, but search still uses the old text: %s") % error
            self.message_user(request, text, messages.ERROR)

    @admin.action(permissions=["change"], description=_("Make searchable"))
    def enable(self, request: HttpRequest, queryset: QuerySet[Chunk]) -> None:
        self._switch(request, queryset, is_enabled=True)

    @admin.action(permissions=["change"], description=_("Leave out of search"))
    def disable(self, request: HttpRequest, queryset: QuerySet[Chunk]) -> None:
        self._switch(request, queryset, is_enabled=False)

    def _switch(self, request: HttpRequest, queryset: QuerySet[Chunk], *, is_enabled: bool) -> None:
        with transaction.atomic():
            chosen = [chunk.pk for chunk in queryset]
            number = Chunk.objects.filter(pk__in=chosen).update(is_enabled=is_enabled)
            bump_revision(required_hospital_id())
        text = ngettext("%d chunk was changed.", "%d chunks were changed.", number)
        self.message_user(request, text % number, messages.SUCCESS)
