"""Limits of the suffix detector, one hospital's apart from another's."""

import django.core.validators
import django.db.models.deletion
from django.db import migrations, models

from zol.postgres.operations import HospitalRows


class Migration(migrations.Migration):

    dependencies = [
        ('chat', '0003_languages_of_patterns'),
        ('zol', '0002_row_security'),
    ]

    operations = [
        migrations.CreateModel(
            name='SuffixThreshold',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('language', models.CharField(choices=[('nl', 'Nederlands'), ('en', 'English'), ('fr', 'Français'), ('de', 'Deutsch'), ('tr', 'Türkçe'), ('it', 'Italiano'), ('ro', 'Română'), ('el', 'Ελληνικά')], max_length=2, verbose_name='language')),
                ('signal', models.CharField(choices=[('dictionary', 'share of words in no dictionary'), ('entropy', 'bits per character'), ('run', 'special characters in a row'), ('special', 'share of words with special characters')], max_length=12, verbose_name='signal')),
                ('value', models.FloatField(validators=[django.core.validators.MinValueValidator(0.05), django.core.validators.MaxValueValidator(4.0)], verbose_name='counts from')),
                ('hospital', models.ForeignKey(editable=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='zol.hospital', verbose_name='hospital')),
            ],
            options={
                'verbose_name': 'limit of the suffix detector',
                'verbose_name_plural': 'limits of the suffix detector',
                'ordering': ['language', 'signal'],
                'constraints': [models.UniqueConstraint(fields=('hospital', 'language', 'signal'), name='limit_once')],
            },
        ),
        HospitalRows("chat_suffixthreshold"),
    ]
