"""Situations of an alarm, what each answer warned of, and the language of help lines."""

import django.db.models.deletion
import zol.languages
from django.db import migrations, models

from zol.postgres.operations import DefaultRows

#: Roles of red flags, and texts of emergencies, that nothing reads any more: what a hospital wrote
#: itself is kept for staff to read.
ROLES = (
    "rule",
    "slot",
    "distant",
    "context",
    "presence",
    "counsel",
    "idiom",
    "spelling",
    "example",
    "harmless",
)
TEXTS = (
    "emergency",
    "emergency_suicide",
    "emergency_poison",
    "emergency_meanwhile",
    "emergency_again",
    "emergency_suicide_again",
    "emergency_poison_again",
)
MOVE = """
WITH gone AS (
    DELETE FROM {table} WHERE hospital_id IS NOT NULL AND {column} = ANY (%s) RETURNING *
)
INSERT INTO zol_gonerow (hospital_id, row_set, "values")
SELECT hospital_id, '{row_set}', to_jsonb(gone) - '{{id,hospital_id,since,until}}'::text[] FROM gone
"""


def moved(table, column, values):
    statement = MOVE.format(table=table, column=column, row_set=table.replace("_", "."))
    return migrations.RunSQL([(statement, [list(values)])])


class Migration(migrations.Migration):
    dependencies = [('chat', '0002_drop_unread_kinds_of_cues'), ("zol", "0002_gonerow")]

    operations = [
        migrations.AddField(
            model_name="countryline",
            name="language",
            field=models.CharField(
                blank=True,
                choices=zol.languages.Language.choices,
                default="", db_default="",
                help_text="In which the line is answered. Empty: in the country's own.",
                max_length=2,
                verbose_name="language",
            ),
        ),
        migrations.AddField(
            model_name="message",
            name="warned_by",
            field=models.CharField(
                choices=[
                    ("none", "none"),
                    ("line", "a line above the answer"),
                    ("text", "a text above the answer"),
                    ("stop", "a text instead of an answer"),
                ],
                db_default="none",
                default="none",
                max_length=5,
                verbose_name="shown as",
            ),
        ),
        migrations.AddField(
            model_name="message",
            name="warning",
            field=models.CharField(
                choices=[
                    ("none", "none"),
                    ("emergency", "emergency"),
                    ("crisis", "crisis"),
                    ("poison", "poisoning"),
                ],
                db_default="none",
                default="none",
                max_length=10,
                verbose_name="warning",
            ),
        ),
        migrations.AlterField(
            model_name="redflagphrase",
            name="kind",
            field=models.CharField(
                help_text="Of a denial: “before” or “after”, where it stands.",
                max_length=30,
                verbose_name="situation",
            ),
        ),
        migrations.AlterField(
            model_name="redflagphrase",
            name="role",
            field=models.CharField(
                choices=[("trigger", "says it is happening"), ("denial", "denies it")],
                default="trigger",
                max_length=10,
                verbose_name="role",
            ),
        ),
        migrations.AlterField(
            model_name="redflagphrase",
            name="text",
            field=models.CharField(
                help_text="A whole phrase as people type it. A * at the end of a word stands for any ending.",
                max_length=160,
                verbose_name="phrase",
            ),
        ),
        migrations.CreateModel(
            name="EmergencySituation",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("since", models.PositiveIntegerField(editable=False, null=True)),
                ("until", models.PositiveIntegerField(editable=False, null=True)),
                ("kind", models.CharField(max_length=30, verbose_name="situation")),
                (
                    "danger",
                    models.CharField(
                        choices=[
                            ("emergency", "emergency: life in danger"),
                            ("crisis", "crisis: suicide, self-harm, violence"),
                            ("poison", "poisoning"),
                        ],
                        max_length=10,
                        verbose_name="counts as",
                    ),
                ),
                (
                    "text",
                    models.CharField(
                        help_text="Its fixed texts are alarm_… (in full) and notice_… (one line).",
                        max_length=20,
                        verbose_name="texts",
                    ),
                ),
                (
                    "specialties",
                    models.CharField(
                        blank=True,
                        help_text="Patients are referred to the first department that has one of these specialties.",
                        max_length=200,
                        verbose_name="specialties",
                    ),
                ),
                (
                    "desk",
                    models.CharField(
                        blank=True, max_length=120, verbose_name="desk of this hospital"
                    ),
                ),
                (
                    "phone",
                    models.CharField(
                        blank=True,
                        help_text="Empty: the department's number, else the hospital's.",
                        max_length=40,
                        verbose_name="number of this desk",
                    ),
                ),
                (
                    "hospital",
                    models.ForeignKey(
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="zol.hospital",
                        verbose_name="hospital",
                    ),
                ),
            ],
            options={
                "verbose_name": "desk of a situation",
                "verbose_name_plural": "desks of situations",
                "ordering": ["danger", "kind"],
                "constraints": [
                    models.UniqueConstraint(fields=("hospital", "kind"), name="situation_once")
                ],
            },
        ),
        DefaultRows("chat_emergencysituation", "chat.emergencysituation"),
        moved("chat_redflagphrase", "role", ROLES),
        moved("chat_fixedtext", "kind", TEXTS),
    ]
