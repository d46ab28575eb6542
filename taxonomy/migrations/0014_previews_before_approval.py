"""Nothing is approved before its impact preview; schedules and hours have to be readable."""

import django.db.models.deletion
import taxonomy.models.entities
from django.conf import settings
from django.db import migrations, models

from taxonomy.models.rules import MOVES

#: Who approved what broke golden questions is the colleague who stood for the reason.
WHO_SAID_WHY = """
UPDATE taxonomy_release SET broken_by_id = approved_by_id WHERE broken_reason <> '';
SET CONSTRAINTS ALL IMMEDIATE;
"""


class Migration(migrations.Migration):
    dependencies = [
        ("taxonomy", "0013_complaint_phrases"),
        ("zol", "0004_api_token"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="release",
            name="release_breaks_with_a_reason",
        ),
        migrations.AddField(
            model_name="release",
            name="broken_by",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
                verbose_name="who said why",
            ),
        ),
        migrations.RunSQL([WHO_SAID_WHY, MOVES], migrations.RunSQL.noop),
        migrations.AlterField(
            model_name="campus",
            name="hours",
            field=models.CharField(
                blank=True,
                max_length=500,
                validators=[taxonomy.models.entities.validate_hours],
                verbose_name="opening hours",
            ),
        ),
        migrations.AlterField(
            model_name="department",
            name="hours",
            field=models.CharField(
                blank=True,
                max_length=500,
                validators=[taxonomy.models.entities.validate_hours],
                verbose_name="visiting and consultation hours",
            ),
        ),
        migrations.AlterField(
            model_name="doctor",
            name="schedule",
            field=taxonomy.models.entities.ScheduleField(
                blank=True,
                help_text="For example: ma 9:00-12:00@sint-jan|do 13:30-17:00@sint-barbara",
                max_length=1000,
                verbose_name="consultation schedule",
            ),
        ),
        migrations.AddConstraint(
            model_name="release",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("broken__gt", 0), ("state", "published"), _negated=True),
                    models.Q(
                        models.Q(("broken_reason", ""), _negated=True), ("broken_by__isnull", False)
                    ),
                    _connector="OR",
                ),
                name="release_breaks_with_a_reason",
            ),
        ),
        migrations.AddConstraint(
            model_name="release",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("broken_by", None),
                    models.Q(("authors__contains", [models.F("broken_by_id")]), _negated=True),
                    _connector="OR",
                ),
                name="release_reason_by_another",
            ),
        ),
    ]
