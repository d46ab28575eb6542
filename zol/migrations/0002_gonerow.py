"""Rows that an upgrade removed, for staff to read."""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

from zol.postgres.operations import HospitalRows


class Migration(migrations.Migration):

    dependencies = [
        ('zol', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='GoneRow',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('row_set', models.CharField(max_length=80, verbose_name='kind')),
                ('values', models.JSONField(verbose_name='values')),
                ('gone_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), verbose_name='removed')),
                ('read_at', models.DateTimeField(null=True, verbose_name='read')),
                ('hospital', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='zol.hospital')),
                ('read_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='read by')),
            ],
            options={
                'verbose_name': 'removed row',
                'verbose_name_plural': 'removed rows and settings',
                'ordering': ['row_set', 'pk'],
            },
        ),
        HospitalRows('zol_gonerow'),
    ]
