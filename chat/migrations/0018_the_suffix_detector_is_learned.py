"""Limits of the suffix detector go: what it knows is learned, and a file.

The table stays, empty, for the release before, which then takes the limits that it comes with.
"""

from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('chat', '0017_answers_by_room'),
    ]

    operations = [
        migrations.RunSQL("DELETE FROM chat_suffixthreshold", migrations.RunSQL.noop),
        migrations.SeparateDatabaseAndState(
            state_operations=[migrations.DeleteModel(name='SuffixThreshold')]
        ),
    ]
