"""Answers that are given again: their table, and what they were given from, in one word."""

import django.contrib.postgres.fields
import django.db.models.deletion
import pgvector.django.halfvec
import pgvector.django.indexes
from django.db import migrations, models

from zol.postgres.operations import SERVED, HospitalRows, SameHospital

#: What every answer of the served hospital is given from at this moment. Whatever moves it - a
#: publish or a rollback, an ingested page, a terminology, a purge - makes older answers unreachable
#: with the same commit, whichever process made them.
KNOWLEDGE = f"""
CREATE FUNCTION zol_knowledge() RETURNS text LANGUAGE sql STABLE AS $$
    SELECT concat_ws('.',
        coalesce((SELECT version_id FROM taxonomy_livepointer WHERE hospital_id = {SERVED}), 0),
        coalesce((SELECT revision FROM retrieval_corpusstate WHERE hospital_id = {SERVED}), 0),
        coalesce((SELECT id FROM taxonomy_snomedrelease WHERE is_current), 0),
        coalesce((SELECT purges FROM chat_cachestate WHERE hospital_id = {SERVED}), 0))
$$"""


class Migration(migrations.Migration):

    dependencies = [
        ('chat', '0009_contact'),
        ('retrieval', '0001_initial'),
        ('taxonomy', '0006_snomed'),
        ('zol', '0003_trail'),
    ]

    operations = [
        migrations.CreateModel(
            name='CacheState',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('purges', models.PositiveBigIntegerField(default=0)),
                ('hospital', models.OneToOneField(editable=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='zol.hospital')),
            ],
        ),
        migrations.CreateModel(
            name='CachedAnswer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('knowledge', models.CharField(editable=False, max_length=120)),
                ('exact', models.CharField(editable=False, max_length=64)),
                ('reworded', models.CharField(editable=False, max_length=64)),
                ('room', models.CharField(editable=False, max_length=64)),
                ('content', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=120), default=list, editable=False, size=None)),
                ('vector', pgvector.django.halfvec.HalfVectorField(dimensions=1600, editable=False, null=True)),
                ('question', models.TextField(verbose_name='question (redacted)')),
                ('query', models.TextField(verbose_name='question as understood')),
                ('intent', models.CharField(max_length=40, verbose_name='intent')),
                ('language', models.CharField(max_length=8, verbose_name='language')),
                ('answer', models.TextField(verbose_name='answer')),
                ('citations', models.JSONField(default=list, verbose_name='citations')),
                ('contact', models.JSONField(default=dict, verbose_name='contact')),
                ('follow_ups', models.JSONField(default=list, verbose_name='suggestions')),
                ('verified', models.BooleanField(default=False, verbose_name='verified with hospital data')),
                ('engine', models.CharField(blank=True, max_length=20, verbose_name='engine')),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='given')),
                ('expires_at', models.DateTimeField(verbose_name='is forgotten at')),
                ('conversation', models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='chat.conversation', verbose_name='given in')),
                ('hospital', models.ForeignKey(editable=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='zol.hospital', verbose_name='hospital')),
            ],
            options={
                'verbose_name': 'remembered answer',
                'verbose_name_plural': 'remembered answers',
                'ordering': ['-pk'],
                'indexes': [models.Index(fields=['hospital', 'reworded'], name='answer_reworded'), models.Index(fields=['hospital', 'expires_at'], name='answer_expiry'), pgvector.django.indexes.HnswIndex(ef_construction=64, fields=['vector'], m=16, name='answer_meaning', opclasses=['halfvec_ip_ops'])],
                'constraints': [models.UniqueConstraint(fields=('hospital', 'exact', 'knowledge'), name='answer_remembered_once')],
            },
        ),
        HospitalRows("chat_cachestate"),
        HospitalRows("chat_cachedanswer"),
        SameHospital("chat_cachedanswer", "conversation_id", "chat_conversation"),
        migrations.RunSQL(KNOWLEDGE, "DROP FUNCTION zol_knowledge()"),
    ]
