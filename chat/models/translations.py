"""Translations of sections of pages. What one must be: chat/sources/translations.py."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext_lazy as _

from chat.sources.translations import Translation, digest_of, flaws, sections
from retrieval.models import Chunk, Document
from zol.languages import Language
from zol.records.refusals import refused
from zol.records.versioned import VersionedRow


class PassageTranslation(VersionedRow):
    """A section of a page in another language, shown instead of it to who asks in that."""

    identity = ("page", "language", "source")

    page = models.CharField(
        _("page"), max_length=300, help_text=_("Its path, as in the list of documents.")
    )
    source = models.TextField(
        _("section"), help_text=_("As it stands on the page, without its heading.")
    )
    language = models.CharField(_("language"), max_length=8, choices=Language.choices)
    heading = models.CharField(_("heading"), max_length=300, blank=True)
    text = models.TextField(
        _("translation"), help_text=_("Each sentence, item and row as one, in the same order.")
    )
    read_by = models.CharField(
        _("read by"), max_length=80, blank=True,
        help_text=_("Who speaks this language well and has read the translation."),
    )  # fmt: skip
    #: What the section is known by at the moment of an answer.
    digest = models.CharField(max_length=64, editable=False)
    #: Its place in the pack; 0 for what staff made.
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
            raise ValidationError({"page": _("There is no such page.")})
        known = digests_of([self.page])
        wrong: dict[str, list[Any]] = {}
        for name, error in flaws(self.record, document.language, known[self.page]):
            wrong.setdefault(name, []).append(refused(error))
        if wrong:
            raise ValidationError(wrong)


def digests_of(pages: Iterable[str]) -> dict[str, set[str]]:
    """Return what the sections of pages are known by, as the pages are searched now."""
    found: dict[str, set[str]] = {page: set() for page in pages}
    chunks = Chunk.objects.filter(document__path__in=found).exclude(
        document__status=Document.Status.WITHDRAWN
    )
    for page, content in chunks.values_list("document__path", "content"):
        found[page] |= {each.digest for each in sections(content)}
    return found
