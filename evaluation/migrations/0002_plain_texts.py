"""Texts of staff in plain English; no SQL."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('evaluation', '0001_initial'),
    ]

    operations = [
        migrations.AlterModelOptions(
            name='livegrade',
            options={'ordering': [models.OrderBy(models.F('overall'), nulls_last=True), '-graded_at'], 'verbose_name': 'graded answer', 'verbose_name_plural': 'graded answers'},
        ),
        migrations.AlterField(
            model_name='goldenquestion',
            name='entities',
            field=models.JSONField(blank=True, default=list, verbose_name='names that the answer must contain'),
        ),
        migrations.AlterField(
            model_name='goldenquestion',
            name='expect',
            field=models.CharField(choices=[('answer', 'answered'), ('refuse_medical', 'medical advice refused'), ('refuse_offtopic', 'refused: off topic'), ('refuse_other_hospital', 'refused: about another hospital'), ('clarify', 'asked the visitor to clarify'), ('block_attack', 'attack blocked'), ('emergency', 'sent to the emergency number')], max_length=30, verbose_name='expected behaviour'),
        ),
        migrations.AlterField(
            model_name='goldenquestion',
            name='must_not',
            field=models.JSONField(blank=True, default=list, verbose_name='words that the answer must not contain'),
        ),
        migrations.AlterField(
            model_name='goldenquestion',
            name='passages',
            field=models.JSONField(blank=True, default=list, verbose_name='passages that must be found'),
        ),
        migrations.AlterField(
            model_name='livegrade',
            name='complete',
            field=models.FloatField(null=True, verbose_name='covers the whole question'),
        ),
        migrations.AlterField(
            model_name='livegrade',
            name='in_language',
            field=models.FloatField(null=True, verbose_name="in the visitor's language"),
        ),
        migrations.AlterField(
            model_name='livegrade',
            name='supported',
            field=models.FloatField(null=True, verbose_name='supported by sources'),
        ),
        migrations.AlterField(
            model_name='previewitem',
            name='breaks',
            field=models.BooleanField(default=False, verbose_name='no longer passes'),
        ),
        migrations.AlterField(
            model_name='run',
            name='flags',
            field=models.JSONField(default=dict, verbose_name='switches'),
        ),
        migrations.AlterField(
            model_name='workitem',
            name='due',
            field=models.DateField(blank=True, null=True, verbose_name='due date'),
        ),
        migrations.AlterField(
            model_name='workitem',
            name='golden',
            field=models.ForeignKey(blank=True, help_text='This question fails if the answer goes wrong again.', null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='evaluation.goldenquestion', verbose_name='golden question'),
        ),
        migrations.AlterField(
            model_name='workitem',
            name='note',
            field=models.TextField(blank=True, help_text='Write what was done, why nothing needs doing, or why no golden question tests it.', verbose_name='note'),
        ),
    ]
