"""A mark that ranked nothing goes; whatever else was said of those chunks stays."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("retrieval", "0009_pieces_for_the_reader")]

    operations = [migrations.RemoveField("chunk", "is_pinned")]
