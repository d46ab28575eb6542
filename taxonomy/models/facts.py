"""Facts: what the hospital knows exactly, as staff edit it. What a value is: taxonomy/facts."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from taxonomy import needs
from taxonomy.facts.parts import Value, WrongPart
from taxonomy.facts.print import said
from taxonomy.facts.records import House, Record, read_record, read_value
from taxonomy.models.entities import Campus, Entity
from zol.models import Hospital
from zol.refusals import refused
from zol.values import WrongValue
from zol.versioned import VersionedRow


def need_choices() -> list[tuple[str, str]]:
    """Return every need with its name in the reader's language."""
    language = (get_language() or "nl")[:2]
    return [(key, needs.name(key, language)) for key in needs.kinds()]


def house_of(hospital: Hospital) -> House:
    """Return what the values of a hospital's facts are checked against."""
    campuses = Campus.objects.filter(hospital=hospital).values_list("key", flat=True)
    return House(hospital.country, hospital.default_language, frozenset(campuses))


class Fact(VersionedRow):
    """A value that answers a need, for a subject, under conditions."""

    identity = ("need", "subject__key", "conditions", "valid_from")

    need = models.CharField(_("need"), max_length=40, choices=need_choices)
    subject = models.ForeignKey(
        Entity, models.CASCADE, null=True, blank=True, verbose_name=_("subject"),
        related_name="facts", help_text=_("Empty: the hospital as a whole."),
    )  # fmt: skip
    conditions = models.JSONField(_("conditions"), default=dict, blank=True)
    #: The line that its kind of value writes (taxonomy/facts/parts.py).
    value = models.TextField(_("value"))
    source = models.CharField(
        _("source page"), max_length=300, blank=True,
        help_text=_("The path of the page that says so, such as praktisch/bezoekuren.html."),
    )  # fmt: skip
    sentence = models.TextField(
        _("sentence"), blank=True,
        help_text=_("As it stands on that page; when it is no longer there, the list says so."),
    )  # fmt: skip
    valid_from = models.DateField(_("valid from"), null=True, blank=True)
    valid_to = models.DateField(_("valid until"), null=True, blank=True)
    #: Its place in the pack; 0 for what staff made.
    position = models.PositiveIntegerField(default=0, editable=False)

    class Meta:
        verbose_name = _("fact")
        verbose_name_plural = _("facts")
        ordering = ["need", "subject__name", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["hospital", "need", "subject", "conditions", "valid_from"],
                name="fact_once",
                nulls_distinct=False,
                violation_error_message=_(
                    "There is a fact already for this need and subject, under these conditions."
                ),
            )
        ]

    def __str__(self) -> str:
        name = dict(need_choices()).get(self.need, self.need)
        about = [name, str(self.subject) if self.subject_id else "", *self.conditions.values()]
        return " · ".join(filter(None, map(str, about)))

    @classmethod
    def published_fields(cls) -> tuple[str, ...]:
        """Name the subject by its kind and key, as every version does."""
        return (
            "need", "subject__kind", "subject__key", "conditions", "value", "source", "sentence",
            "valid_from", "valid_to",
        )  # fmt: skip

    @property
    def read(self) -> Value | None:
        """The value; nothing where it cannot be read."""
        try:
            kind = needs.kinds()[self.need]
            return read_value(self.value, kind, self.hospital.default_language)
        except (WrongValue, KeyError):
            return None

    def printed(self, language: str) -> str:
        """Return the value as patients are told it."""
        value = self.read
        return said(value, language, own=self.hospital.default_language) if value else self.value

    def clean(self) -> None:
        super().clean()
        self.take(self.record())

    def record(self) -> Record:
        """Return what the row says, read and checked; refuse what is wrong under its field."""
        cells: dict[str, Any] = {
            "need": self.need, "conditions": self.conditions, "value": self.value,
            "valid_from": self.valid_from, "valid_to": self.valid_to,
        }  # fmt: skip
        try:
            return read_record(cells, house_of(self.hospital))
        except WrongPart as error:
            raise ValidationError({error.name or "value": refused(error)}) from error

    def take(self, record: Record) -> None:
        """Keep what a record says in its normal form."""
        self.need, self.value = record.need, record.line
        self.conditions = record.conditions.data()
        self.valid_from, self.valid_to = record.valid_from, record.valid_to
