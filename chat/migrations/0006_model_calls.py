"""What was asked of models, what they may use in a day, and which process answers a message."""

import django.db.models.deletion
from django.db import migrations, models

from zol.postgres.operations import HospitalRows


class Migration(migrations.Migration):

    dependencies = [
        ('chat', '0005_cues_of_claims'),
        ('zol', '0004_audit_erased'),
    ]

    operations = [
        migrations.AddField(
            model_name='message',
            name='process',
            field=models.CharField(blank=True, db_default='', default='', editable=False, max_length=60),
        ),
        migrations.CreateModel(
            name='ModelBudget',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('tokens', models.PositiveBigIntegerField(default=0, help_text='Read and written together. 0: any number.', verbose_name='tokens a day')),
                ('cost', models.FloatField(default=0, help_text='By the prices of models, in their currency. 0: any amount.', verbose_name='money a day')),
                ('hospital', models.OneToOneField(editable=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='zol.hospital', verbose_name='hospital')),
            ],
            options={
                'verbose_name': 'budget of models',
                'verbose_name_plural': 'budget of models',
                'constraints': [models.CheckConstraint(condition=models.Q(('cost__gte', 0)), name='budget_not_negative', violation_error_message='Money a day is 0 or more.')],
            },
        ),
        migrations.CreateModel(
            name='ModelCall',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('message', models.UUIDField(null=True, verbose_name='message')),
                ('purpose', models.CharField(choices=[('classify', 'what a question means'), ('understand', 'what a question means'), ('answer', 'the answer'), ('text', 'the answer'), ('verdict', 'checking a statement'), ('suggest', 'suggestions'), ('judge', 'checking an answer'), ('grade', 'a grade')], max_length=40, verbose_name='for')),
                ('endpoint', models.CharField(max_length=40, verbose_name='endpoint')),
                ('model', models.CharField(max_length=120, verbose_name='model')),
                ('seconds', models.FloatField(verbose_name='seconds')),
                ('first_word', models.FloatField(help_text='In seconds; 0 if there was no answer.', verbose_name='first word')),
                ('tokens_in', models.PositiveIntegerField(verbose_name='tokens read')),
                ('tokens_out', models.PositiveIntegerField(verbose_name='tokens written')),
                ('cost', models.FloatField(verbose_name='cost')),
                ('failure', models.CharField(blank=True, max_length=40, verbose_name='failure')),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='asked')),
                ('hospital', models.ForeignKey(editable=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='zol.hospital', verbose_name='hospital')),
            ],
            options={
                'verbose_name': 'request to a model',
                'verbose_name_plural': 'requests to models',
                'ordering': ['-created_at'],
                'indexes': [models.Index(fields=['hospital', 'created_at'], include=('tokens_in', 'tokens_out', 'cost'), name='calls_of_a_day')],
            },
        ),
        HospitalRows("chat_modelcall"),
        HospitalRows("chat_modelbudget"),
    ]
