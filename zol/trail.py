"""What happened, written once: who edited the draft, and every step that staff took.

Edits are written by triggers of the database (zol/watching.py), so that no route is forgotten.
Entries of the audit log are written by the services that do the thing, through `record`.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from zol.tenancy import required_hospital_id


class Edit(models.Model):
    """Somebody changed rows of the draft in one statement."""

    class Action(models.TextChoices):
        INSERT = "INSERT", _("added")
        UPDATE = "UPDATE", _("changed")
        DELETE = "DELETE", _("removed")

    #: Without a constraint: a hospital that is removed leaves its last edit behind.
    hospital = models.ForeignKey(
        "zol.Hospital", models.DO_NOTHING, db_constraint=False, related_name="+"
    )
    row_set = models.CharField(_("what"), max_length=80)
    rows = ArrayField(models.BigIntegerField(), verbose_name=_("rows"))
    action = models.CharField(_("action"), max_length=6, choices=Action.choices)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        verbose_name=_("by"),
        related_name="+",
    )
    at = models.DateTimeField(_("at"), db_default=Now())

    class Meta:
        verbose_name = _("edit")
        verbose_name_plural = _("edits")
        ordering = ["-pk"]
        indexes = [models.Index(fields=["hospital", "id"], name="edits_since")]

    def __str__(self) -> str:
        return f"{self.action} {self.row_set}"


class AuditEntry(models.Model):
    """One step: who, when, what, from, to, why. Neither changed nor deleted, by anybody."""

    class What(models.TextChoices):
        OPENED = "release.opened", _("release opened")
        CHANGED = "release.changed", _("release described anew")
        SUBMITTED = "release.submitted", _("release submitted")
        WITHDRAWN = "release.withdrawn", _("release taken back")
        APPROVED = "release.approved", _("release approved")
        REJECTED = "release.rejected", _("release rejected")
        SCHEDULED = "release.scheduled", _("go-live scheduled")
        UNSCHEDULED = "release.unscheduled", _("schedule cancelled")
        REFUSED = "release.refused", _("scheduled go-live refused")
        COMMENTED = "release.commented", _("comment")
        PREVIEWED = "release.previewed", _("impact preview")
        PUBLISHED = "version.published", _("published")
        ACTIVATED = "version.activated", _("earlier version activated")
        SIGNED_IN = "staff.signed_in", _("signed in")
        SIGNED_OUT = "staff.signed_out", _("signed out")
        SIGN_IN_FAILED = "staff.sign_in_failed", _("sign-in failed")
        SIGN_IN_LOCKED = "staff.sign_in_locked", _("sign-in closed for a while")
        ROW_ADDED = "row.added", _("row added")
        ROW_CHANGED = "row.changed", _("row changed")
        ROW_DELETED = "row.deleted", _("row deleted")
        EXPORTED = "rows.exported", _("list exported")

    hospital = models.ForeignKey("zol.Hospital", models.CASCADE, related_name="+")
    at = models.DateTimeField(_("when"), auto_now_add=True, db_index=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        verbose_name=_("account"),
        related_name="+",
    )
    who = models.CharField(_("who"), max_length=150, blank=True)
    what = models.CharField(_("what"), max_length=30, choices=What.choices)
    subject = models.CharField(_("about"), max_length=300, blank=True)
    before = models.CharField(_("from"), max_length=300, blank=True)
    after = models.CharField(_("to"), max_length=300, blank=True)
    why = models.TextField(_("why"), blank=True)

    class Meta:
        verbose_name = _("audit log entry")
        verbose_name_plural = _("audit log")
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.who} {self.what} {self.subject}"


def record(what: AuditEntry.What, subject: Any, *, by: Any = None, **more: Any) -> AuditEntry:
    """Write a step into the audit log of the served hospital: `before`, `after`, `why`, `who`."""
    values = {name: str(value)[:300] for name, value in more.items() if name != "why"}
    return AuditEntry.objects.create(
        hospital_id=required_hospital_id(),
        by=by,
        what=what,
        subject=str(subject)[:300],
        why=str(more.get("why", "")),
        **{"who": (by.get_username() if by else "")} | values,
    )
