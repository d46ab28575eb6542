"""Hospitals with their host names, networks, staff and keys."""

from __future__ import annotations

import secrets
from functools import partial
from typing import Any, ClassVar

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.core.exceptions import ImproperlyConfigured, ValidationError
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _
from knox.models import AbstractAuthToken
from knox.settings import CONSTANTS

from zol.access.visitors import networks
from zol.languages import LANGUAGES, Language
from zol.records.audit import AuditEntry, Edit, account
from zol.records.refusals import refuse_changes
from zol.records.values import check_country, check_phone
from zol.records.versioned import DefaultOverride, DefaultSet, newest_editions
from zol.tenancy import required_hospital_id

#: Telephone numbers of a hospital.
PHONES = ("phone", "emergency_phone", "helpdesk_phone", "out_of_hours_phone")


def check_network(text: str) -> None:
    """Refuse an invalid network, the whole internet, and IPv6 networks smaller than /64."""
    try:
        (found,) = networks((text,))
    except ImproperlyConfigured:
        found = None
    if found is None or not 0 < found.prefixlen <= (64 if found.version == 6 else 32):
        raise ValidationError(
            _(
                "“%(text)s” is not a network: write it like 203.0.113.7, 203.0.113.0/28 or "
                "2001:db8:1::/48."
            ),
            params={"text": text},
        )


def every_language() -> list[str]:
    return list(LANGUAGES)


class Hospital(models.Model):
    """A hospital served from this database."""

    is_carried: ClassVar[bool] = True

    slug = models.SlugField(_("key"), unique=True)
    name = models.CharField(_("name"), max_length=200)
    short_name = models.CharField(
        _("short name"), max_length=60, help_text=_("Used in every text and template: “ZOL”.")
    )
    default_language = models.CharField(
        _("content language"), max_length=2, choices=Language.choices, default=Language.NL
    )
    languages = ArrayField(
        models.CharField(max_length=2, choices=Language.choices),
        verbose_name=_("offered languages"),
        default=every_language,
    )
    phone = models.CharField(_("telephone"), max_length=40, blank=True)
    phone_hours = models.CharField(
        _("telephone hours"),
        max_length=100,
        blank=True,
        help_text=_(
            "Hours when somebody answers the general number; write them like the "
            "hours of a department."
        ),
    )
    emergency_phone = models.CharField(_("emergency number"), max_length=40, default="112")
    helpdesk_phone = models.CharField(_("help desk"), max_length=40, blank=True)
    out_of_hours_phone = models.CharField(_("out-of-hours doctor"), max_length=40, blank=True)
    country = models.CharField(_("country"), max_length=2, default="be")
    website = models.URLField(_("website"), blank=True)
    address = models.CharField(_("address"), max_length=200, blank=True)
    #: Edition of each set of default rows in force here (zol/records/versioned.py).
    defaults_edition = models.JSONField(default=dict, editable=False)

    class Meta:
        verbose_name = _("hospital")
        verbose_name_plural = _("hospitals")
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name

    def save(self, **options: Any) -> None:
        """Save the hospital; a new one gets the newest default rows."""
        if self._state.adding:
            self.defaults_edition = newest_editions()
        super().save(**options)

    def clean(self) -> None:
        """Refuse an unknown country, and telephone numbers that cannot be dialled there."""
        super().clean()
        check = partial(check_phone, country=self.country)
        phones = [(field, check) for field in PHONES]
        refuse_changes(self, [("country", check_country), *phones])


class HospitalHost(models.Model):
    """A host name by which visitors reach a hospital."""

    hospital = models.ForeignKey(Hospital, models.CASCADE, related_name="hosts")
    host = models.CharField(_("host name"), max_length=253, unique=True)

    class Meta:
        verbose_name = _("host name")
        verbose_name_plural = _("host names")
        ordering = ["pk"]

    def __str__(self) -> str:
        return self.host


def new_widget_key() -> str:
    return secrets.token_urlsafe(18)


