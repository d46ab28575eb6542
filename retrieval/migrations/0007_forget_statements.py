from django.db import migrations


class Migration(migrations.Migration):
    """The vectors of statements are read no more; their table stays for 1.1.0's processes."""

    dependencies = [("retrieval", "0006_categories_of_versions")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[migrations.DeleteModel("ChunkStatements")]
        )
    ]
