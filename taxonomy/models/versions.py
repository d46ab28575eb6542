"""Versions: immutable copies from which patients are answered, once one is live.

A version is made when a release is submitted, or at a hospital's first publication. Its number is
never used again, also when the release is rejected.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class Version(models.Model):
    """One state of everything that a release carries. Written once, activated at will."""

    hospital = models.ForeignKey("zol.Hospital", models.CASCADE, related_name="+")
    number = models.PositiveIntegerField(_("number"))
    note = models.CharField(_("what changed"), max_length=500, blank=True)
    created_at = models.DateTimeField(_("published at"), auto_now_add=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        verbose_name=_("published by"),
        related_name="+",
    )

    #: The digest of the content, and the last edit of the draft that it contains.
    fingerprint = models.CharField(max_length=64, blank=True, editable=False)
    #: The digest of each set of rows, by its name (`RowSet`).
    digests = models.JSONField(default=dict, editable=False)
    last_edit = models.BigIntegerField(default=0, editable=False)

    class Meta:
        verbose_name = _("published version")
        verbose_name_plural = _("published versions")
        ordering = ["-number"]
        constraints = [
            models.UniqueConstraint(fields=["hospital", "number"], name="version_number_once")
        ]

    def __str__(self) -> str:
        return f"v{self.number}"


class LivePointer(models.Model):
    """The version that patients of a hospital are answered from."""

    hospital = models.OneToOneField("zol.Hospital", models.CASCADE, related_name="+")
    version = models.ForeignKey(Version, models.PROTECT, related_name="+")
    activated_at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return str(self.version)


class PublishedEntity(models.Model):
    """An entity as it was published; `data` holds its fields and aliases as plain values."""

    hospital = models.ForeignKey("zol.Hospital", models.CASCADE, related_name="+")
    version = models.ForeignKey(Version, models.CASCADE, related_name="entities")
    kind = models.CharField(max_length=20)
    key = models.CharField(max_length=120)
    name = models.CharField(max_length=200)
    data = models.JSONField()
    position = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name = _("published entity")
        verbose_name_plural = _("published entities")
        ordering = ["kind", "position", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["version", "kind", "key"], name="published_entity_once")
        ]

    def __str__(self) -> str:
        return self.name


class PublishedRelation(models.Model):
    """A relation as it was published; both ends are published entities of the same version."""

    hospital = models.ForeignKey("zol.Hospital", models.CASCADE, related_name="+")
    version = models.ForeignKey(Version, models.CASCADE, related_name="relations")
    predicate = models.CharField(max_length=20)
    subject = models.ForeignKey(PublishedEntity, models.CASCADE, related_name="+")
    object = models.ForeignKey(PublishedEntity, models.CASCADE, related_name="+")
    position = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name = _("published relation")
        verbose_name_plural = _("published relations")
        ordering = ["position", "pk"]

    def __str__(self) -> str:
        return f"{self.subject_id} {self.predicate} {self.object_id}"


class RowSet(models.Model):
    """The rows of one set, in order, kept once however many versions have them.

    Sets that are as the product comes belong to no hospital: all read the one copy.
    """

    hospital = models.ForeignKey("zol.Hospital", models.CASCADE, null=True, related_name="+")
    row_set = models.CharField(max_length=80)
    digest = models.CharField(max_length=64)
    rows = models.JSONField()

    class Meta:
        verbose_name = _("published row set")
        verbose_name_plural = _("published row sets")
        constraints = [
            models.UniqueConstraint(
                fields=["hospital", "row_set", "digest"], name="row_set_once", nulls_distinct=False
            )
        ]

    def __str__(self) -> str:
        return self.row_set