class WidgetKey(models.Model):
    """A public key with which the site of a hospital embeds the chat."""

    hospital = models.ForeignKey(Hospital, models.CASCADE, related_name="widget_keys")
    key = models.CharField(_("public key"), max_length=40, unique=True, default=new_widget_key)
    origins = ArrayField(
        models.CharField(max_length=253),
        verbose_name=_("allowed origins"),
        default=list,
        blank=True,
        help_text=_("Websites that may show the chat, for example https://www.example.org"),
    )
    is_active = models.BooleanField(_("in use"), default=True)

    class Meta:
        verbose_name = _("widget key")
        verbose_name_plural = _("widget keys")
        ordering = ["pk"]

    def __str__(self) -> str:
        return self.key


class OwnNetwork(models.Model):
    """A network of the hospital itself, in which many visitors share an address."""

    hospital = models.ForeignKey(
        Hospital, models.CASCADE, editable=False, default=required_hospital_id, related_name="+"
    )
    network = models.CharField(
        _("network"),
        max_length=43,
        validators=[check_network],
        help_text=_(
            "Address (203.0.113.7) or network (203.0.113.0/28, 2001:db8:1::/48) as the "
            "internet sees it; ask IT."
        ),
    )
    place = models.CharField(
        _("place"), max_length=100, blank=True, help_text=_("For example: waiting rooms, wards.")
    )

    class Meta:
        verbose_name = _("network of the hospital")
        verbose_name_plural = _("networks of the hospital")
        ordering = ["network"]
        constraints = [models.UniqueConstraint(fields=["hospital", "network"], name="network_once")]

    def __str__(self) -> str:
        return self.network


class Role(models.TextChoices):
    """Role of a member of staff; permissions follow from it (zol/access/roles.py)."""

    CURATOR = "curator", _("curator")
    OPERATOR = "operator", _("operator")
    QUALITY = "quality", _("quality officer")
    ANALYST = "analyst", _("analyst")
    IT = "it", _("IT")


class Membership(models.Model):
    """A role of a user at a hospital."""

    hospital = models.ForeignKey(Hospital, models.CASCADE, related_name="memberships")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="memberships")
    role = models.CharField(_("role"), max_length=20, choices=Role.choices)

    class Meta:
        verbose_name = _("membership")
        verbose_name_plural = _("memberships")
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["hospital", "user", "role"], name="one_role_once")
        ]

    def __str__(self) -> str:
        return f"{self.user} · {self.get_role_display()}"


class GoneRow(models.Model):
    """A row or setting of a hospital that a new version removed.

    The migration that removes it stores it here, for staff to download and read.
    """

    hospital = models.ForeignKey(Hospital, models.CASCADE, related_name="+")
    #: The row set, such as `retrieval.retrievalsetting`.
    row_set = models.CharField(_("kind"), max_length=80)
    values = models.JSONField(_("values"))
    gone_at = models.DateTimeField(_("removed"), db_default=Now())
    read_by = account(_("read by"), models.PROTECT)
    read_at = models.DateTimeField(_("read"), null=True)

    class Meta:
        verbose_name = _("removed row")
        verbose_name_plural = _("removed rows and settings")
        ordering = ["row_set", "pk"]

    def __str__(self) -> str:
        return " · ".join(f"{name}: {value}" for name, value in self.values.items())


class ApiToken(AbstractAuthToken):  # type: ignore[misc]
    """A key for the staff API, shown once when it is made; only its digest is stored.

    It gives access to one hospital, with the roles of its owner there.
    """

    #: Length of the stored beginning of a key, by which knox finds it.
    SHOWN: ClassVar[int] = CONSTANTS.TOKEN_KEY_LENGTH

    hospital = models.ForeignKey(
        "zol.Hospital", models.CASCADE, editable=False, default=required_hospital_id,
        related_name="+",
    )  # fmt: skip
    name = models.CharField(
        _("name"), max_length=100, help_text=_("Purpose of the key, such as “nightly export”.")
    )

    class Meta:
        verbose_name = _("API key")
        verbose_name_plural = _("API keys")
        ordering = ["-created"]

    def __str__(self) -> str:
        return f"{self.name} ({self.token_key[:6]}…)"
