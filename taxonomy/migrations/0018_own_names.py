"""Until when a doctor is absent, and how a hospital's own files name columns and values."""

import django.db.models.deletion
from django.db import migrations, models

from zol.postgres.operations import HospitalRows


class Migration(migrations.Migration):

    dependencies = [
        ('taxonomy', '0017_codes_have_names'),
        ('zol', '0007_exported'),
    ]

    operations = [
        migrations.AddField(
            model_name='doctor',
            name='absent_until',
            field=models.DateField(blank=True, help_text='The day on which the doctor is back; until then patients are told.', null=True, verbose_name='absent until'),
        ),
        migrations.CreateModel(
            name='OwnNames',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('row_set', models.CharField(max_length=80)),
                ('names', models.JSONField(default=dict)),
                ('hospital', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='zol.hospital')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('hospital', 'row_set'), name='own_names_once')],
            },
        ),
        HospitalRows("taxonomy_ownnames"),
    ]
