"""Pages, how a search steers, and the index: its tables, and the functions that alone touch them."""

from pathlib import Path

import django.contrib.postgres.fields
import django.db.models.constraints
import django.db.models.deletion
import retrieval.models.documents
import retrieval.models.steering
import taxonomy.models.entities
import zol.languages
from django.conf import settings
from django.db import migrations, models

from zol.postgres.operations import DefaultRows, HospitalRows, SameHospital

SQL = Path(__file__).parent.parent / 'index' / 'sql'
#: A hospital sees and touches only its own rows of these.
OF_HOSPITAL = (
    'retrieval_categorymismatch',
    'retrieval_chunk',
    'retrieval_chunkstatements',
    'retrieval_corpusstate',
    'retrieval_document',
    'retrieval_ingestionitem',
    'retrieval_ingestionrun',
    'retrieval_original',
    'retrieval_retrievalsetting',
)
#: The product comes with rows of these.
DEFAULTS = (
    'retrieval_affinitycell',
    'retrieval_categoryfilter',
    'retrieval_categorykeyword',
    'retrieval_contentcategory',
    'retrieval_entitykindboost',
    'retrieval_steeringroute',
    'retrieval_unitphrase',
)
#: Numbers do not compress; trying to costs time, at both ends.
AS_THEY_ARE = '''
ALTER TABLE retrieval_chunkstatements
    ALTER COLUMN vectors SET STORAGE EXTERNAL, ALTER COLUMN pieces SET STORAGE EXTERNAL
'''


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('zol', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='CategoryMismatch',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('conversation_id', models.UUIDField(null=True)),
                ('message_id', models.UUIDField(null=True)),
                ('steering_row', models.CharField(blank=True, max_length=60, verbose_name='steering row')),
                ('intent', models.CharField(blank=True, choices=retrieval.models.steering.intent_choices, max_length=40, verbose_name='intent')),
                ('primary_category', models.CharField(blank=True, max_length=40, verbose_name='primary category')),
                ('mismatch_rate', models.FloatField(verbose_name='mismatch rate')),
                ('chunks_total', models.PositiveSmallIntegerField(verbose_name='passages')),
                ('chunks_off_category', models.PositiveSmallIntegerField(verbose_name='off category')),
                ('query_preview', models.CharField(blank=True, max_length=200, verbose_name='question')),
                ('created_at', models.DateTimeField(auto_now_add=True, db_index=True, verbose_name='time')),
                ('hospital', models.ForeignKey(editable=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='zol.hospital', verbose_name='hospital')),
            ],
            options={
                'verbose_name': 'category mismatch',
                'verbose_name_plural': 'category mismatches',
                'ordering': ['-pk'],
            },
        ),
        migrations.CreateModel(
            name='CorpusState',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('revision', models.PositiveBigIntegerField(default=0)),
                ('provider', models.CharField(blank=True, max_length=40)),
                ('model', models.CharField(blank=True, max_length=100)),
                ('dimensions', models.PositiveIntegerField(default=0)),
                ('hospital', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='zol.hospital')),
            ],
            options={
                'verbose_name': 'index',
                'verbose_name_plural': 'indexes',
            },
        ),
        migrations.CreateModel(
            name='Document',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('path', models.CharField(max_length=300, verbose_name='path')),
                ('url', models.URLField(blank=True, max_length=500, verbose_name='page')),
                ('title', models.CharField(max_length=300, verbose_name='title')),
                ('category', models.CharField(choices=[('Department', 'Department'), ('Doctor', 'Doctor'), ('Contact', 'Contact'), ('Location', 'Location'), ('Appointment', 'Appointment'), ('Brochure', 'Brochure'), ('News', 'News'), ('Practical', 'Practical'), ('Legal', 'Legal'), ('Billing', 'Billing'), ('Condition', 'Condition'), ('Treatment', 'Treatment'), ('Examination', 'Examination'), ('Miscellaneous', 'Miscellaneous')], default='Miscellaneous', max_length=20, verbose_name='category')),
                ('language', models.CharField(choices=zol.languages.Language.choices, default='nl', max_length=8, verbose_name='language')),
                ('updated_on', models.DateField(blank=True, null=True, verbose_name='updated on')),
                ('authority', models.FloatField(default=1.0, help_text='From 0.3 to 1.0; lower ranks lower.', verbose_name='authority')),
                ('url_tier', models.PositiveSmallIntegerField(default=3, help_text='1 is the most important kind of page, 3 the least.', verbose_name='tier')),
                ('campuses', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=120), blank=True, default=list, size=None, verbose_name='campuses')),
                ('content_hash', models.CharField(blank=True, editable=False, max_length=64)),
                ('status', models.CharField(choices=[('registered', 'waiting to be processed'), ('ready', 'searchable'), ('empty', 'no text found'), ('failed', 'failed'), ('withdrawn', 'withdrawn')], default='registered', max_length=12, verbose_name='status')),
                ('reason', models.CharField(blank=True, editable=False, max_length=500, verbose_name='reason')),
                ('summary', models.TextField(blank=True, verbose_name='summary')),
                ('summary_edited', models.BooleanField(default=False, editable=False)),
                ('has_instructions', models.BooleanField(default=False, editable=False, verbose_name='contains instructions to an assistant')),
                ('category_override', models.CharField(blank=True, help_text='Overrides the keywords, for all chunks.', max_length=40, verbose_name='content category')),
                ('position', models.PositiveIntegerField(default=0, editable=False)),
                ('processed_at', models.DateTimeField(editable=False, null=True, verbose_name='processed at')),
                ('hospital', models.ForeignKey(editable=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='zol.hospital', verbose_name='hospital')),
            ],
            options={
                'verbose_name': 'document',
                'verbose_name_plural': 'documents',
                'ordering': ['position', 'path'],
            },
        ),
        migrations.CreateModel(
            name='Chunk',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('ordinal', models.PositiveIntegerField(verbose_name='place in the document')),
                ('content', models.TextField(verbose_name='text')),
                ('context', models.TextField(blank=True, help_text='Where this stands in the document.', verbose_name='context')),
                ('questions', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=300), blank=True, default=list, size=None, verbose_name='canonical questions')),
                ('section', models.CharField(blank=True, max_length=300, verbose_name='section')),
                ('page', models.PositiveIntegerField(default=0, help_text='Of a PDF; 0 for a web page.', verbose_name='page number')),
                ('tokens', models.PositiveIntegerField(default=0, editable=False, verbose_name='tokens')),
                ('category', models.CharField(default='general', max_length=40, verbose_name='content category')),
                ('category_evidence', models.JSONField(default=dict, editable=False)),
                ('category_fixed', models.BooleanField(default=False, help_text='Keywords no longer change it.', verbose_name='category set by hand')),
                ('entity_kinds', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=20), blank=True, default=list, size=None, verbose_name='kinds of entities named')),
                ('is_enabled', models.BooleanField(default=True, verbose_name='searchable')),
                ('is_edited', models.BooleanField(default=False, editable=False, verbose_name='edited by hand')),
                ('source_changed', models.BooleanField(default=False, editable=False, verbose_name='source changed under your edit')),
                ('source_hash', models.CharField(blank=True, editable=False, max_length=64)),
                ('hospital', models.ForeignKey(editable=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='zol.hospital', verbose_name='hospital')),
                ('document', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='chunks', to='retrieval.document', verbose_name='document')),
            ],
            options={
                'verbose_name': 'chunk',
                'verbose_name_plural': 'chunks',
                'ordering': ['document', 'ordinal'],
            },
        ),
        migrations.CreateModel(
            name='EntityKindBoost',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('since', models.PositiveIntegerField(editable=False, null=True)),
                ('until', models.PositiveIntegerField(editable=False, null=True)),
                ('intent', models.CharField(choices=retrieval.models.steering.intent_choices, max_length=40, verbose_name='intent')),
                ('entity_type', models.CharField(choices=taxonomy.models.entities.kind_choices, max_length=20, verbose_name='kind of entity')),
                ('hospital', models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='zol.hospital', verbose_name='hospital')),
            ],
            options={
                'verbose_name': 'entity boost',
                'verbose_name_plural': 'entity boosts',
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='IngestionRun',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('state', models.CharField(choices=[('running', 'running'), ('stopped', 'stopped'), ('finished', 'finished')], default='running', max_length=10, verbose_name='state')),
                ('reason', models.CharField(blank=True, max_length=200, verbose_name='occasion')),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='started')),
                ('finished_at', models.DateTimeField(null=True, verbose_name='finished')),
                ('hospital', models.ForeignKey(editable=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='zol.hospital', verbose_name='hospital')),
                ('started_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'ingestion run',
                'verbose_name_plural': 'ingestion runs',
                'ordering': ['-pk'],
            },
        ),
        migrations.CreateModel(
            name='IngestionItem',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('state', models.CharField(choices=[('discovered', 'waiting'), ('processing', 'being processed'), ('processed', 'processed'), ('unchanged', 'unchanged'), ('empty', 'no text found'), ('failed', 'failed, will be tried again'), ('dead', 'failed for good')], default='discovered', max_length=12, verbose_name='state')),
                ('reason', models.CharField(blank=True, max_length=500, verbose_name='reason')),
                ('attempts', models.PositiveSmallIntegerField(default=0, verbose_name='attempts')),
                ('claimed_at', models.DateTimeField(null=True)),
                ('document', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='retrieval.document')),
                ('hospital', models.ForeignKey(editable=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='zol.hospital', verbose_name='hospital')),
                ('run', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='items', to='retrieval.ingestionrun')),
            ],
            options={
                'verbose_name': 'document of a run',
                'verbose_name_plural': 'documents of a run',
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='Original',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('sha256', models.CharField(max_length=64)),
                ('media_type', models.CharField(max_length=100, verbose_name='media type')),
                ('size', models.PositiveBigIntegerField(verbose_name='size')),
                ('file', models.FileField(max_length=300, upload_to=retrieval.models.documents.original_path)),
                ('hospital', models.ForeignKey(editable=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='zol.hospital', verbose_name='hospital')),
            ],
            options={
                'verbose_name': 'original',
                'verbose_name_plural': 'originals',
            },
        ),
        migrations.AddField(
            model_name='document',
            name='original',
            field=models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.PROTECT, to='retrieval.original', verbose_name='original'),
        ),
        migrations.CreateModel(
            name='RetrievalSetting',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=80, verbose_name='name')),
                ('value', models.JSONField(verbose_name='value')),
                ('hospital', models.ForeignKey(editable=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='zol.hospital', verbose_name='hospital')),
            ],
            options={
                'verbose_name': 'retrieval setting',
                'verbose_name_plural': 'retrieval settings',
                'ordering': ['name'],
            },
        ),
        migrations.CreateModel(
            name='SteeringRoute',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('since', models.PositiveIntegerField(editable=False, null=True)),
                ('until', models.PositiveIntegerField(editable=False, null=True)),
                ('intent', models.CharField(blank=True, choices=retrieval.models.steering.intent_choices, max_length=40, verbose_name='intent')),
                ('topic', models.CharField(blank=True, max_length=40, verbose_name='topic')),
                ('row', models.SlugField(blank=True, help_text='Empty means neutral.', max_length=60, verbose_name='matrix row')),
                ('hospital', models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='zol.hospital', verbose_name='hospital')),
            ],
            options={
                'verbose_name': 'steering route',
                'verbose_name_plural': 'steering routes',
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='UnitPhrase',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('since', models.PositiveIntegerField(editable=False, null=True)),
                ('until', models.PositiveIntegerField(editable=False, null=True)),
                ('dimension', models.CharField(max_length=20, verbose_name='dimension')),
                ('language', models.CharField(choices=zol.languages.Language.choices, max_length=2, verbose_name='language')),
                ('question_phrase', models.CharField(max_length=60, verbose_name='phrase')),
                ('unit', models.CharField(max_length=30, verbose_name='unit')),
                ('hospital', models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='zol.hospital', verbose_name='hospital')),
            ],
            options={
                'verbose_name': 'unit phrase',
                'verbose_name_plural': 'unit phrases',
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='AffinityCell',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('since', models.PositiveIntegerField(editable=False, null=True)),
                ('until', models.PositiveIntegerField(editable=False, null=True)),
                ('row', models.SlugField(max_length=60, verbose_name='matrix row')),
                ('category', models.SlugField(max_length=40, verbose_name='category')),
                ('factor', models.FloatField(help_text='From 0.55 to 1.30; 1 is neutral.', verbose_name='factor')),
                ('hospital', models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='zol.hospital', verbose_name='hospital')),
            ],
            options={
                'verbose_name': 'affinity',
                'verbose_name_plural': 'affinity matrix',
                'ordering': ['row', 'category'],
                'constraints': [models.UniqueConstraint(fields=('hospital', 'row', 'category'), name='affinity_once'), models.CheckConstraint(condition=models.Q(('factor__gte', 0.55), ('factor__lte', 1.3)), name='affinity_within_bounds', violation_error_message='An affinity lies between 0.55 and 1.30.')],
            },
        ),
        migrations.CreateModel(
            name='CategoryFilter',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('since', models.PositiveIntegerField(editable=False, null=True)),
                ('until', models.PositiveIntegerField(editable=False, null=True)),
                ('intent', models.CharField(choices=retrieval.models.steering.intent_choices, max_length=40, verbose_name='intent')),
                ('document_category', models.CharField(choices=[('Department', 'Department'), ('Doctor', 'Doctor'), ('Contact', 'Contact'), ('Location', 'Location'), ('Appointment', 'Appointment'), ('Brochure', 'Brochure'), ('News', 'News'), ('Practical', 'Practical'), ('Legal', 'Legal'), ('Billing', 'Billing'), ('Condition', 'Condition'), ('Treatment', 'Treatment'), ('Examination', 'Examination'), ('Miscellaneous', 'Miscellaneous')], max_length=20, verbose_name='category of page')),
                ('is_preferred', models.BooleanField(default=False, help_text='Pages of this category are lifted, not only searched.', verbose_name='preferred')),
                ('hospital', models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='zol.hospital', verbose_name='hospital')),
            ],
            options={
                'verbose_name': 'category filter',
                'verbose_name_plural': 'category filters',
                'ordering': ['pk'],
                'constraints': [models.UniqueConstraint(fields=('hospital', 'intent', 'document_category'), name='category_filter_once')],
            },
        ),
        migrations.CreateModel(
            name='CategoryKeyword',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('since', models.PositiveIntegerField(editable=False, null=True)),
                ('until', models.PositiveIntegerField(editable=False, null=True)),
                ('category', models.SlugField(max_length=40, verbose_name='category')),
                ('language', models.CharField(choices=zol.languages.Language.choices, max_length=2, verbose_name='language')),
                ('keyword', models.CharField(max_length=100, verbose_name='word or phrase')),
                ('weight', models.FloatField(default=1.0, help_text='1 is a hint, 3 is decisive.', verbose_name='weight')),
                ('hospital', models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='zol.hospital', verbose_name='hospital')),
            ],
            options={
                'verbose_name': 'category keyword',
                'verbose_name_plural': 'category keywords',
                'ordering': ['category', 'language', 'keyword'],
                'constraints': [models.UniqueConstraint(fields=('hospital', 'category', 'language', 'keyword'), name='keyword_once'), models.CheckConstraint(condition=models.Q(('weight__gt', 0), ('weight__lte', 5)), name='keyword_weight_within_bounds')],
            },
        ),
        migrations.CreateModel(
            name='ChunkStatements',
            fields=[
                ('chunk', models.OneToOneField(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, primary_key=True, related_name='+', serialize=False, to='retrieval.chunk')),
                ('key', models.BinaryField(max_length=16)),
                ('vectors', models.BinaryField()),
                ('pieces', models.BinaryField(default=bytes)),
                ('hospital', models.ForeignKey(editable=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='zol.hospital', verbose_name='hospital')),
            ],
            options={
                'verbose_name': 'vectors of statements',
                'verbose_name_plural': 'vectors of statements',
            },
        ),
        migrations.CreateModel(
            name='ContentCategory',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('since', models.PositiveIntegerField(editable=False, null=True)),
                ('until', models.PositiveIntegerField(editable=False, null=True)),
                ('category', models.SlugField(max_length=40, verbose_name='category')),
                ('guard_en', models.TextField(blank=True, help_text='Part of the prompt, in English.', verbose_name='prompt guard')),
                ('name_nl', models.CharField(blank=True, max_length=80, verbose_name='Nederlands')),
                ('name_en', models.CharField(blank=True, max_length=80, verbose_name='English')),
                ('name_fr', models.CharField(blank=True, max_length=80, verbose_name='Français')),
                ('name_de', models.CharField(blank=True, max_length=80, verbose_name='Deutsch')),
                ('name_tr', models.CharField(blank=True, max_length=80, verbose_name='Türkçe')),
                ('name_it', models.CharField(blank=True, max_length=80, verbose_name='Italiano')),
                ('name_ro', models.CharField(blank=True, max_length=80, verbose_name='Română')),
                ('name_el', models.CharField(blank=True, max_length=80, verbose_name='Ελληνικά')),
                ('hospital', models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='zol.hospital', verbose_name='hospital')),
            ],
            options={
                'verbose_name': 'content category',
                'verbose_name_plural': 'content categories',
                'ordering': ['pk'],
                'constraints': [models.UniqueConstraint(fields=('hospital', 'category'), name='content_category_once')],
            },
        ),
        migrations.AddConstraint(
            model_name='chunk',
            constraint=models.UniqueConstraint(deferrable=django.db.models.constraints.Deferrable['DEFERRED'], fields=('document', 'ordinal'), name='chunk_place_once'),
        ),
        migrations.AddConstraint(
            model_name='ingestionitem',
            constraint=models.UniqueConstraint(fields=('run', 'document'), name='document_once_in_a_run'),
        ),
        migrations.AddConstraint(
            model_name='original',
            constraint=models.UniqueConstraint(fields=('hospital', 'sha256'), name='original_kept_once'),
        ),
        migrations.AddConstraint(
            model_name='document',
            constraint=models.UniqueConstraint(fields=('hospital', 'path'), name='document_path_once'),
        ),
        migrations.AddConstraint(
            model_name='document',
            constraint=models.CheckConstraint(condition=models.Q(('authority__gte', 0.3), ('authority__lte', 1.0)), name='authority_within_bounds'),
        ),
        migrations.AddConstraint(
            model_name='document',
            constraint=models.CheckConstraint(condition=models.Q(('url_tier__gte', 1), ('url_tier__lte', 3)), name='tier_within_bounds'),
        ),
        migrations.AddConstraint(
            model_name='retrievalsetting',
            constraint=models.UniqueConstraint(fields=('hospital', 'name'), name='retrieval_setting_once'),
        ),
        migrations.AddConstraint(
            model_name='steeringroute',
            constraint=models.UniqueConstraint(fields=('hospital', 'intent', 'topic'), name='route_once'),
        ),
        *map(HospitalRows, OF_HOSPITAL),
        *(DefaultRows(table, table.replace('_', '.')) for table in DEFAULTS),
        SameHospital('retrieval_document', 'original_id', 'retrieval_original'),
        SameHospital('retrieval_chunk', 'document_id', 'retrieval_document'),
        SameHospital('retrieval_chunkstatements', 'chunk_id', 'retrieval_chunk', on_delete='CASCADE'),
        SameHospital('retrieval_ingestionitem', 'run_id', 'retrieval_ingestionrun'),
        SameHospital('retrieval_ingestionitem', 'document_id', 'retrieval_document'),
        migrations.RunSQL(AS_THEY_ARE),
        # Loads the extension's library, so that its settings may be set by an owner that is no superuser.
        migrations.RunSQL("SELECT '[1]'::vector"),
        *(
            migrations.RunSQL([(SQL / f'{name}.sql').read_text(encoding='utf-8')])
            for name in ('tables', 'writing', 'packing', 'staging', 'keyword', 'search')
        ),
    ]
