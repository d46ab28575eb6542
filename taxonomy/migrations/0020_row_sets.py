"""Rows of a set are kept once, however many versions and hospitals have them."""

import django.db.models.deletion
from django.db import migrations, models

from zol.postgres.operations import SharedRows, WrittenOnce

#: What a version calls a set that has no digest: versions from before digests have none.
DIGEST = "COALESCE(v.digests ->> p.row_set, 'version ' || v.id)"
KEEP = f"""
    INSERT INTO taxonomy_rowset (hospital_id, row_set, digest, rows)
    SELECT p.hospital_id, p.row_set, {DIGEST}, jsonb_agg(p.data ORDER BY p.id)
    FROM taxonomy_publishedrow p JOIN taxonomy_version v ON v.id = p.version_id
    GROUP BY v.id, p.hospital_id, p.row_set
    ON CONFLICT DO NOTHING;
    UPDATE taxonomy_version v SET digests = found.digests FROM (
        SELECT v.id, jsonb_object_agg(p.row_set, {DIGEST}) AS digests
        FROM (SELECT DISTINCT version_id, row_set FROM taxonomy_publishedrow) p
        JOIN taxonomy_version v ON v.id = p.version_id GROUP BY v.id
    ) found WHERE found.id = v.id;
    INSERT INTO taxonomy_rowset (hospital_id, row_set, digest, rows)
    SELECT hospital_id, row_set, 'given ' || id, rows FROM taxonomy_givendefaults;
    UPDATE taxonomy_givendefaults SET digest = 'given ' || id;
"""


class Migration(migrations.Migration):

    dependencies = [
        ('taxonomy', '0019_choices_that_grow'),
        ('zol', '0007_exported'),
    ]

    operations = [
        migrations.CreateModel(
            name='RowSet',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('row_set', models.CharField(max_length=80)),
                ('digest', models.CharField(max_length=64)),
                ('rows', models.JSONField()),
                ('hospital', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='zol.hospital')),
            ],
            options={
                'verbose_name': 'published row set',
                'verbose_name_plural': 'published row sets',
                'constraints': [models.UniqueConstraint(fields=('hospital', 'row_set', 'digest'), name='row_set_once', nulls_distinct=False)],
            },
        ),
        SharedRows("taxonomy_rowset"),
        WrittenOnce("taxonomy_rowset"),
        migrations.AddField(
            model_name='givendefaults',
            name='digest',
            field=models.CharField(default='', max_length=64),
            preserve_default=False,
        ),
        migrations.RunSQL(KEEP, migrations.RunSQL.noop),
        migrations.RemoveField(model_name='givendefaults', name='rows'),
        migrations.DeleteModel(name='PublishedRow'),
    ]
