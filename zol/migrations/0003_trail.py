"""Edits of the draft, recorded by the database; and the audit log, written once."""

import django.contrib.postgres.fields
import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

from zol.postgres.locks import RECORD_EDIT
from zol.postgres.operations import HospitalRows, WrittenOnce


class Migration(migrations.Migration):
    dependencies = [
        ("zol", "0002_row_security"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="AuditEntry",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("at", models.DateTimeField(auto_now_add=True, db_index=True, verbose_name="when")),
                ("who", models.CharField(blank=True, max_length=150, verbose_name="who")),
                (
                    "what",
                    models.CharField(
                        choices=[
                            ("release.opened", "release opened"),
                            ("release.changed", "release described anew"),
                            ("release.submitted", "release submitted"),
                            ("release.withdrawn", "release taken back"),
                            ("release.approved", "release approved"),
                            ("release.rejected", "release rejected"),
                            ("release.scheduled", "go-live scheduled"),
                            ("release.unscheduled", "schedule cancelled"),
                            ("release.refused", "scheduled go-live refused"),
                            ("release.commented", "comment"),
                            ("release.previewed", "impact preview"),
                            ("version.published", "published"),
                            ("version.activated", "earlier version activated"),
                            ("staff.signed_in", "signed in"),
                            ("staff.signed_out", "signed out"),
                            ("staff.sign_in_failed", "sign-in failed"),
                            ("row.added", "row added"),
                            ("row.changed", "row changed"),
                            ("row.deleted", "row deleted"),
                        ],
                        max_length=30,
                        verbose_name="what",
                    ),
                ),
                ("subject", models.CharField(blank=True, max_length=300, verbose_name="about")),
                ("before", models.CharField(blank=True, max_length=300, verbose_name="from")),
                ("after", models.CharField(blank=True, max_length=300, verbose_name="to")),
                ("why", models.TextField(blank=True, verbose_name="why")),
                (
                    "by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="account",
                    ),
                ),
                (
                    "hospital",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="zol.hospital",
                    ),
                ),
            ],
            options={
                "verbose_name": "audit log entry",
                "verbose_name_plural": "audit log",
                "ordering": ["-pk"],
            },
        ),
        migrations.CreateModel(
            name="Edit",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("row_set", models.CharField(max_length=80, verbose_name="what")),
                (
                    "rows",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.BigIntegerField(), size=None, verbose_name="rows"
                    ),
                ),
                (
                    "action",
                    models.CharField(
                        choices=[("INSERT", "added"), ("UPDATE", "changed"), ("DELETE", "removed")],
                        max_length=6,
                        verbose_name="action",
                    ),
                ),
                (
                    "at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), verbose_name="at"
                    ),
                ),
                (
                    "by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="by",
                    ),
                ),
                (
                    "hospital",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="zol.hospital",
                    ),
                ),
            ],
            options={
                "verbose_name": "edit",
                "verbose_name_plural": "edits",
                "ordering": ["-pk"],
                "indexes": [models.Index(fields=["hospital", "id"], name="edits_since")],
            },
        ),
        HospitalRows("zol_edit"),
        HospitalRows("zol_auditentry"),
        WrittenOnce("zol_edit"),
        WrittenOnce("zol_auditentry"),
        migrations.RunSQL(RECORD_EDIT, "DROP FUNCTION zol_record_edit() CASCADE"),
    ]
