"""The audit trail: who edited the draft, and every step that staff took.

Database triggers record edits; every table that releases carry gets them after each migration, so
that no code path is missed. Services write audit log entries with `record`; sign-ins and edits in
admin pages are recorded through Django's signals.
"""

from __future__ import annotations

from typing import Any

from axes.signals import user_locked_out
from django.conf import settings
from django.contrib.admin.models import ADDITION, CHANGE, LogEntry
from django.contrib.auth.signals import user_logged_in, user_logged_out, user_login_failed
from django.contrib.postgres.fields import ArrayField
from django.db import connections, models
from django.db.models.functions import Now
from django.db.models.signals import post_migrate, post_save
from django.utils.translation import gettext_lazy as _

from zol.records.versioned import carried_models
from zol.tenancy import current_hospital_id, required_hospital_id


def account(title: Any, on_delete: Any = models.SET_NULL, **options: Any) -> Any:
    """Return an optional foreign key to an account."""
    return models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete, null=True, verbose_name=title, related_name="+",
        **options,
    )  # fmt: skip


class Edit(models.Model):
    """An edit of draft rows by one statement."""

    class Action(models.TextChoices):
        INSERT = "INSERT", _("added")
        UPDATE = "UPDATE", _("changed")
        DELETE = "DELETE", _("removed")

    #: Without a constraint, as removing a hospital records a last edit.
    hospital = models.ForeignKey(
        "zol.Hospital", models.DO_NOTHING, db_constraint=False, related_name="+"
    )
    row_set = models.CharField(_("what"), max_length=80)
    rows = ArrayField(models.BigIntegerField(), verbose_name=_("rows"))
    action = models.CharField(_("action"), max_length=6, choices=Action.choices)
    by = account(_("by"), models.PROTECT)
    at = models.DateTimeField(_("when"), db_default=Now())

    class Meta:
        verbose_name = _("edit")
        verbose_name_plural = _("edits")
        ordering = ["-pk"]
        indexes = [models.Index(fields=["hospital", "id"], name="edits_since")]

    def __str__(self) -> str:
        return f"{self.action} {self.row_set}"


class AuditEntry(models.Model):
    """A step: who, when, what, from, to, why. Nobody can change or delete an entry."""

    class What(models.TextChoices):
        OPENED = "release.opened", _("release opened")
        CHANGED = "release.changed", _("release description changed")
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
        SIGN_IN_LOCKED = "staff.sign_in_locked", _("sign-in locked for a while")
        ROW_ADDED = "row.added", _("row added")
        ROW_CHANGED = "row.changed", _("row changed")
        ROW_DELETED = "row.deleted", _("row deleted")
        EXPORTED = "rows.exported", _("list exported")
        ERASED = "conversations.erased", _("conversations erased")

    hospital = models.ForeignKey("zol.Hospital", models.CASCADE, related_name="+")
    at = models.DateTimeField(_("when"), auto_now_add=True, db_index=True)
    by = account(_("account"), models.PROTECT)
    who = models.CharField(_("who"), max_length=150, blank=True)
    what = models.CharField(_("what"), max_length=30, choices=What.choices)
    subject = models.CharField(_("about"), max_length=300, blank=True)
    before = models.CharField(_("old value"), max_length=300, blank=True)
    after = models.CharField(_("new value"), max_length=300, blank=True)
    why = models.TextField(_("why"), blank=True)

    class Meta:
        verbose_name = _("audit log entry")
        verbose_name_plural = _("audit log")
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.who} {self.what} {self.subject}"


def record(what: AuditEntry.What, subject: Any, *, by: Any = None, **more: Any) -> AuditEntry:
    """Write an entry to the audit log of the served hospital: `before`, `after`, `why`, `who`."""
    values = {name: str(value)[:300] for name, value in more.items() if name != "why"}
    return AuditEntry.objects.create(
        hospital_id=required_hospital_id(),
        by=by,
        what=what,
        subject=str(subject)[:300],
        why=str(more.get("why", "")),
        **{"who": (by.get_username() if by else "")} | values,
    )


What = AuditEntry.What
TRIGGER = """
CREATE OR REPLACE TRIGGER edited_by_{event} AFTER {event} ON {table}
REFERENCING {rows} FOR EACH STATEMENT EXECUTE FUNCTION zol_record_edit('{label}', '{key}')
"""
EVENTS = {
    "insert": "NEW TABLE AS new_rows",
    "update": "OLD TABLE AS old_rows NEW TABLE AS new_rows",
    "delete": "OLD TABLE AS old_rows",
}


def watch() -> None:
    """Connect all signals; called once, when the applications are ready."""
    post_migrate.connect(watch_tables, dispatch_uid="zol.watch_tables")
    post_save.connect(_row_edited, sender=LogEntry, dispatch_uid="zol.row_edited")
    user_logged_in.connect(_signed_in, dispatch_uid="zol.signed_in")
    user_logged_out.connect(_signed_out, dispatch_uid="zol.signed_out")
    user_login_failed.connect(_sign_in_failed, dispatch_uid="zol.sign_in_failed")
    user_locked_out.connect(_sign_in_locked, dispatch_uid="zol.sign_in_locked")


def watch_tables(app_config: Any, using: str, **kwargs: Any) -> None:
    """Create the triggers that record edits, for every carried table of an application."""
    models = [m for m in carried_models() if m._meta.app_label == app_config.label]
    with connections[using].cursor() as cursor:
        known = set(connections[using].introspection.table_names(cursor))
        for model in models:
            table, key = model._meta.db_table, model._meta.pk
            if table not in known:
                continue
            for event, rows in EVENTS.items():
                label = str(model._meta.label_lower)
                cursor.execute(
                    TRIGGER.format(event=event, table=table, rows=rows, label=label, key=key.column)
                )


def _row_edited(instance: LogEntry, created: bool, **kwargs: Any) -> None:  # noqa: FBT001 (Django's)
    if not (created and current_hospital_id()):
        return
    flags = {ADDITION: What.ROW_ADDED, CHANGE: What.ROW_CHANGED}
    record(
        flags.get(instance.action_flag, What.ROW_DELETED),
        f"{instance.content_type}: {instance.object_repr}",
        by=instance.user,
        after=instance.get_change_message(),
    )


def _signed_in(sender: Any, user: Any, **kwargs: Any) -> None:
    if current_hospital_id():
        record(What.SIGNED_IN, "", by=user)


def _signed_out(sender: Any, user: Any, **kwargs: Any) -> None:
    if current_hospital_id() and user is not None:
        record(What.SIGNED_OUT, "", by=user)


def _sign_in_failed(sender: Any, credentials: dict[str, Any], **kwargs: Any) -> None:
    if current_hospital_id():
        record(What.SIGN_IN_FAILED, "", who=str(credentials.get("username", ""))[:150])


def _sign_in_locked(sender: Any, username: str, **kwargs: Any) -> None:
    if current_hospital_id():
        record(What.SIGN_IN_LOCKED, "", who=str(username)[:150])
