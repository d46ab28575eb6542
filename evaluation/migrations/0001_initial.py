"""What answers are tried on and graded by."""

import django.db.models.deletion
import retrieval.models.steering
import zol.languages
from django.conf import settings
from django.db import migrations, models

from zol.postgres.operations import HospitalRows, SameHospital, WrittenOnce

#: A hospital sees and touches only its own rows of these.
OF_HOSPITAL = (
    'evaluation_goldenquestion',
    'evaluation_livegrade',
    'evaluation_preview',
    'evaluation_previewitem',
    'evaluation_result',
    'evaluation_run',
    'evaluation_workitem',
)


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('chat', '0001_initial'),
        ('taxonomy', '0001_initial'),
        ('zol', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='GoldenQuestion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=80, verbose_name='id')),
                ('category', models.CharField(max_length=40, verbose_name='category')),
                ('language', models.CharField(choices=zol.languages.Language.choices, max_length=8, verbose_name='language')),
                ('turns', models.JSONField(verbose_name='questions')),
                ('expect', models.CharField(choices=[('answer', 'answered'), ('refuse_medical', 'medical advice refused'), ('refuse_offtopic', 'refused as off topic'), ('refuse_other_hospital', 'refused as of another hospital'), ('clarify', 'asked what is meant'), ('block_attack', 'attack blocked'), ('emergency', 'sent to the emergency number')], max_length=30, verbose_name='expected behaviour')),
                ('intent', models.CharField(blank=True, choices=retrieval.models.steering.intent_choices, max_length=40, verbose_name='intent')),
                ('entities', models.JSONField(blank=True, default=list, verbose_name='must be named')),
                ('sources', models.JSONField(blank=True, default=list, verbose_name='pages of which one must be cited')),
                ('content_category', models.CharField(blank=True, max_length=40, verbose_name='content category')),
                ('must_not', models.JSONField(blank=True, default=list, verbose_name='must not be said')),
                ('passages', models.JSONField(blank=True, default=list, verbose_name='labelled passages')),
                ('difficulty', models.CharField(blank=True, max_length=20, verbose_name='difficulty')),
                ('owner', models.CharField(blank=True, max_length=80, verbose_name='owner')),
                ('risk', models.CharField(blank=True, max_length=20, verbose_name='risk')),
                ('at', models.CharField(blank=True, max_length=40, verbose_name='asked at')),
                ('line', models.TextField(blank=True, editable=False)),
                ('position', models.PositiveIntegerField(default=0, editable=False)),
                ('hospital', models.ForeignKey(editable=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='zol.hospital', verbose_name='hospital')),
            ],
            options={
                'verbose_name': 'golden question',
                'verbose_name_plural': 'golden questions',
                'ordering': ['position', 'key'],
            },
        ),
        migrations.CreateModel(
            name='LiveGrade',
            fields=[
                ('message', models.OneToOneField(editable=False, on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='live_grade', serialize=False, to='chat.message', verbose_name='question')),
                ('overall', models.FloatField(null=True, verbose_name='grade')),
                ('supported', models.FloatField(null=True, verbose_name='borne out')),
                ('complete', models.FloatField(null=True, verbose_name='near the whole question')),
                ('on_subject', models.FloatField(null=True, verbose_name='on the subject')),
                ('in_language', models.FloatField(null=True, verbose_name="in the asker's language")),
                ('faithfulness', models.FloatField(null=True, verbose_name='faithfulness')),
                ('relevancy', models.FloatField(null=True, verbose_name='relevancy')),
                ('unjudged', models.JSONField(default=dict, verbose_name='not judged')),
                ('graded_by', models.CharField(max_length=200, verbose_name='graded by')),
                ('graded_at', models.DateTimeField(auto_now_add=True, verbose_name='graded')),
                ('hospital', models.ForeignKey(editable=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='zol.hospital', verbose_name='hospital')),
            ],
            options={
                'verbose_name': 'live grade',
                'verbose_name_plural': 'live grades',
                'ordering': [models.OrderBy(models.F('overall'), nulls_last=True), '-graded_at'],
            },
        ),
        migrations.CreateModel(
            name='Preview',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('state', models.CharField(choices=[('running', 'running'), ('finished', 'finished'), ('failed', 'failed'), ('stopped', 'stopped')], default='running', max_length=10, verbose_name='state')),
                ('total', models.PositiveIntegerField(default=0, verbose_name='questions')),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='started')),
                ('finished_at', models.DateTimeField(null=True, verbose_name='finished')),
                ('seen', models.PositiveIntegerField(verbose_name='version')),
                ('messages', models.JSONField(default=list)),
                ('failure', models.TextField(blank=True)),
                ('hospital', models.ForeignKey(editable=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='zol.hospital', verbose_name='hospital')),
                ('release', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='previews', to='taxonomy.release')),
            ],
            options={
                'verbose_name': 'impact preview',
                'verbose_name_plural': 'impact previews',
                'ordering': ['-pk'],
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='PreviewItem',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=100, verbose_name='question')),
                ('is_golden', models.BooleanField(verbose_name='golden question')),
                ('breaks', models.BooleanField(default=False, verbose_name='breaks')),
                ('changes', models.JSONField(default=list, verbose_name='what changes')),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('data', models.JSONField()),
                ('hospital', models.ForeignKey(editable=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='zol.hospital', verbose_name='hospital')),
                ('message', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='chat.message')),
                ('preview', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='items', to='evaluation.preview')),
            ],
            options={
                'verbose_name': 'replayed question',
                'verbose_name_plural': 'replayed questions',
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='Run',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('state', models.CharField(choices=[('running', 'running'), ('finished', 'finished'), ('failed', 'failed'), ('stopped', 'stopped')], default='running', max_length=10, verbose_name='state')),
                ('total', models.PositiveIntegerField(default=0, verbose_name='questions')),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='started')),
                ('finished_at', models.DateTimeField(null=True, verbose_name='finished')),
                ('note', models.CharField(blank=True, max_length=200, verbose_name='note')),
                ('flags', models.JSONField(default=dict, verbose_name='flags')),
                ('versions', models.JSONField(default=dict, verbose_name='versions')),
                ('selection', models.JSONField(default=dict, verbose_name='selection')),
                ('summary', models.JSONField(default=dict, verbose_name='summary')),
                ('failure', models.TextField(blank=True, verbose_name='why it ended early')),
                ('alive_at', models.DateTimeField(editable=False, null=True)),
                ('hospital', models.ForeignKey(editable=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='zol.hospital', verbose_name='hospital')),
            ],
            options={
                'verbose_name': 'evaluation run',
                'verbose_name_plural': 'evaluation runs',
                'ordering': ['-pk'],
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='Result',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=80, verbose_name='question')),
                ('category', models.CharField(max_length=40, verbose_name='category')),
                ('language', models.CharField(choices=zol.languages.Language.choices, max_length=8, verbose_name='language')),
                ('passed', models.BooleanField(verbose_name='passed')),
                ('data', models.JSONField()),
                ('hospital', models.ForeignKey(editable=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='zol.hospital', verbose_name='hospital')),
                ('run', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='results', to='evaluation.run')),
            ],
            options={
                'verbose_name': 'result',
                'verbose_name_plural': 'results',
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='WorkItem',
            fields=[
                ('message', models.OneToOneField(editable=False, on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='+', serialize=False, to='chat.message', verbose_name='question')),
                ('due', models.DateField(blank=True, null=True, verbose_name='to be done by')),
                ('state', models.CharField(choices=[('open', 'to do'), ('done', 'done'), ('none', 'nothing to do')], default='open', max_length=4, verbose_name='state')),
                ('note', models.TextField(blank=True, help_text='What was done; or why nothing is, or why no golden question guards it.', verbose_name='note')),
                ('closed_at', models.DateTimeField(editable=False, null=True, verbose_name='closed')),
                ('golden', models.ForeignKey(blank=True, help_text='It fails if the answer goes wrong again.', null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='evaluation.goldenquestion', verbose_name='golden question')),
                ('hospital', models.ForeignKey(editable=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='zol.hospital', verbose_name='hospital')),
                ('owner', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='owner')),
            ],
            options={
                'verbose_name': 'group of failed answers',
                'verbose_name_plural': 'work queue',
                'ordering': ['-message__created_at'],
            },
        ),
        migrations.AddConstraint(
            model_name='goldenquestion',
            constraint=models.UniqueConstraint(fields=('hospital', 'key'), name='golden_question_once'),
        ),
        migrations.AddIndex(
            model_name='livegrade',
            index=models.Index(fields=['hospital', 'graded_at'], name='live_grades'),
        ),
        migrations.AddConstraint(
            model_name='preview',
            constraint=models.UniqueConstraint(condition=models.Q(('state', 'running')), fields=('release', 'seen'), name='preview_one_at_a_time'),
        ),
        migrations.AddConstraint(
            model_name='previewitem',
            constraint=models.UniqueConstraint(fields=('preview', 'key'), name='preview_item_once'),
        ),
        migrations.AddConstraint(
            model_name='run',
            constraint=models.UniqueConstraint(condition=models.Q(('alive_at__isnull', False), ('state', 'running')), fields=('hospital',), name='run_by_workers_one_at_a_time'),
        ),
        migrations.AddConstraint(
            model_name='result',
            constraint=models.UniqueConstraint(fields=('run', 'key'), name='result_once_in_a_run'),
        ),
        *map(HospitalRows, OF_HOSPITAL),
        SameHospital('evaluation_result', 'run_id', 'evaluation_run'),
        SameHospital('evaluation_preview', 'release_id', 'taxonomy_release'),
        SameHospital('evaluation_previewitem', 'preview_id', 'evaluation_preview'),
        SameHospital('evaluation_workitem', 'message_id', 'chat_message'),
        SameHospital('evaluation_workitem', 'golden_id', 'evaluation_goldenquestion'),
        SameHospital('evaluation_livegrade', 'message_id', 'chat_message'),
        WrittenOnce('evaluation_result'),
    ]
