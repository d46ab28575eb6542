"""Default rows are shared: which editions there are, which a hospital has, what it overrode."""

import django.db.models.deletion
from django.db import migrations, models

from zol.postgres.locks import RECORD_EDIT
from zol.postgres.operations import HospitalRows, WrittenByOwner


class Migration(migrations.Migration):

    dependencies = [
        ('zol', '0008_choices_that_grow'),
    ]

    operations = [
        migrations.CreateModel(
            name='DefaultSet',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('row_set', models.CharField(max_length=80, unique=True)),
                ('edition', models.PositiveIntegerField()),
            ],
        ),
        migrations.AddField(
            model_name='hospital',
            name='defaults_edition',
            field=models.JSONField(default=dict, editable=False),
        ),
        migrations.CreateModel(
            name='DefaultOverride',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('row_set', models.CharField(max_length=80)),
                ('row', models.BigIntegerField()),
                ('own', models.BigIntegerField(null=True)),
                ('hospital', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='zol.hospital')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('hospital', 'row_set', 'row'), name='default_overridden_once')],
            },
        ),
        WrittenByOwner("zol_defaultset"),
        HospitalRows("zol_defaultoverride"),
        # As of now it leaves out what is nobody's.
        migrations.RunSQL(RECORD_EDIT, migrations.RunSQL.noop),
    ]
