"""Aliases, relations and facts of entities, as staff edit them.

A fact is an exact value that answers a need; taxonomy/facts defines the kinds of values.
"""

from __future__ import annotations

from typing import Any, ClassVar

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from taxonomy.facts import needs
from taxonomy.facts.parts import Value, WrongPart
from taxonomy.facts.print import format_value
from taxonomy.facts.records import FactContext, read_record, read_value
from taxonomy.models.entities import Campus, Entity, OfHospital, kind_choices
from taxonomy.vocabulary import ALLOWED, AliasKind, Kind, Predicate
from zol.languages import Language
from zol.models import Hospital
from zol.records.refusals import refused
from zol.records.values import WrongValue
from zol.records.versioned import VersionedRow
from zol.text import fold, squash

PREDICATES = [
    (str(Predicate.WORKS_IN), _("works in")),
    (str(Predicate.HANDLES), _("handles")),
    (str(Predicate.TREATS), _("treats")),
    (str(Predicate.TREATED_BY), _("is treated by")),
    (str(Predicate.OFFERS), _("offers")),
    (str(Predicate.PERFORMS), _("performs")),
    (str(Predicate.LOCATED_AT), _("is located at")),
    (str(Predicate.HAS_CAMPUS), _("has the campus")),
    (str(Predicate.BELONGS_TO), _("belongs to")),
    (str(Predicate.PART_OF), _("is part of")),
    (str(Predicate.HAS_FACILITY), _("has the facility")),
]
ALIAS_KINDS = [
    (AliasKind.SYNONYM, _("synonym")),
    (AliasKind.LAY, _("everyday word")),
    (AliasKind.LATIN, _("Latin")),
    (AliasKind.ABBREVIATION, _("abbreviation")),
    (AliasKind.MISSPELLING, _("misspelling")),
    (AliasKind.PROFESSION, _("profession")),
]


class Alias(OfHospital):
    """Another word for an entity. Within a kind and a language, a text means one entity."""

    is_carried: ClassVar[bool] = True

    entity = models.ForeignKey(
        Entity, models.CASCADE, verbose_name=_("entity"), related_name="aliases"
    )
    entity_kind = models.CharField(_("kind"), max_length=20, choices=kind_choices, editable=False)
    text = models.CharField(_("word or phrase"), max_length=200)
    folded = models.CharField(max_length=220, editable=False)
    language = models.CharField(
        _("language"), max_length=2, choices=Language.choices, default=Language.NL
    )
    kind = models.CharField(
        _("sort"), max_length=12, choices=ALIAS_KINDS, default=AliasKind.SYNONYM
    )
    position = models.PositiveIntegerField(_("position"), default=0, editable=False)

    class Meta:
        verbose_name = _("alias")
        verbose_name_plural = _("aliases")
        ordering = ["position", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["hospital", "language", "folded", "entity_kind"],
                name="alias_means_one_thing",
                violation_error_message=_(
                    "Another entity of this kind already has this alias: choose another word."
                ),
            )
        ]

    def __str__(self) -> str:
        return self.text

    def complete(self) -> None:
        """Fill in the fields that follow from the text and the entity."""
        self.text = squash(self.text)
        self.folded = fold(self.text)
        self.hospital_id = self.entity.hospital_id
        self.entity_kind = self.entity.kind

    def clean(self) -> None:
        if self.entity_id:
            self.complete()

    def validate_constraints(self, exclude: Any = None) -> None:
        """Refuse a text that is an alias already, and name its entity."""
        if "folded" not in (exclude or ()):
            same = {name: getattr(self, name) for name in ("language", "folded", "entity_kind")}
            rows = Alias.objects.filter(**same, hospital_id=self.hospital_id).exclude(pk=self.pk)
            if other := rows.select_related("entity").first():
                params = {"text": self.text, "entity": other.entity}
                raise ValidationError(_("“%(text)s” already means “%(entity)s”."), params=params)
        super().validate_constraints(exclude)

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.complete()
        super().save(*args, **kwargs)


def allowed_triples() -> Q:
    condition = Q()
    for predicate, pairs in ALLOWED.items():
        for subject, target in sorted(pairs):
            condition |= Q(
                predicate=str(predicate), subject_kind=str(subject), object_kind=str(target)
            )
    return condition


