"""Questions for medical advice: rows of their own, with rules over slots."""

import django.db.models.deletion
from django.db import migrations, models

from zol.postgres.operations import HospitalRows


class Migration(migrations.Migration):

    dependencies = [
        ('chat', '0005_red_flag_rules'),
        ('zol', '0003_trail'),
    ]

    operations = [
        migrations.CreateModel(
            name='AdvicePhrase',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(help_text='Of a slot: its name.', max_length=30, verbose_name='sort of advice')),
                ('language', models.CharField(choices=[('nl', 'Nederlands'), ('en', 'English'), ('fr', 'Français'), ('de', 'Deutsch'), ('tr', 'Türkçe'), ('it', 'Italiano'), ('ro', 'Română'), ('el', 'Ελληνικά'), ('any', 'any')], max_length=3, verbose_name='language')),
                ('role', models.CharField(choices=[('rule', 'slots that together ask for advice'), ('slot', 'fills a slot'), ('phrase', 'asks for advice'), ('hint', 'may ask for advice'), ('source', 'asks what a page says'), ('prepare', 'asks how to get ready'), ('route', 'asks whom to turn to')], max_length=10, verbose_name='role')),
                ('text', models.CharField(help_text='A * at the end of a word stands for any ending. A rule: {howmuch} {med}.', max_length=160, verbose_name='phrase')),
                ('hospital', models.ForeignKey(editable=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='zol.hospital', verbose_name='hospital')),
            ],
            options={
                'verbose_name': 'words of a question for advice',
                'verbose_name_plural': 'questions for advice',
                'ordering': ['role', 'kind', 'language', 'pk'],
                'constraints': [models.UniqueConstraint(fields=('hospital', 'kind', 'language', 'role', 'text'), name='advice_once')],
            },
        ),
        HospitalRows("chat_advicephrase"),
    ]
