"""Curated answers, as staff edit them. What one must be: chat/sources/records.py."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext_lazy as _

from chat.sources.records import CuratedAnswer as Record
from chat.sources.records import CuratedContext, flaws
from retrieval.models import Document
from taxonomy.models import Entity
from taxonomy.models.relations import need_choices
from zol.records.refusals import refused
from zol.records.versioned import VersionedRow

#: What a frozen row tells beside its record: who read it, and until when nobody has to again.
KEPT = ("review_by", "checked_in")


def house_of(hospital_id: int) -> CuratedContext:
    """Return what the curated answers of a hospital are checked against, as it stands now."""
    active = Entity.objects.filter(hospital_id=hospital_id, status=Entity.Status.ACTIVE)
    pages = Document.objects.filter(hospital_id=hospital_id)
    used = pages.exclude(status=Document.Status.WITHDRAWN).values_list("url", flat=True)
    return CuratedContext(frozenset(active.values_list("kind", "key")), frozenset(used))


class CuratedAnswer(VersionedRow):
    """The approved answer to a need, about a subject, under conditions."""

    identity = ("key",)
    told = frozenset({"answer"})

    key = models.SlugField(
        _("key"), max_length=80, help_text=_("Short and stable, for imports and links.")
    )
    need = models.CharField(_("need"), max_length=40, choices=need_choices)
    subject = models.ForeignKey(
        Entity, models.CASCADE, null=True, blank=True, verbose_name=_("subject"),
        related_name="+", help_text=_("Empty: the hospital as a whole."),
    )  # fmt: skip
    conditions = models.JSONField(
        _("depends on"), default=dict, blank=True,
        help_text=_('Only what the answer depends on, such as {"age": "child"}.'),
    )  # fmt: skip
    examples = models.JSONField(_("questions"), default=dict, blank=True)
    answer = models.JSONField(_("answer"), default=dict, blank=True)
    sources = models.JSONField(_("pages that say so"), default=list, blank=True)
    next_step = models.CharField(
        _("whom to turn to"), max_length=140, blank=True,
        help_text=_("helpdesk, emergency, or a department as department:key."),
    )  # fmt: skip
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True,
        verbose_name=_("owner"), related_name="+",
    )  # fmt: skip
    review_by = models.DateField(_("review by"), null=True, blank=True)
    valid_from = models.DateField(_("valid from"), null=True, blank=True)
    valid_to = models.DateField(_("valid until"), null=True, blank=True)
    #: The languages in which somebody who speaks them well has read it, and who.
    checked_in = models.JSONField(_("read by"), default=dict, blank=True)
    #: Its place in the pack; 0 for what staff made.
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
        """Name the subject by its kind and key, as every version does."""
        return (
            "key", "need", "subject__kind", "subject__key", "conditions", "examples", "answer",
            "sources", "next_step", "valid_from", "valid_to", *KEPT,
        )  # fmt: skip

    @property
    def record(self) -> Record:
        return Record.frozen({name: self._at(name) for name in self.published_fields()})

    @property
    def unread(self) -> tuple[str, ...]:
        """The languages in which it is told and that nobody who speaks them well has read."""
        return tuple(
            code for code, text in self.answer.items() if text and code not in self.checked_in
        )

    def clean(self) -> None:
        super().clean()
        if not all(isinstance(getattr(self, name), dict) for name in ("conditions", "checked_in")):
            raise ValidationError({"conditions": _("Write it as in the example.")})
        wrong: dict[str, list[Any]] = {}
        for name, error in flaws(self.record, house_of(self.hospital_id)):
            wrong.setdefault(name, []).append(refused(error))
        if wrong:
            raise ValidationError(wrong)
