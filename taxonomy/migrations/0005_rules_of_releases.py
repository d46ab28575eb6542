"""What goes live was frozen and approved by another: kept by the database itself."""

from django.db import migrations

from taxonomy.models.rules import (
    EARLIER_VERSIONS,
    POINTER_MOVES,
    RELEASE_MOVES,
    SAME_VERSION,
    UNDO,
)
from zol.postgres.operations import HospitalRows, SameHospital, WrittenOnce


class Migration(migrations.Migration):
    dependencies = [("taxonomy", "0004_releases")]

    operations = [
        migrations.RunSQL(EARLIER_VERSIONS, migrations.RunSQL.noop),
        HospitalRows("taxonomy_release"),
        HospitalRows("taxonomy_releasecomment"),
        SameHospital("taxonomy_release", "version_id", "taxonomy_version"),
        SameHospital("taxonomy_release", "base_id", "taxonomy_version"),
        SameHospital("taxonomy_releasecomment", "release_id", "taxonomy_release"),
        WrittenOnce("taxonomy_releasecomment"),
        migrations.RunSQL([SAME_VERSION, RELEASE_MOVES, POINTER_MOVES], UNDO),
    ]
