"""Default rows are shared by all hospitals, in the tables of the hospitals' own."""

import django.db.models.deletion
from django.db import migrations, models

from zol.postgres.operations import DefaultRows

MODELS = (
    "affinitycell",
    "categoryfilter",
    "categorykeyword",
    "contentcategory",
    "entitykindboost",
    "steeringroute",
    "unitphrase",
)
HOSPITAL = models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='zol.hospital', verbose_name='hospital')
EDITION = models.PositiveIntegerField(editable=False, null=True)


class Migration(migrations.Migration):

    dependencies = [
        ('retrieval', '0012_choices_that_grow'),
        ('zol', '0009_default_rows'),
    ]

    operations = [
        *(migrations.AddField(name, field, EDITION.clone()) for name in MODELS for field in ('since', 'until')),
        *(migrations.AlterField(name, 'hospital', HOSPITAL.clone()) for name in MODELS),
        *(DefaultRows(f'retrieval_{name}', f'retrieval.{name}') for name in MODELS),
    ]
