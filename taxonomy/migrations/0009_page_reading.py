"""How far a pass over the pages is."""

import django.db.models.deletion
from django.db import migrations, models

from zol.postgres.operations import HospitalRows


class Migration(migrations.Migration):

    dependencies = [
        ('taxonomy', '0008_population'),
        ('zol', '0004_api_token'),
    ]

    operations = [
        migrations.CreateModel(
            name='PageReading',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('total', models.PositiveIntegerField(default=0, verbose_name='pages')),
                ('done', models.PositiveIntegerField(default=0, verbose_name='read')),
                ('made', models.PositiveIntegerField(default=0, verbose_name='new proposals')),
                ('started_at', models.DateTimeField(auto_now_add=True, verbose_name='started')),
                ('moved_at', models.DateTimeField(auto_now=True)),
                ('finished_at', models.DateTimeField(null=True, verbose_name='finished')),
                ('hospital', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='zol.hospital')),
            ],
            options={
                'verbose_name': 'reading of pages',
                'verbose_name_plural': 'readings of pages',
                'ordering': ['-pk'],
            },
        ),
        HospitalRows('taxonomy_pagereading'),
    ]
