"""Limits of the suffix detector go: what it knows is learned, and a file.

The table stays, empty, for the release before, which then takes the limits that it comes with.
It refers to no other table any more: one that Django does not know must not keep others from being
emptied.
"""

from django.db import migrations

ALONE = """
DO $$ DECLARE name text; BEGIN
    FOR name IN SELECT conname FROM pg_constraint
        WHERE conrelid = 'chat_suffixthreshold'::regclass AND contype = 'f'
    LOOP EXECUTE format('ALTER TABLE chat_suffixthreshold DROP CONSTRAINT %I', name); END LOOP;
END $$
"""


class Migration(migrations.Migration):

    dependencies = [
        ('chat', '0017_answers_by_room'),
    ]

    operations = [
        migrations.RunSQL("DELETE FROM chat_suffixthreshold", migrations.RunSQL.noop),
        migrations.RunSQL(ALONE, migrations.RunSQL.noop),
        migrations.SeparateDatabaseAndState(
            state_operations=[migrations.DeleteModel(name='SuffixThreshold')]
        ),
    ]
