"""What staff decide about questions at once, without a release."""

import django.db.models.deletion
from django.db import migrations, models

from zol.postgres.operations import HospitalRows


class Migration(migrations.Migration):

    dependencies = [
        ('chat', '0007_model_prices'),
        ('zol', '0003_trail'),
    ]

    operations = [
        migrations.CreateModel(
            name='Intervention',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('block', 'block: do not answer this question'), ('freeze', 'freeze: hold the answer back while it is checked'), ('curated', 'curated answer: say this instead')], max_length=10, verbose_name='what to do')),
                ('questions', models.TextField(help_text='One on a line: words that a question contains, in any order. A * at the end of a word stands for any ending.', verbose_name='questions')),
                ('text_nl', models.TextField(blank=True, verbose_name='Nederlands')),
                ('text_en', models.TextField(blank=True, verbose_name='English')),
                ('text_fr', models.TextField(blank=True, verbose_name='Français')),
                ('text_de', models.TextField(blank=True, verbose_name='Deutsch')),
                ('text_tr', models.TextField(blank=True, verbose_name='Türkçe')),
                ('text_it', models.TextField(blank=True, verbose_name='Italiano')),
                ('text_ro', models.TextField(blank=True, verbose_name='Română')),
                ('text_el', models.TextField(blank=True, verbose_name='Ελληνικά')),
                ('source', models.URLField(blank=True, verbose_name='page that says so')),
                ('review_by', models.DateField(blank=True, help_text='A curated answer is not given any more after this day.', null=True, verbose_name='review by')),
                ('reason', models.CharField(max_length=300, verbose_name='why')),
                ('is_active', models.BooleanField(default=True, verbose_name='holds')),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='made')),
                ('hospital', models.ForeignKey(editable=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='zol.hospital', verbose_name='hospital')),
            ],
            options={
                'verbose_name': 'intervention',
                'verbose_name_plural': 'interventions',
                'ordering': ['-pk'],
            },
        ),
        HospitalRows("chat_intervention"),
    ]
