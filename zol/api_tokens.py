"""Keys with which the hospital's own tools call the staff API as a member of the staff.

A key opens one hospital and carries its owner's roles there. Only its digest is kept.
"""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _
from knox.models import AbstractAuthToken
from knox.settings import CONSTANTS

from zol.tenancy import required_hospital_id


class ApiToken(AbstractAuthToken):  # type: ignore[misc]
    """A key to the staff API, shown once when it is made."""

    #: Letters by which a key is found and recognised; knox keeps as many.
    SHOWN: ClassVar[int] = CONSTANTS.TOKEN_KEY_LENGTH

    hospital = models.ForeignKey(
        "zol.Hospital", models.CASCADE, editable=False, default=required_hospital_id,
        related_name="+",
    )  # fmt: skip
    name = models.CharField(
        _("name"), max_length=100, help_text=_("What the key is for: “nightly export”.")
    )

    class Meta:
        verbose_name = _("API key")
        verbose_name_plural = _("API keys")
        ordering = ["-created"]

    def __str__(self) -> str:
        return f"{self.name} ({self.token_key[:6]}…)"
