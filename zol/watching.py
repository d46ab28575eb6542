"""What is written down without anybody having to think of it.

After every migration each carried table gets triggers that record edits, so a new kind of versioned
row is watched from its first day. Signing in and changes by the pages of rows are heard of by
Django's own signals.
"""

from __future__ import annotations

from typing import Any

from axes.signals import user_locked_out
from django.contrib.admin.models import ADDITION, CHANGE, LogEntry
from django.contrib.auth.signals import user_logged_in, user_logged_out, user_login_failed
from django.db import connections
from django.db.models.signals import post_migrate, post_save

from zol.tenancy import current_hospital_id
from zol.trail import AuditEntry, record
from zol.versioned import carried_models

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
    """Connect everything; called once, when the applications are ready."""
    post_migrate.connect(watch_tables, dispatch_uid="zol.watch_tables")
    post_save.connect(_row_edited, sender=LogEntry, dispatch_uid="zol.row_edited")
    user_logged_in.connect(_signed_in, dispatch_uid="zol.signed_in")
    user_logged_out.connect(_signed_out, dispatch_uid="zol.signed_out")
    user_login_failed.connect(_sign_in_failed, dispatch_uid="zol.sign_in_failed")
    user_locked_out.connect(_sign_in_locked, dispatch_uid="zol.sign_in_locked")


def watch_tables(app_config: Any, using: str, **kwargs: Any) -> None:
    """Have the database record edits of every carried table of an application."""
    models = [m for m in carried_models() if m._meta.app_label == app_config.label]
    with connections[using].cursor() as cursor:
        known = set(connections[using].introspection.table_names(cursor))
        for model in models:
            table, key = model._meta.db_table, model._meta.pk
            if table not in known or not _can_record(cursor):
                continue
            for event, rows in EVENTS.items():
                label = str(model._meta.label_lower)
                cursor.execute(
                    TRIGGER.format(event=event, table=table, rows=rows, label=label, key=key.column)
                )


def _can_record(cursor: Any) -> bool:
    """Whether the function is there: not while migrating back to before it."""
    cursor.execute("SELECT 1 FROM pg_proc WHERE proname = 'zol_record_edit'")
    return cursor.fetchone() is not None


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
