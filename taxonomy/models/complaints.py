"""Where a complaint leads: from what hurts to the specialty that looks at it."""

from __future__ import annotations

from pathlib import Path

from django.db import models
from django.utils.translation import gettext_lazy as _

from zol.versioned import VersionedRow

DEFAULTS = Path(__file__).parent.parent / "defaults"


class ComplaintRoute(VersionedRow):
    """A complaint or part of the body, and a specialty that helps with it: two lexicon concepts.

    Which department that is, each hospital's own taxonomy says.
    """

    defaults = DEFAULTS / "complaint_routes.csv"
    identity = ("complaint", "specialty")

    complaint = models.CharField(
        _("complaint or part of the body"), max_length=80,
        help_text=_("A concept of the lexicon, such as “earache” or “ear”."),
    )  # fmt: skip
    specialty = models.CharField(
        _("specialty"), max_length=80,
        help_text=_("A concept of the lexicon, such as “ent”: the hospital's department is named."),
    )  # fmt: skip
    weight = models.FloatField(
        _("weight"), default=1.0,
        help_text=_("Of several complaints in one question the weights are added up."),
    )  # fmt: skip

    class Meta:
        verbose_name = _("route of a complaint")
        verbose_name_plural = _("routes of complaints")
        ordering = ["complaint", "-weight"]
        constraints = [
            models.UniqueConstraint(
                fields=["hospital", "complaint", "specialty"], name="complaint_route_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.complaint} → {self.specialty}"
