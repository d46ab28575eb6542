"""Texts of staff in plain English; no SQL."""

import django.contrib.postgres.fields
import django.db.models.deletion
import taxonomy.models.relations
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('taxonomy', '0003_days_of_other_languages'),
        ('zol', '0005_plain_texts'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AlterField(
            model_name='complaintroute',
            name='specialty',
            field=models.CharField(help_text="A concept of the lexicon, such as “ent”. The answer names this hospital's department for it.", max_length=80, verbose_name='specialty'),
        ),
        migrations.AlterField(
            model_name='complaintroute',
            name='weight',
            field=models.FloatField(default=1.0, help_text='If a question names several complaints, their weights are added up. From 4 on, the route decides, even against the trained model.', verbose_name='weight'),
        ),
        migrations.AlterField(
            model_name='doctor',
            name='absent_until',
            field=models.DateField(blank=True, help_text='The day on which the doctor returns. Until then patients read that the doctor is absent.', null=True, verbose_name='absent until'),
        ),
        migrations.AlterField(
            model_name='doctor',
            name='languages',
            field=django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=12), blank=True, default=list, help_text='Language codes with commas between them: nl,fr,en', size=None, verbose_name='languages spoken'),
        ),
        migrations.AlterField(
            model_name='entity',
            name='canonical_name',
            field=models.CharField(blank=True, help_text='Name under which it is filed. If empty, the name is used.', max_length=200, verbose_name='canonical name'),
        ),
        migrations.AlterField(
            model_name='entity',
            name='key',
            field=models.SlugField(help_text='Short key for imports and links; do not change it later.', max_length=120, verbose_name='key'),
        ),
        migrations.AlterField(
            model_name='fact',
            name='need',
            field=models.CharField(choices=taxonomy.models.relations.need_choices, max_length=40, verbose_name='kind of question'),
        ),
        migrations.AlterField(
            model_name='fact',
            name='sentence',
            field=models.TextField(blank=True, help_text='Copy the sentence from that page. The list shows when it is no longer there.', verbose_name='sentence'),
        ),
        migrations.AlterField(
            model_name='fact',
            name='source',
            field=models.CharField(blank=True, help_text='Path of the page that says this, such as praktisch/bezoekuren.html.', max_length=300, verbose_name='source page'),
        ),
        migrations.AlterField(
            model_name='fact',
            name='subject',
            field=models.ForeignKey(blank=True, help_text='If empty, this is about the whole hospital.', null=True, on_delete=django.db.models.deletion.CASCADE, related_name='facts', to='taxonomy.entity', verbose_name='subject'),
        ),
        migrations.AlterField(
            model_name='merger',
            name='collisions',
            field=models.JSONField(default=list, verbose_name='left unchanged'),
        ),
        migrations.AlterField(
            model_name='merger',
            name='source',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='taxonomy.entity', verbose_name='merged entity'),
        ),
        migrations.AlterField(
            model_name='populationcue',
            name='phrase',
            field=models.CharField(help_text='As written in spreadsheets; capitals and accents make no difference.', max_length=80, verbose_name='title'),
        ),
        migrations.AlterField(
            model_name='proposal',
            name='doubt',
            field=models.CharField(blank=True, max_length=300, verbose_name='how unsure the model is'),
        ),
        migrations.AlterField(
            model_name='proposal',
            name='sort',
            field=models.CharField(choices=[('entity', 'new entity'), ('alias', 'other word'), ('relation', 'relation'), ('merge', 'may be the same')], max_length=10, verbose_name='proposal'),
        ),
        migrations.AlterField(
            model_name='proposal',
            name='status',
            field=models.CharField(choices=[('open', 'to be decided'), ('accepted', 'accepted'), ('rejected', 'rejected')], default='open', max_length=10, verbose_name='status'),
        ),
        migrations.AlterField(
            model_name='relation',
            name='origin',
            field=models.CharField(choices=[('column', 'in the row of the entity'), ('list', 'in the list of other words')], default='column', editable=False, max_length=10),
        ),
        migrations.AlterField(
            model_name='release',
            name='broken',
            field=models.PositiveIntegerField(blank=True, null=True, verbose_name='golden questions that would fail'),
        ),
        migrations.AlterField(
            model_name='release',
            name='broken_by',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='name of the person who gave this reason'),
        ),
        migrations.AlterField(
            model_name='release',
            name='note',
            field=models.TextField(blank=True, help_text='For the colleague who approves this release, and for anyone who looks back later.', verbose_name='what changes, and why'),
        ),
        migrations.AlterField(
            model_name='release',
            name='origin',
            field=models.CharField(choices=[('release', 'release'), ('first', 'first version'), ('earlier', 'from before releases existed')], default='release', editable=False, max_length=10),
        ),
        migrations.AlterField(
            model_name='release',
            name='reviewed_at',
            field=models.DateTimeField(blank=True, null=True, verbose_name='reviewed afterwards'),
        ),
        migrations.AlterField(
            model_name='release',
            name='reviewed_by',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='reviewed afterwards by'),
        ),
        migrations.AlterField(
            model_name='release',
            name='state',
            field=models.CharField(choices=[('draft', 'draft'), ('in_review', 'in review'), ('approved', 'approved'), ('scheduled', 'scheduled'), ('published', 'live'), ('superseded', 'previously live'), ('rejected', 'rejected')], default='draft', max_length=12, verbose_name='state'),
        ),
        migrations.AlterField(
            model_name='snomedproposal',
            name='status',
            field=models.CharField(choices=[('open', 'to be decided'), ('accepted', 'accepted'), ('rejected', 'rejected')], default='open', max_length=10, verbose_name='status'),
        ),
        migrations.AlterField(
            model_name='snomedrelease',
            name='counts',
            field=models.JSONField(default=dict, verbose_name='numbers of rows'),
        ),
        migrations.AlterConstraint(
            model_name='alias',
            name='alias_means_one_thing',
            constraint=models.UniqueConstraint(fields=('hospital', 'language', 'folded', 'entity_kind'), name='alias_means_one_thing', violation_error_message='Another entity of this kind already has this alias: choose another word.'),
        ),
        migrations.AlterConstraint(
            model_name='fact',
            name='fact_once',
            constraint=models.UniqueConstraint(fields=('hospital', 'need', 'subject', 'conditions', 'valid_from'), name='fact_once', nulls_distinct=False, violation_error_message='There is already a fact for this kind of question and subject, under these conditions.'),
        ),
    ]
