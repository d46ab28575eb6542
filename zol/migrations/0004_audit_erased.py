"""The audit log tells that conversations were erased."""

from django.db import migrations, models

from zol.records.audit import AuditEntry


class Migration(migrations.Migration):
    dependencies = [("zol", "0003_ownnetwork")]

    operations = [
        migrations.AlterField(
            model_name="auditentry",
            name="what",
            field=models.CharField(
                choices=AuditEntry.What.choices, max_length=30, verbose_name="what"
            ),
        )
    ]