class Relation(OfHospital):
    """A relation between two entities: a doctor WORKS_IN a department."""

    is_carried: ClassVar[bool] = True

    class Origin(models.TextChoices):
        COLUMN = "column", _("in the row of the entity")
        LIST = "list", _("in the list of other words")

    predicate = models.CharField(_("relation"), max_length=20, choices=PREDICATES)
    subject = models.ForeignKey(
        Entity, models.CASCADE, verbose_name=_("subject"), related_name="relations"
    )
    object = models.ForeignKey(
        Entity, models.CASCADE, verbose_name=_("object"), related_name="inverse_relations"
    )
    subject_kind = models.CharField(max_length=20, choices=kind_choices, editable=False)
    object_kind = models.CharField(max_length=20, choices=kind_choices, editable=False)
    origin = models.CharField(
        max_length=10, choices=Origin.choices, default=Origin.COLUMN, editable=False
    )
    position = models.PositiveIntegerField(_("position"), default=0, editable=False)

    class Meta:
        verbose_name = _("relation")
        verbose_name_plural = _("relations")
        ordering = ["position", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["hospital", "predicate", "subject", "object"], name="relation_once"
            ),
            models.CheckConstraint(condition=allowed_triples(), name="relation_makes_sense"),
        ]
        indexes = [models.Index(fields=["object", "predicate"], name="relation_inverse")]

    def __str__(self) -> str:
        return f"{self.subject} {self.predicate} {self.object}"

    def complete(self) -> None:
        """Fill in the fields that follow from the two entities."""
        self.hospital_id = self.subject.hospital_id
        self.subject_kind = self.subject.kind
        self.object_kind = self.object.kind

    def clean(self) -> None:
        if not (self.subject_id and self.object_id and self.predicate):
            return
        self.complete()
        pair = (Kind(self.subject_kind), Kind(self.object_kind))
        if pair not in ALLOWED[Predicate(self.predicate)]:
            raise ValidationError(
                _(
                    "The relation “%(predicate)s” cannot join a %(subject)s and a "
                    "%(object)s: choose another."
                ),
                params={"predicate": self.predicate, "subject": pair[0], "object": pair[1]},
            )

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.complete()
        super().save(*args, **kwargs)


def need_choices() -> list[tuple[str, str]]:
    """Return every need with its name in the reader's language."""
    language = (get_language() or "nl")[:2]
    return [(key, needs.name(key, language)) for key in needs.kinds()]


def fact_context(hospital: Hospital) -> FactContext:
    """Return the context in which the facts of a hospital are validated."""
    campuses = Campus.objects.filter(hospital=hospital).values_list("key", flat=True)
    return FactContext(hospital.country, hospital.default_language, frozenset(campuses))


class Fact(VersionedRow):
    """A value that answers a need, for a subject, under conditions."""

    identity = ("need", "subject__key", "conditions", "valid_from")

    need = models.CharField(_("kind of question"), max_length=40, choices=need_choices)
    subject = models.ForeignKey(
        Entity, models.CASCADE, null=True, blank=True, verbose_name=_("subject"),
        related_name="facts", help_text=_("If empty, this is about the whole hospital."),
    )  # fmt: skip
    conditions = models.JSONField(_("conditions"), default=dict, blank=True)
    #: One line, serialised by the kind of value (taxonomy/facts/parts.py).
    value = models.TextField(_("value"))
    source = models.CharField(
        _("source page"), max_length=300, blank=True,
        help_text=_("Path of the page that says this, such as praktisch/bezoekuren.html."),
    )  # fmt: skip
    sentence = models.TextField(
        _("sentence"), blank=True,
        help_text=_("Copy the sentence from that page. The list shows when it is no "
                    "longer there."),
    )  # fmt: skip
    valid_from = models.DateField(_("valid from"), null=True, blank=True)
    valid_to = models.DateField(_("valid until"), null=True, blank=True)
    #: Position in the hospital pack; 0 for facts that staff made.
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
                    "There is already a fact for this kind of question and subject, under"
                    " these conditions."
                ),
            )
        ]

    def __str__(self) -> str:
        name = dict(need_choices()).get(self.need, self.need)
        about = [name, str(self.subject) if self.subject_id else "", *self.conditions.values()]
        return " · ".join(filter(None, map(str, about)))

    @classmethod
    def published_fields(cls) -> tuple[str, ...]:
        """Return the fields to publish; versions refer to the subject by kind and key."""
        return (
            "need", "subject__kind", "subject__key", "conditions", "value", "source", "sentence",
            "valid_from", "valid_to",
        )  # fmt: skip

    @property
    def read(self) -> Value | None:
        """The parsed value; None where it cannot be parsed."""
        try:
            kind = needs.kinds()[self.need]
            return read_value(self.value, kind, self.hospital.default_language)
        except (WrongValue, KeyError):
            return None

    def printed(self, language: str) -> str:
        """Return the value as patients read it."""
        value = self.read
        return (
            format_value(value, language, own=self.hospital.default_language)
            if value
            else self.value
        )

    def clean(self) -> None:
        """Normalise the row; report a mistake under its field."""
        super().clean()
        cells: dict[str, Any] = {
            "need": self.need, "conditions": self.conditions, "value": self.value,
            "valid_from": self.valid_from, "valid_to": self.valid_to,
        }  # fmt: skip
        try:
            record = read_record(cells, fact_context(self.hospital))
        except WrongPart as error:
            raise ValidationError({error.name or "value": refused(error)}) from error
        self.need, self.value = record.need, record.line
        self.conditions = record.conditions.data()
        self.valid_from, self.valid_to = record.valid_from, record.valid_to
