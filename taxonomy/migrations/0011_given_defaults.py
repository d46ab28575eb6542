"""Which default rows a hospital was given."""

import django.db.models.deletion
from django.db import migrations, models

from zol.postgres.operations import HospitalRows


class Migration(migrations.Migration):

    dependencies = [
        ('taxonomy', '0010_everyday_words'),
        ('zol', '0004_api_token'),
    ]

    operations = [
        migrations.CreateModel(
            name='GivenDefaults',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('row_set', models.CharField(max_length=80)),
                ('rows', models.JSONField(default=list)),
                ('at', models.DateTimeField(auto_now=True)),
                ('hospital', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='zol.hospital')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('hospital', 'row_set'), name='given_defaults_once')],
            },
        ),
        HospitalRows('taxonomy_givendefaults'),
    ]
