"""Other words for entities, and how entities relate."""

from __future__ import annotations

from typing import Any, ClassVar

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from taxonomy.kinds import ALLOWED, AliasKind, Kind, Predicate
from taxonomy.models.entities import KINDS, Entity
from zol.languages import Language
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


class Alias(models.Model):
    """Another word for an entity. One text means one thing of a kind, in a language."""

    is_carried: ClassVar[bool] = True

    hospital = models.ForeignKey(
        "zol.Hospital", models.CASCADE, editable=False, verbose_name=_("hospital"), related_name="+"
    )
    entity = models.ForeignKey(
        Entity, models.CASCADE, verbose_name=_("entity"), related_name="aliases"
    )
    entity_kind = models.CharField(_("kind"), max_length=20, choices=KINDS, editable=False)
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
                violation_error_message=_("Another entity of this kind already has this alias."),
            )
        ]

    def __str__(self) -> str:
        return self.text

    def complete(self) -> None:
        """Fill in what follows from the text and the entity."""
        self.text = squash(self.text)
        self.folded = fold(self.text)
        self.hospital_id = self.entity.hospital_id
        self.entity_kind = self.entity.kind

    def clean(self) -> None:
        if self.entity_id:
            self.complete()

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


class Relation(models.Model):
    """A fact that joins two entities: a doctor WORKS_IN a department."""

    is_carried: ClassVar[bool] = True

    class Origin(models.TextChoices):
        COLUMN = "column", _("with the entity")
        LIST = "list", _("listed separately")

    hospital = models.ForeignKey(
        "zol.Hospital", models.CASCADE, editable=False, verbose_name=_("hospital"), related_name="+"
    )
    predicate = models.CharField(_("relation"), max_length=20, choices=PREDICATES)
    subject = models.ForeignKey(
        Entity, models.CASCADE, verbose_name=_("subject"), related_name="relations"
    )
    object = models.ForeignKey(
        Entity, models.CASCADE, verbose_name=_("object"), related_name="inverse_relations"
    )
    subject_kind = models.CharField(max_length=20, choices=KINDS, editable=False)
    object_kind = models.CharField(max_length=20, choices=KINDS, editable=False)
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
        """Fill in what follows from the two entities."""
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
                _("%(predicate)s cannot join a %(subject)s and a %(object)s."),
                params={"predicate": self.predicate, "subject": pair[0], "object": pair[1]},
            )

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.complete()
        super().save(*args, **kwargs)
