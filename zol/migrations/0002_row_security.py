"""The application role, and which hospital's rows it may touch."""

from django.db import migrations

from zol.postgres.operations import HospitalRows, PublicRows, create_application_role


class Migration(migrations.Migration):
    dependencies = [("zol", "0001_initial")]

    operations = [
        migrations.RunSQL("CREATE EXTENSION IF NOT EXISTS vector", migrations.RunSQL.noop),
        migrations.RunPython(create_application_role, migrations.RunPython.noop),
        PublicRows("zol_hospital", column="id", insert="true"),
        PublicRows("zol_hospitalhost"),
        PublicRows("zol_widgetkey"),
        HospitalRows("zol_membership"),
    ]
