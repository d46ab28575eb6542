"""Vectors of statements, kept with their chunk. `manage.py reindex` fills those of older chunks."""

import django.db.models.deletion
from django.db import migrations, models

from zol.postgres.operations import HospitalRows, SameHospital

TABLE = "retrieval_chunkstatements"


class Migration(migrations.Migration):
    dependencies = [("retrieval", "0005_fusion_by_scores"), ("zol", "0002_row_security")]

    operations = [
        migrations.CreateModel(
            name="ChunkStatements",
            fields=[
                (
                    "chunk",
                    models.OneToOneField(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="retrieval.chunk",
                    ),
                ),
                ("key", models.BinaryField(max_length=16)),
                ("vectors", models.BinaryField()),
                (
                    "hospital",
                    models.ForeignKey(
                        editable=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="zol.hospital",
                        verbose_name="hospital",
                    ),
                ),
            ],
            options={
                "verbose_name": "vectors of statements",
                "verbose_name_plural": "vectors of statements",
            },
        ),
        HospitalRows(TABLE),
        SameHospital(TABLE, "chunk_id", "retrieval_chunk", on_delete="CASCADE"),
        # Numbers do not compress; trying to costs time, at both ends.
        migrations.RunSQL(
            f"ALTER TABLE {TABLE} ALTER COLUMN vectors SET STORAGE EXTERNAL",
            migrations.RunSQL.noop,
        ),
    ]
