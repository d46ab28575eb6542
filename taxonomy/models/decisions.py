"""What is proposed to staff, and what they decided: the same for every queue."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class Decidable(models.Model):
    """Something that a machine proposes; nothing happens until a person accepts it."""

    class Status(models.TextChoices):
        OPEN = "open", _("to decide")
        ACCEPTED = "accepted", _("accepted")
        REJECTED = "rejected", _("rejected")

    hospital = models.ForeignKey(
        "zol.Hospital", models.CASCADE, editable=False, verbose_name=_("hospital"), related_name="+"
    )
    status = models.CharField(
        _("status"), max_length=10, choices=Status.choices, default=Status.OPEN
    )
    #: What became of it, for whoever looks back: aliases made, collisions.
    outcome = models.TextField(_("outcome"), blank=True)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        blank=True,
        verbose_name=_("decided by"),
        related_name="+",
    )
    decided_at = models.DateTimeField(_("decided at"), null=True, blank=True)

    class Meta:
        abstract = True

    @property
    def is_open(self) -> bool:
        return self.status == self.Status.OPEN
