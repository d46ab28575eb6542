"""Texts of staff in plain English; no SQL."""

import django.contrib.postgres.fields
import django.db.models.functions.datetime
import zol.models
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('zol', '0004_audit_erased'),
    ]

    operations = [
        migrations.AlterField(
            model_name='apitoken',
            name='name',
            field=models.CharField(help_text='Purpose of the key, such as “nightly export”.', max_length=100, verbose_name='name'),
        ),
        migrations.AlterField(
            model_name='auditentry',
            name='after',
            field=models.CharField(blank=True, max_length=300, verbose_name='new value'),
        ),
        migrations.AlterField(
            model_name='auditentry',
            name='before',
            field=models.CharField(blank=True, max_length=300, verbose_name='old value'),
        ),
        migrations.AlterField(
            model_name='edit',
            name='at',
            field=models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), verbose_name='when'),
        ),
        migrations.AlterField(
            model_name='hospital',
            name='phone_hours',
            field=models.CharField(blank=True, help_text='Hours when somebody answers the general number; write them like the hours of a department.', max_length=100, verbose_name='telephone hours'),
        ),
        migrations.AlterField(
            model_name='ownnetwork',
            name='network',
            field=models.CharField(help_text='Address (203.0.113.7) or network (203.0.113.0/28, 2001:db8:1::/48) as the internet sees it; ask IT.', max_length=43, validators=[zol.models.check_network], verbose_name='network'),
        ),
        migrations.AlterField(
            model_name='ownnetwork',
            name='place',
            field=models.CharField(blank=True, help_text='For example: waiting rooms, wards.', max_length=100, verbose_name='place'),
        ),
        migrations.AlterField(
            model_name='widgetkey',
            name='origins',
            field=django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=253), blank=True, default=list, help_text='Websites that may show the chat, for example https://www.example.org', size=None, verbose_name='allowed origins'),
        ),
    ]
