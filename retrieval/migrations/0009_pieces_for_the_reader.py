"""What the reader looks at of statements, kept with them. `manage.py reindex` fills older chunks."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("retrieval", "0008_packed_postings")]

    operations = [
        migrations.AddField("chunkstatements", "pieces", models.BinaryField(default=bytes)),
        # Numbers do not compress; trying to costs time, at both ends.
        migrations.RunSQL(
            "ALTER TABLE retrieval_chunkstatements ALTER COLUMN pieces SET STORAGE EXTERNAL",
            migrations.RunSQL.noop,
        ),
    ]
