"""Curated answers and translations of page sections.

Their validation is in chat/sources/records.py and chat/sources/translations.py.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext_lazy as _

from chat.sources.records import CuratedAnswer as Record
from chat.sources.records import (
    CuratedContext,
    Translation,
    answer_flaws,
    digest_of,
    sections,
    translation_flaws,
)
from retrieval.models import Chunk, Document
from taxonomy.models import Entity
from taxonomy.models.relations import need_choices
from zol.languages import Language
from zol.records.audit import account
from zol.records.refusals import refused
from zol.records.versioned import VersionedRow

#: Fields that a version stores beside the record.
KEPT = ("review_by", "checked_in")


def curated_context(hospital_id: int) -> CuratedContext:
    """Return the current data that a hospital's curated answers are validated against."""
    active = Entity.objects.filter(hospital_id=hospital_id, status=Entity.Status.ACTIVE)
    pages = Document.objects.filter(hospital_id=hospital_id)
    used = pages.exclude(status=Document.Status.WITHDRAWN).values_list("url", flat=True)
    return CuratedContext(frozenset(active.values_list("kind", "key")), frozenset(used))


class CuratedAnswer(VersionedRow):
    """The approved answer to a need, about a subject, under conditions."""

    identity = ("key",)
    answer_fields = frozenset({"answer"})

    key = models.SlugField(
        _("key"),
        max_length=80,
        help_text=_("Short key for imports and links; do not change it later."),
    )
    need = models.CharField(_("kind of question"), max_length=40, choices=need_choices)
    subject = models.ForeignKey(
        Entity, models.CASCADE, null=True, blank=True, verbose_name=_("subject"),
        related_name="+", help_text=_("If empty, this is about the whole hospital."),
    )  # fmt: skip
    conditions = models.JSONField(
        _("depends on"), default=dict, blank=True,
        help_text=_('Only conditions that the answer depends on, such as {"age": "child"}.'),
    )  # fmt: skip
    examples = models.JSONField(_("questions"), default=dict, blank=True)
    answer = models.JSONField(_("answer"), default=dict, blank=True)
    sources = models.JSONField(_("supporting pages"), default=list, blank=True)
    next_step = models.CharField(
        _("next step for the patient"), max_length=140, blank=True,
        help_text=_("Write helpdesk, emergency, or a department as department:key."),
    )  # fmt: skip
    owner = account(_("owner"), blank=True)
    review_by = models.DateField(_("review by"), null=True, blank=True)
    valid_from = models.DateField(_("valid from"), null=True, blank=True)
    valid_to = models.DateField(_("valid until"), null=True, blank=True)
    #: Proficient readers by language.
    checked_in = models.JSONField(_("read by"), default=dict, blank=True)
    #: Its position in the pack; 0 if staff made it.
    position = models.PositiveIntegerField(default=0, editable=False)

    class Meta:
        verbose_name = _("curated answer")
        verbose_name_plural = _("curated answers")
        ordering = ["need", "key"]
        constraints = [
            models.UniqueConstraint(fields=["hospital", "key"], name="curated_answer_once")
        ]

    def __str__(self) -> str:
        return self.key

    @classmethod
    def published_fields(cls) -> tuple[str, ...]:
        """Return the fields that a version stores; it identifies the subject by kind and key."""
        return (
            "key", "need", "subject__kind", "subject__key", "conditions", "examples", "answer",
            "sources", "next_step", "valid_from", "valid_to", *KEPT,
        )  # fmt: skip

    @property
    def record(self) -> Record:
        return Record.frozen({name: self._at(name) for name in self.published_fields()})

    @property
    def unread(self) -> tuple[str, ...]:
        """The languages of the answer that no proficient speaker has read."""
        return tuple(
            code for code, text in self.answer.items() if text and code not in self.checked_in
        )

    def clean(self) -> None:
        super().clean()
        if not all(isinstance(getattr(self, name), dict) for name in ("conditions", "checked_in")):
            raise ValidationError({"conditions": _("Write it as in the example.")})
        wrong: dict[str, list[Any]] = {}
        for name, error in answer_flaws(self.record, curated_context(self.hospital_id)):
            wrong.setdefault(name, []).append(refused(error))
        if wrong:
            raise ValidationError(wrong)


class PassageTranslation(VersionedRow):
    """A section of a page in another language, shown to askers in that language."""

    identity = ("page", "language", "source")

    page = models.CharField(
        _("page"), max_length=300, help_text=_("Path of the page, as in the list of documents.")
    )
    source = models.TextField(
        _("section"),
        help_text=_("Copy the section exactly as it is on the page, without its heading."),
    )
    language = models.CharField(_("language"), max_length=8, choices=Language.choices)
    heading = models.CharField(_("heading"), max_length=300, blank=True)
    text = models.TextField(
        _("translation"),
        help_text=_("Translate each sentence, item and row as one, in the same order."),
    )
    read_by = models.CharField(
        _("read by"), max_length=80, blank=True,
        help_text=_("Name of the person who speaks this language well and has read the "
                    "translation."),
    )  # fmt: skip
    #: Digest of the section, by which an answer finds its translation.
    digest = models.CharField(max_length=64, editable=False)
    #: Its position in the pack; 0 if staff made it.
    position = models.PositiveIntegerField(default=0, editable=False)

    class Meta:
        verbose_name = _("translation of a page")
        verbose_name_plural = _("translations of pages")
        ordering = ["page", "digest", "language"]
        constraints = [
            models.UniqueConstraint(
                fields=["hospital", "digest", "language"], name="section_translated_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.page} · {self.heading or self.text[:40]} · {self.language}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.digest = digest_of(self.source)
        super().save(*args, **kwargs)

    @property
    def record(self) -> Translation:
        return Translation(self.source, self.language, self.text, self.heading)

    def clean(self) -> None:
        super().clean()
        self.digest = digest_of(self.source)
        document = Document.objects.filter(hospital_id=self.hospital_id, path=self.page).first()
        if document is None:
            raise ValidationError({"page": _("This page does not exist.")})
        known = digests_of([self.page])
        wrong: dict[str, list[Any]] = {}
        for name, error in translation_flaws(self.record, document.language, known[self.page]):
            wrong.setdefault(name, []).append(refused(error))
        if wrong:
            raise ValidationError(wrong)


def digests_of(pages: Iterable[str]) -> dict[str, set[str]]:
    """Return the digests of the pages' sections, as currently searched."""
    found: dict[str, set[str]] = {page: set() for page in pages}
    chunks = Chunk.objects.filter(document__path__in=found).exclude(
        document__status=Document.Status.WITHDRAWN
    )
    for page, content in chunks.values_list("document__path", "content"):
        found[page] |= {each.digest for each in sections(content)}
    return found
