"""What a hospital is made of, its releases, and what the database itself keeps of both."""

import django.contrib.postgres.fields
import django.db.models.deletion
import taxonomy.models.entities
import taxonomy.models.relations
import zol.languages
from django.conf import settings
from django.db import migrations, models

from taxonomy.models.rules import POINTER_MOVES, RELEASE_MOVES, SAME_VERSION
from zol.postgres.operations import (
    DefaultRows,
    HospitalRows,
    RowsOfParent,
    SameHospital,
    SharedRows,
    WrittenByOwner,
    WrittenOnce,
)

#: A hospital sees and touches only its own rows of these.
OF_HOSPITAL = (
    'taxonomy_alias',
    'taxonomy_entity',
    'taxonomy_fact',
    'taxonomy_livepointer',
    'taxonomy_merger',
    'taxonomy_ownnames',
    'taxonomy_pagereading',
    'taxonomy_proposal',
    'taxonomy_publishedentity',
    'taxonomy_publishedrelation',
    'taxonomy_relation',
    'taxonomy_release',
    'taxonomy_releasecomment',
    'taxonomy_snomedchange',
    'taxonomy_snomedproposal',
    'taxonomy_version',
)
#: The product comes with rows of these.
DEFAULTS = (
    'taxonomy_complaintroute',
    'taxonomy_lexiconconcept',
    'taxonomy_populationcue',
)
#: Tables of one kind of entity each.
KINDS = (
    'taxonomy_campus',
    'taxonomy_condition',
    'taxonomy_department',
    'taxonomy_doctor',
    'taxonomy_examination',
    'taxonomy_specialty',
    'taxonomy_treatment',
)
#: Column and target of what stays within one hospital.
JOINS = (
    ('taxonomy_alias', 'entity_id', 'taxonomy_entity'),
    ('taxonomy_livepointer', 'version_id', 'taxonomy_version'),
    ('taxonomy_merger', 'source_id', 'taxonomy_entity'),
    ('taxonomy_merger', 'target_id', 'taxonomy_entity'),
    ('taxonomy_proposal', 'subject_id', 'taxonomy_entity'),
    ('taxonomy_proposal', 'object_id', 'taxonomy_entity'),
    ('taxonomy_publishedentity', 'version_id', 'taxonomy_version'),
    ('taxonomy_publishedrelation', 'version_id', 'taxonomy_version'),
    ('taxonomy_publishedrelation', 'subject_id', 'taxonomy_publishedentity'),
    ('taxonomy_publishedrelation', 'object_id', 'taxonomy_publishedentity'),
    ('taxonomy_relation', 'subject_id', 'taxonomy_entity'),
    ('taxonomy_relation', 'object_id', 'taxonomy_entity'),
    ('taxonomy_release', 'version_id', 'taxonomy_version'),
    ('taxonomy_release', 'base_id', 'taxonomy_version'),
    ('taxonomy_releasecomment', 'release_id', 'taxonomy_release'),
    ('taxonomy_snomedchange', 'entity_id', 'taxonomy_entity'),
    ('taxonomy_snomedproposal', 'entity_id', 'taxonomy_entity'),
)
#: Written once.
ONCE = (
    'taxonomy_publishedentity',
    'taxonomy_publishedrelation',
    'taxonomy_releasecomment',
    'taxonomy_rowset',
    'taxonomy_version',
)
#: Written by the owner: no hospital's.
SNOMED = (
    'taxonomy_snomedconcept',
    'taxonomy_snomeddescription',
    'taxonomy_snomedisa',
    'taxonomy_snomedrelationship',
    'taxonomy_snomedrelease',
)


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('zol', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Entity',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=taxonomy.models.entities.kind_choices, editable=False, max_length=20, verbose_name='kind')),
                ('key', models.SlugField(help_text='Short and stable, for imports and links.', max_length=120, verbose_name='key')),
                ('name', models.CharField(max_length=200, verbose_name='name')),
                ('canonical_name', models.CharField(blank=True, help_text='As it is filed; empty means the name.', max_length=200, verbose_name='canonical name')),
                ('url', models.URLField(blank=True, max_length=500, verbose_name='page')),
                ('status', models.CharField(choices=[('active', 'active'), ('hidden', 'hidden: not published')], default='active', max_length=10, verbose_name='status')),
                ('review_by', models.DateField(blank=True, null=True, verbose_name='review by')),
                ('position', models.PositiveIntegerField(default=0, editable=False, verbose_name='position')),
                ('hospital', models.ForeignKey(editable=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='zol.hospital', verbose_name='hospital')),
                ('owner', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='owner')),
            ],
            options={
                'verbose_name': 'entity',
                'verbose_name_plural': 'entities',
                'ordering': ['kind', 'position', 'name'],
            },
        ),
        migrations.CreateModel(
            name='SnomedConcept',
            fields=[
                ('id', models.BigIntegerField(primary_key=True, serialize=False)),
                ('is_active', models.BooleanField()),
                ('effective', models.DateField()),
            ],
        ),
        migrations.CreateModel(
            name='Campus',
            fields=[
                ('entity_ptr', models.OneToOneField(auto_created=True, on_delete=django.db.models.deletion.CASCADE, parent_link=True, primary_key=True, serialize=False, to='taxonomy.entity')),
                ('street', models.CharField(blank=True, max_length=200, verbose_name='street and number')),
                ('postcode', models.CharField(blank=True, max_length=12, verbose_name='postcode')),
                ('city', models.CharField(blank=True, max_length=100, verbose_name='town')),
                ('phone', models.CharField(blank=True, max_length=40, verbose_name='telephone')),
                ('hours', models.CharField(blank=True, max_length=500, validators=[taxonomy.models.entities.validate_hours], verbose_name='opening hours')),
                ('latitude', models.DecimalField(blank=True, decimal_places=6, max_digits=9, null=True, verbose_name='latitude')),
                ('longitude', models.DecimalField(blank=True, decimal_places=6, max_digits=9, null=True, verbose_name='longitude')),
            ],
            options={
                'verbose_name': 'campus',
                'verbose_name_plural': 'campuses',
            },
            bases=('taxonomy.entity',),
        ),
        migrations.CreateModel(
            name='Condition',
            fields=[
                ('entity_ptr', models.OneToOneField(auto_created=True, on_delete=django.db.models.deletion.CASCADE, parent_link=True, primary_key=True, serialize=False, to='taxonomy.entity')),
                ('latin', models.CharField(blank=True, max_length=200, verbose_name='Latin name')),
                ('snomed', models.CharField(blank=True, max_length=18, verbose_name='SNOMED CT concept')),
            ],
            options={
                'verbose_name': 'condition',
                'verbose_name_plural': 'conditions',
            },
            bases=('taxonomy.entity',),
        ),
        migrations.CreateModel(
            name='Department',
            fields=[
                ('entity_ptr', models.OneToOneField(auto_created=True, on_delete=django.db.models.deletion.CASCADE, parent_link=True, primary_key=True, serialize=False, to='taxonomy.entity')),
                ('sort', models.CharField(choices=[('department', 'department'), ('service', 'service'), ('ward', 'ward')], default='department', max_length=12, verbose_name='sort')),
                ('phone', models.CharField(blank=True, max_length=40, verbose_name='telephone')),
                ('email', models.EmailField(blank=True, max_length=254, verbose_name='e-mail')),
                ('hours', models.CharField(blank=True, max_length=500, validators=[taxonomy.models.entities.validate_hours], verbose_name='visiting and consultation hours')),
            ],
            options={
                'verbose_name': 'department',
                'verbose_name_plural': 'departments',
            },
            bases=('taxonomy.entity',),
        ),
        migrations.CreateModel(
            name='Doctor',
            fields=[
                ('entity_ptr', models.OneToOneField(auto_created=True, on_delete=django.db.models.deletion.CASCADE, parent_link=True, primary_key=True, serialize=False, to='taxonomy.entity')),
                ('title', models.CharField(blank=True, max_length=40, verbose_name='title')),
                ('first_name', models.CharField(blank=True, max_length=80, verbose_name='first name')),
                ('last_name', models.CharField(max_length=120, verbose_name='last name')),
                ('gender', models.CharField(blank=True, choices=[('f', 'woman'), ('m', 'man'), ('x', 'other')], max_length=1, verbose_name='gender')),
                ('specialty', models.CharField(blank=True, max_length=200, verbose_name='specialty')),
                ('languages', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=12), blank=True, default=list, help_text='Codes with commas between them: nl,fr,en', size=None, verbose_name='languages spoken')),
                ('schedule', taxonomy.models.entities.ScheduleField(blank=True, help_text='For example: ma 9:00-12:00@sint-jan|do 13:30-17:00@sint-barbara', max_length=1000, verbose_name='consultation schedule')),
                ('absent_until', models.DateField(blank=True, help_text='The day on which the doctor is back; until then patients are told.', null=True, verbose_name='absent until')),
            ],
            options={
                'verbose_name': 'doctor',
                'verbose_name_plural': 'doctors',
            },
            bases=('taxonomy.entity',),
        ),
        migrations.CreateModel(
            name='Examination',
            fields=[
                ('entity_ptr', models.OneToOneField(auto_created=True, on_delete=django.db.models.deletion.CASCADE, parent_link=True, primary_key=True, serialize=False, to='taxonomy.entity')),
                ('snomed', models.CharField(blank=True, max_length=18, verbose_name='SNOMED CT concept')),
            ],
            options={
                'verbose_name': 'examination',
                'verbose_name_plural': 'examinations',
            },
            bases=('taxonomy.entity',),
        ),
        migrations.CreateModel(
            name='Specialty',
            fields=[
                ('entity_ptr', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, parent_link=True, primary_key=True, related_name='as_specialty', serialize=False, to='taxonomy.entity')),
            ],
            options={
                'verbose_name': 'specialty',
                'verbose_name_plural': 'specialties',
            },
            bases=('taxonomy.entity',),
        ),
        migrations.CreateModel(
            name='Treatment',
            fields=[
                ('entity_ptr', models.OneToOneField(auto_created=True, on_delete=django.db.models.deletion.CASCADE, parent_link=True, primary_key=True, serialize=False, to='taxonomy.entity')),
                ('latin', models.CharField(blank=True, max_length=200, verbose_name='Latin name')),
                ('snomed', models.CharField(blank=True, max_length=18, verbose_name='SNOMED CT concept')),
            ],
            options={
                'verbose_name': 'treatment',
                'verbose_name_plural': 'treatments',
            },
            bases=('taxonomy.entity',),
        ),
        migrations.CreateModel(
            name='Alias',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('entity_kind', models.CharField(choices=taxonomy.models.entities.kind_choices, editable=False, max_length=20, verbose_name='kind')),
                ('text', models.CharField(max_length=200, verbose_name='word or phrase')),
                ('folded', models.CharField(editable=False, max_length=220)),
                ('language', models.CharField(choices=zol.languages.Language.choices, default='nl', max_length=2, verbose_name='language')),
                ('kind', models.CharField(choices=[('synonym', 'synonym'), ('lay', 'everyday word'), ('latin', 'Latin'), ('abbreviation', 'abbreviation'), ('misspelling', 'misspelling'), ('profession', 'profession')], default='synonym', max_length=12, verbose_name='sort')),
                ('position', models.PositiveIntegerField(default=0, editable=False, verbose_name='position')),
                ('hospital', models.ForeignKey(editable=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='zol.hospital', verbose_name='hospital')),
                ('entity', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='aliases', to='taxonomy.entity', verbose_name='entity')),
            ],
            options={
                'verbose_name': 'alias',
                'verbose_name_plural': 'aliases',
                'ordering': ['position', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='ComplaintRoute',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('since', models.PositiveIntegerField(editable=False, null=True)),
                ('until', models.PositiveIntegerField(editable=False, null=True)),
                ('complaint', models.CharField(help_text='A concept of the lexicon, such as “earache” or “ear”.', max_length=80, verbose_name='complaint or part of the body')),
                ('specialty', models.CharField(help_text="A concept of the lexicon, such as “ent”: the hospital's department is named.", max_length=80, verbose_name='specialty')),
                ('weight', models.FloatField(default=1.0, help_text='Of several complaints in one question the weights are added up. From 4 on the route decides, whatever the product has learned.', verbose_name='weight')),
                ('hospital', models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='zol.hospital', verbose_name='hospital')),
            ],
            options={
                'verbose_name': 'route of a complaint',
                'verbose_name_plural': 'routes of complaints',
                'ordering': ['complaint', '-weight'],
            },
        ),
        migrations.CreateModel(
            name='Fact',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('need', models.CharField(choices=taxonomy.models.relations.need_choices, max_length=40, verbose_name='need')),
                ('conditions', models.JSONField(blank=True, default=dict, verbose_name='conditions')),
                ('value', models.TextField(verbose_name='value')),
                ('source', models.CharField(blank=True, help_text='The path of the page that says so, such as praktisch/bezoekuren.html.', max_length=300, verbose_name='source page')),
                ('sentence', models.TextField(blank=True, help_text='As it stands on that page; when it is no longer there, the list says so.', verbose_name='sentence')),
                ('valid_from', models.DateField(blank=True, null=True, verbose_name='valid from')),
                ('valid_to', models.DateField(blank=True, null=True, verbose_name='valid until')),
                ('position', models.PositiveIntegerField(default=0, editable=False)),
                ('hospital', models.ForeignKey(editable=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='zol.hospital', verbose_name='hospital')),
                ('subject', models.ForeignKey(blank=True, help_text='Empty: the hospital as a whole.', null=True, on_delete=django.db.models.deletion.CASCADE, related_name='facts', to='taxonomy.entity', verbose_name='subject')),
            ],
            options={
                'verbose_name': 'fact',
                'verbose_name_plural': 'facts',
                'ordering': ['need', 'subject__name', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='LexiconConcept',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('since', models.PositiveIntegerField(editable=False, null=True)),
                ('until', models.PositiveIntegerField(editable=False, null=True)),
                ('concept', models.CharField(max_length=80, verbose_name='concept')),
                ('kind', models.CharField(choices=[('function', 'function word'), ('practical', 'practical matter'), ('body', 'body'), ('symptom', 'symptom'), ('condition', 'condition'), ('specialty', 'specialty'), ('examination', 'examination'), ('treatment', 'treatment'), ('money', 'money and insurance'), ('rights', 'rights'), ('person', 'person'), ('time', 'time'), ('place', 'place'), ('everyday', 'everyday word')], max_length=20, verbose_name='kind')),
                ('nl', models.TextField(blank=True, verbose_name='Nederlands')),
                ('en', models.TextField(blank=True, verbose_name='English')),
                ('fr', models.TextField(blank=True, verbose_name='Français')),
                ('de', models.TextField(blank=True, verbose_name='Deutsch')),
                ('tr', models.TextField(blank=True, verbose_name='Türkçe')),
                ('it', models.TextField(blank=True, verbose_name='Italiano')),
                ('ro', models.TextField(blank=True, verbose_name='Română')),
                ('el', models.TextField(blank=True, verbose_name='Ελληνικά')),
                ('note', models.CharField(blank=True, max_length=200, verbose_name='note')),
                ('hospital', models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='zol.hospital', verbose_name='hospital')),
            ],
            options={
                'verbose_name': 'lexicon concept',
                'verbose_name_plural': 'lexicon',
                'ordering': ['concept'],
            },
        ),
        migrations.CreateModel(
            name='Merger',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=taxonomy.models.entities.kind_choices, max_length=20, verbose_name='kind')),
                ('old_key', models.CharField(max_length=120, verbose_name='old key')),
                ('old_name', models.CharField(max_length=200, verbose_name='old name')),
                ('old_url', models.URLField(blank=True, max_length=500, verbose_name='old page')),
                ('moved', models.JSONField(default=dict, editable=False)),
                ('collisions', models.JSONField(default=list, verbose_name='left as they were')),
                ('at', models.DateTimeField(auto_now_add=True, verbose_name='merged at')),
                ('undone_at', models.DateTimeField(null=True, verbose_name='undone at')),
                ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='merged by')),
                ('hospital', models.ForeignKey(editable=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='zol.hospital', verbose_name='hospital')),
                ('source', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='taxonomy.entity', verbose_name='given up')),
                ('target', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='mergers', to='taxonomy.entity', verbose_name='kept')),
                ('undone_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='undone by')),
            ],
            options={
                'verbose_name': 'merger',
                'verbose_name_plural': 'mergers',
                'ordering': ['-pk'],
            },
        ),
        migrations.CreateModel(
            name='OwnNames',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('row_set', models.CharField(max_length=80)),
                ('names', models.JSONField(default=dict)),
                ('hospital', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='zol.hospital')),
            ],
        ),
        migrations.CreateModel(
            name='PageReading',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('total', models.PositiveIntegerField(default=0, verbose_name='pages')),
                ('done', models.PositiveIntegerField(default=0, verbose_name='read')),
                ('made', models.PositiveIntegerField(default=0, verbose_name='new proposals')),
                ('started_at', models.DateTimeField(auto_now_add=True, verbose_name='started')),
                ('moved_at', models.DateTimeField(auto_now=True)),
                ('finished_at', models.DateTimeField(null=True, verbose_name='finished')),
                ('hospital', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='zol.hospital')),
            ],
            options={
                'verbose_name': 'reading of pages',
                'verbose_name_plural': 'readings of pages',
                'ordering': ['-pk'],
            },
        ),
        migrations.CreateModel(
            name='PopulationCue',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('since', models.PositiveIntegerField(editable=False, null=True)),
                ('until', models.PositiveIntegerField(editable=False, null=True)),
                ('sort', models.CharField(choices=[('title', "title before a doctor's name"), ('particle', 'small word within a surname'), ('no_name', "never part of a doctor's name"), ('unit', 'general word for a department'), ('handles', 'a department handles a condition'), ('offers', 'a department offers a treatment'), ('performs', 'a department performs an examination'), ('works_in', 'a doctor works in a department'), ('alias', 'another word follows'), ('not', 'takes back what the sentence says')], max_length=10, verbose_name='says that')),
                ('language', models.CharField(choices=zol.languages.Language.choices, max_length=2, verbose_name='language')),
                ('phrase', models.CharField(help_text='As pages write them; capitals and accents make no difference.', max_length=80, verbose_name='words')),
                ('hospital', models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='zol.hospital', verbose_name='hospital')),
            ],
            options={
                'verbose_name': 'words that lead to a proposal',
                'verbose_name_plural': 'words that lead to proposals',
                'ordering': ['sort', 'language', 'phrase'],
            },
        ),
        migrations.CreateModel(
            name='Proposal',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('status', models.CharField(choices=[('open', 'to decide'), ('accepted', 'accepted'), ('rejected', 'rejected')], default='open', max_length=10, verbose_name='status')),
                ('outcome', models.TextField(blank=True, verbose_name='outcome')),
                ('decided_at', models.DateTimeField(blank=True, null=True, verbose_name='decided at')),
                ('sort', models.CharField(choices=[('entity', 'new entity'), ('alias', 'other word'), ('relation', 'relation'), ('merge', 'perhaps the same')], max_length=10, verbose_name='proposal')),
                ('identity', models.CharField(editable=False, max_length=500)),
                ('kind', models.CharField(choices=taxonomy.models.entities.kind_choices, max_length=20, verbose_name='kind')),
                ('name', models.CharField(blank=True, max_length=200, verbose_name='name or word')),
                ('language', models.CharField(blank=True, max_length=8, verbose_name='language')),
                ('data', models.JSONField(default=dict, editable=False)),
                ('predicate', models.CharField(blank=True, choices=[('WORKS_IN', 'works in'), ('HANDLES', 'handles'), ('TREATS', 'treats'), ('TREATED_BY', 'is treated by'), ('OFFERS', 'offers'), ('PERFORMS', 'performs'), ('LOCATED_AT', 'is located at'), ('HAS_CAMPUS', 'has the campus'), ('BELONGS_TO', 'belongs to'), ('PART_OF', 'is part of'), ('HAS_FACILITY', 'has the facility')], max_length=20, verbose_name='relation')),
                ('sources', models.JSONField(default=list, editable=False)),
                ('sentence', models.TextField(blank=True, verbose_name='sentence')),
                ('page', models.CharField(blank=True, max_length=300, verbose_name='page')),
                ('support', models.PositiveIntegerField(default=1, verbose_name='pages')),
                ('doubt', models.CharField(blank=True, max_length=300, verbose_name='doubt of the model')),
                ('is_checked', models.BooleanField(default=False, editable=False, verbose_name='checked by a model')),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='proposed at')),
                ('decided_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='decided by')),
                ('hospital', models.ForeignKey(editable=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='zol.hospital', verbose_name='hospital')),
                ('object', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='taxonomy.entity', verbose_name='object')),
                ('subject', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='taxonomy.entity', verbose_name='subject')),
            ],
            options={
                'verbose_name': 'proposal from pages',
                'verbose_name_plural': 'proposals from pages',
                'ordering': ['sort', 'kind', '-support', 'name', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='PublishedEntity',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=20)),
                ('key', models.CharField(max_length=120)),
                ('name', models.CharField(max_length=200)),
                ('data', models.JSONField()),
                ('position', models.PositiveIntegerField(default=0)),
                ('hospital', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='zol.hospital')),
            ],
            options={
                'verbose_name': 'published entity',
                'verbose_name_plural': 'published entities',
                'ordering': ['kind', 'position', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='Relation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('predicate', models.CharField(choices=[('WORKS_IN', 'works in'), ('HANDLES', 'handles'), ('TREATS', 'treats'), ('TREATED_BY', 'is treated by'), ('OFFERS', 'offers'), ('PERFORMS', 'performs'), ('LOCATED_AT', 'is located at'), ('HAS_CAMPUS', 'has the campus'), ('BELONGS_TO', 'belongs to'), ('PART_OF', 'is part of'), ('HAS_FACILITY', 'has the facility')], max_length=20, verbose_name='relation')),
                ('subject_kind', models.CharField(choices=taxonomy.models.entities.kind_choices, editable=False, max_length=20)),
                ('object_kind', models.CharField(choices=taxonomy.models.entities.kind_choices, editable=False, max_length=20)),
                ('origin', models.CharField(choices=[('column', 'with the entity'), ('list', 'listed separately')], default='column', editable=False, max_length=10)),
                ('position', models.PositiveIntegerField(default=0, editable=False, verbose_name='position')),
                ('hospital', models.ForeignKey(editable=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='zol.hospital', verbose_name='hospital')),
                ('object', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='inverse_relations', to='taxonomy.entity', verbose_name='object')),
                ('subject', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='relations', to='taxonomy.entity', verbose_name='subject')),
            ],
            options={
                'verbose_name': 'relation',
                'verbose_name_plural': 'relations',
                'ordering': ['position', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='Release',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('title', models.CharField(help_text='A few words: “New doctors of November”.', max_length=120, verbose_name='title')),
                ('note', models.TextField(blank=True, help_text='For the colleague who approves it, and for who looks back later.', verbose_name='what changes, and why')),
                ('state', models.CharField(choices=[('draft', 'draft'), ('in_review', 'in review'), ('approved', 'approved'), ('scheduled', 'scheduled'), ('published', 'live'), ('superseded', 'was live'), ('rejected', 'rejected')], default='draft', max_length=12, verbose_name='state')),
                ('origin', models.CharField(choices=[('release', 'release'), ('first', 'first version'), ('earlier', 'before releases')], default='release', editable=False, max_length=10)),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='opened at')),
                ('submitted_at', models.DateTimeField(blank=True, null=True, verbose_name='submitted at')),
                ('authors', django.contrib.postgres.fields.ArrayField(base_field=models.BigIntegerField(), blank=True, default=list, editable=False, size=None)),
                ('approved_at', models.DateTimeField(blank=True, null=True, verbose_name='approved at')),
                ('reason', models.TextField(blank=True, verbose_name='reason of the rejection')),
                ('goes_live_at', models.DateTimeField(blank=True, null=True, verbose_name='goes live at')),
                ('published_at', models.DateTimeField(blank=True, null=True, verbose_name='went live at')),
                ('preview', models.JSONField(blank=True, editable=False, null=True)),
                ('previewed_at', models.DateTimeField(blank=True, null=True, verbose_name='preview made at')),
                ('broken', models.PositiveIntegerField(blank=True, null=True, verbose_name='golden questions it breaks')),
                ('broken_reason', models.TextField(blank=True, verbose_name='why it is published nevertheless')),
                ('urgent_reason', models.TextField(blank=True, verbose_name='why it could not wait')),
                ('reviewed_at', models.DateTimeField(blank=True, null=True, verbose_name='looked at afterwards')),
                ('approved_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='approved by')),
                ('broken_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='who said why')),
                ('created_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='opened by')),
                ('hospital', models.ForeignKey(editable=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='zol.hospital')),
                ('published_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='published by')),
                ('reviewed_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='looked at afterwards by')),
                ('scheduled_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='scheduled by')),
                ('submitted_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='submitted by')),
                ('urgent_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='published urgently by')),
            ],
            options={
                'verbose_name': 'release',
                'verbose_name_plural': 'releases',
                'ordering': ['-pk'],
                'permissions': [('approve', 'Can approve or reject a release'), ('publish', 'Can publish an approved release or activate an earlier version')],
            },
        ),
        migrations.CreateModel(
            name='ReleaseComment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(auto_now_add=True)),
                ('text', models.TextField(verbose_name='comment')),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('hospital', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='zol.hospital')),
                ('release', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='comments', to='taxonomy.release')),
            ],
            options={
                'verbose_name': 'comment',
                'verbose_name_plural': 'comments',
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='RowSet',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('row_set', models.CharField(max_length=80)),
                ('digest', models.CharField(max_length=64)),
                ('rows', models.JSONField()),
                ('hospital', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='zol.hospital')),
            ],
            options={
                'verbose_name': 'published row set',
                'verbose_name_plural': 'published row sets',
            },
        ),
        migrations.CreateModel(
            name='SnomedDescription',
            fields=[
                ('id', models.BigIntegerField(primary_key=True, serialize=False)),
                ('concept', models.BigIntegerField()),
                ('language', models.CharField(max_length=8)),
                ('sort', models.CharField(choices=[('f', 'fully specified name'), ('s', 'synonym'), ('d', 'definition')], max_length=1)),
                ('acceptability', models.CharField(choices=[('p', 'preferred'), ('a', 'acceptable'), ('n', 'not accepted')], max_length=1)),
                ('size', models.SmallIntegerField()),
                ('key', models.CharField(max_length=200)),
                ('term', models.TextField()),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('key', ''), _negated=True), fields=['key'], name='snomed_term_key'), models.Index(fields=['concept'], name='snomed_term_concept')],
            },
        ),
        migrations.CreateModel(
            name='SnomedIsA',
            fields=[
                ('pk', models.CompositePrimaryKey('ancestor', 'descendant', blank=True, editable=False, primary_key=True, serialize=False)),
                ('ancestor', models.BigIntegerField()),
                ('descendant', models.BigIntegerField()),
                ('distance', models.SmallIntegerField()),
            ],
            options={
                'indexes': [models.Index(fields=['descendant'], name='snomed_isa_descendant')],
            },
        ),
        migrations.CreateModel(
            name='SnomedProposal',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('status', models.CharField(choices=[('open', 'to decide'), ('accepted', 'accepted'), ('rejected', 'rejected')], default='open', max_length=10, verbose_name='status')),
                ('outcome', models.TextField(blank=True, verbose_name='outcome')),
                ('decided_at', models.DateTimeField(blank=True, null=True, verbose_name='decided at')),
                ('concept', models.BigIntegerField(verbose_name='SNOMED CT concept')),
                ('preferred_term', models.CharField(max_length=400, verbose_name='preferred term')),
                ('synonyms', models.JSONField(default=list, verbose_name='synonyms')),
                ('matched_by', models.CharField(choices=[('code', 'its SNOMED code'), ('name', 'its name'), ('latin', 'its Latin name'), ('alias', 'another word for it')], max_length=10, verbose_name='recognised by')),
                ('matched_text', models.CharField(max_length=200, verbose_name='words')),
                ('rivals', models.PositiveIntegerField(default=0, verbose_name='other concepts that fit')),
                ('release', models.CharField(max_length=160, verbose_name='release')),
                ('decided_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='decided by')),
                ('entity', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='snomed_proposals', to='taxonomy.entity', verbose_name='entity')),
                ('hospital', models.ForeignKey(editable=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='zol.hospital', verbose_name='hospital')),
            ],
            options={
                'verbose_name': 'SNOMED CT proposal',
                'verbose_name_plural': 'SNOMED CT proposals',
                'ordering': ['entity__kind', 'entity__name', 'rivals', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='SnomedRelationship',
            fields=[
                ('id', models.BigIntegerField(primary_key=True, serialize=False)),
                ('source', models.BigIntegerField()),
                ('type', models.BigIntegerField()),
                ('destination', models.BigIntegerField()),
            ],
            options={
                'indexes': [models.Index(fields=['source'], name='snomed_relationship_source')],
            },
        ),
        migrations.CreateModel(
            name='SnomedRelease',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('edition', models.CharField(max_length=120, verbose_name='edition')),
                ('effective', models.DateField(verbose_name='date of the release')),
                ('languages', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=8), size=None, verbose_name='languages')),
                ('fingerprint', models.CharField(max_length=64)),
                ('counts', models.JSONField(default=dict, verbose_name='counts')),
                ('changes', models.JSONField(default=dict, verbose_name='changes')),
                ('seconds', models.FloatField(default=0, verbose_name='seconds to load')),
                ('peak_mib', models.PositiveIntegerField(default=0, verbose_name='peak memory (MiB)')),
                ('loaded_at', models.DateTimeField(auto_now_add=True, verbose_name='loaded at')),
                ('is_current', models.BooleanField(default=True, verbose_name='current')),
            ],
            options={
                'verbose_name': 'SNOMED CT release',
                'verbose_name_plural': 'SNOMED CT releases',
                'ordering': ['-pk'],
                'constraints': [models.UniqueConstraint(condition=models.Q(('is_current', True)), fields=('is_current',), name='snomed_one_is_current')],
            },
        ),
        migrations.CreateModel(
            name='SnomedChange',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('concept', models.BigIntegerField(verbose_name='SNOMED CT concept')),
                ('sort', models.CharField(choices=[('added', 'new term'), ('removed', 'term is gone'), ('alias', 'term is gone, and it is an alias of this entity'), ('retired', 'concept is no longer active')], max_length=10, verbose_name='change')),
                ('language', models.CharField(blank=True, max_length=8, verbose_name='language')),
                ('term', models.TextField(blank=True, verbose_name='term')),
                ('entity', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='taxonomy.entity', verbose_name='entity')),
                ('hospital', models.ForeignKey(editable=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='zol.hospital', verbose_name='hospital')),
                ('release', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='taxonomy.snomedrelease', verbose_name='release')),
            ],
            options={
                'verbose_name': 'change by a SNOMED CT release',
                'verbose_name_plural': 'changes by SNOMED CT releases',
                'ordering': ['-release', 'entity__name', 'sort', 'term'],
            },
        ),
        migrations.CreateModel(
            name='Version',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField(verbose_name='number')),
                ('note', models.CharField(blank=True, max_length=500, verbose_name='what changed')),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='published at')),
                ('fingerprint', models.CharField(blank=True, editable=False, max_length=64)),
                ('digests', models.JSONField(default=dict, editable=False)),
                ('last_edit', models.BigIntegerField(default=0, editable=False)),
                ('created_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='published by')),
                ('hospital', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='zol.hospital')),
            ],
            options={
                'verbose_name': 'published version',
                'verbose_name_plural': 'published versions',
                'ordering': ['-number'],
            },
        ),
        migrations.AddField(
            model_name='release',
            name='base',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='taxonomy.version'),
        ),
        migrations.AddField(
            model_name='release',
            name='version',
            field=models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='release', to='taxonomy.version'),
        ),
        migrations.CreateModel(
            name='PublishedRelation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('predicate', models.CharField(max_length=20)),
                ('position', models.PositiveIntegerField(default=0)),
                ('hospital', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='zol.hospital')),
                ('object', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='taxonomy.publishedentity')),
                ('subject', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='taxonomy.publishedentity')),
                ('version', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='relations', to='taxonomy.version')),
            ],
            options={
                'verbose_name': 'published relation',
                'verbose_name_plural': 'published relations',
                'ordering': ['position', 'pk'],
            },
        ),
        migrations.AddField(
            model_name='publishedentity',
            name='version',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='entities', to='taxonomy.version'),
        ),
        migrations.CreateModel(
            name='LivePointer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('activated_at', models.DateTimeField(auto_now=True)),
                ('hospital', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='zol.hospital')),
                ('version', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='taxonomy.version')),
            ],
        ),
        migrations.AddConstraint(
            model_name='entity',
            constraint=models.UniqueConstraint(fields=('hospital', 'kind', 'key'), name='entity_key_once'),
        ),
        migrations.AddConstraint(
            model_name='entity',
            constraint=models.UniqueConstraint(fields=('hospital', 'id', 'kind'), name='entity_with_its_kind'),
        ),
        migrations.AddConstraint(
            model_name='alias',
            constraint=models.UniqueConstraint(fields=('hospital', 'language', 'folded', 'entity_kind'), name='alias_means_one_thing', violation_error_message='Another entity of this kind already has this alias.'),
        ),
        migrations.AddConstraint(
            model_name='complaintroute',
            constraint=models.UniqueConstraint(fields=('hospital', 'complaint', 'specialty'), name='complaint_route_once'),
        ),
        migrations.AddConstraint(
            model_name='fact',
            constraint=models.UniqueConstraint(fields=('hospital', 'need', 'subject', 'conditions', 'valid_from'), name='fact_once', nulls_distinct=False, violation_error_message='There is a fact already for this need and subject, under these conditions.'),
        ),
        migrations.AddConstraint(
            model_name='lexiconconcept',
            constraint=models.UniqueConstraint(fields=('hospital', 'concept'), name='lexicon_concept_once'),
        ),
        migrations.AddConstraint(
            model_name='merger',
            constraint=models.UniqueConstraint(condition=models.Q(('undone_at', None)), fields=('source',), name='merged_once'),
        ),
        migrations.AddConstraint(
            model_name='ownnames',
            constraint=models.UniqueConstraint(fields=('hospital', 'row_set'), name='own_names_once'),
        ),
        migrations.AddConstraint(
            model_name='populationcue',
            constraint=models.UniqueConstraint(fields=('hospital', 'sort', 'language', 'phrase'), name='population_cue_once'),
        ),
        migrations.AddIndex(
            model_name='proposal',
            index=models.Index(fields=['hospital', 'status'], name='proposal_queue'),
        ),
        migrations.AddConstraint(
            model_name='proposal',
            constraint=models.UniqueConstraint(fields=('hospital', 'identity'), name='proposed_once'),
        ),
        migrations.AddIndex(
            model_name='relation',
            index=models.Index(fields=['object', 'predicate'], name='relation_inverse'),
        ),
        migrations.AddConstraint(
            model_name='relation',
            constraint=models.UniqueConstraint(fields=('hospital', 'predicate', 'subject', 'object'), name='relation_once'),
        ),
        migrations.AddConstraint(
            model_name='relation',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('object_kind', 'department'), ('predicate', 'WORKS_IN'), ('subject_kind', 'doctor')), models.Q(('object_kind', 'condition'), ('predicate', 'HANDLES'), ('subject_kind', 'department')), models.Q(('object_kind', 'condition'), ('predicate', 'HANDLES'), ('subject_kind', 'doctor')), models.Q(('object_kind', 'condition'), ('predicate', 'TREATS'), ('subject_kind', 'department')), models.Q(('object_kind', 'condition'), ('predicate', 'TREATS'), ('subject_kind', 'doctor')), models.Q(('object_kind', 'condition'), ('predicate', 'TREATS'), ('subject_kind', 'treatment')), models.Q(('object_kind', 'department'), ('predicate', 'TREATED_BY'), ('subject_kind', 'condition')), models.Q(('object_kind', 'doctor'), ('predicate', 'TREATED_BY'), ('subject_kind', 'condition')), models.Q(('object_kind', 'examination'), ('predicate', 'TREATED_BY'), ('subject_kind', 'condition')), models.Q(('object_kind', 'treatment'), ('predicate', 'TREATED_BY'), ('subject_kind', 'condition')), models.Q(('object_kind', 'treatment'), ('predicate', 'OFFERS'), ('subject_kind', 'department')), models.Q(('object_kind', 'treatment'), ('predicate', 'OFFERS'), ('subject_kind', 'doctor')), models.Q(('object_kind', 'examination'), ('predicate', 'PERFORMS'), ('subject_kind', 'department')), models.Q(('object_kind', 'treatment'), ('predicate', 'PERFORMS'), ('subject_kind', 'department')), models.Q(('object_kind', 'examination'), ('predicate', 'PERFORMS'), ('subject_kind', 'doctor')), models.Q(('object_kind', 'treatment'), ('predicate', 'PERFORMS'), ('subject_kind', 'doctor')), models.Q(('object_kind', 'campus'), ('predicate', 'LOCATED_AT'), ('subject_kind', 'department')), models.Q(('object_kind', 'campus'), ('predicate', 'LOCATED_AT'), ('subject_kind', 'doctor')), models.Q(('object_kind', 'campus'), ('predicate', 'LOCATED_AT'), ('subject_kind', 'examination')), models.Q(('object_kind', 'campus'), ('predicate', 'LOCATED_AT'), ('subject_kind', 'treatment')), models.Q(('object_kind', 'campus'), ('predicate', 'HAS_CAMPUS'), ('subject_kind', 'hospital')), models.Q(('object_kind', 'hospital'), ('predicate', 'BELONGS_TO'), ('subject_kind', 'campus')), models.Q(('object_kind', 'department'), ('predicate', 'BELONGS_TO'), ('subject_kind', 'department')), models.Q(('object_kind', 'specialty'), ('predicate', 'BELONGS_TO'), ('subject_kind', 'doctor')), models.Q(('object_kind', 'department'), ('predicate', 'BELONGS_TO'), ('subject_kind', 'specialty')), models.Q(('object_kind', 'condition'), ('predicate', 'PART_OF'), ('subject_kind', 'condition')), models.Q(('object_kind', 'department'), ('predicate', 'PART_OF'), ('subject_kind', 'department')), models.Q(('object_kind', 'examination'), ('predicate', 'PART_OF'), ('subject_kind', 'examination')), models.Q(('object_kind', 'treatment'), ('predicate', 'PART_OF'), ('subject_kind', 'treatment')), models.Q(('object_kind', 'department'), ('predicate', 'HAS_FACILITY'), ('subject_kind', 'campus')), models.Q(('object_kind', 'examination'), ('predicate', 'HAS_FACILITY'), ('subject_kind', 'campus')), models.Q(('object_kind', 'treatment'), ('predicate', 'HAS_FACILITY'), ('subject_kind', 'campus')), models.Q(('object_kind', 'department'), ('predicate', 'HAS_FACILITY'), ('subject_kind', 'department')), models.Q(('object_kind', 'examination'), ('predicate', 'HAS_FACILITY'), ('subject_kind', 'department')), models.Q(('object_kind', 'treatment'), ('predicate', 'HAS_FACILITY'), ('subject_kind', 'department')), models.Q(('object_kind', 'department'), ('predicate', 'HAS_FACILITY'), ('subject_kind', 'hospital')), models.Q(('object_kind', 'examination'), ('predicate', 'HAS_FACILITY'), ('subject_kind', 'hospital')), models.Q(('object_kind', 'treatment'), ('predicate', 'HAS_FACILITY'), ('subject_kind', 'hospital')), _connector='OR'), name='relation_makes_sense'),
        ),
        migrations.AddConstraint(
            model_name='rowset',
            constraint=models.UniqueConstraint(fields=('hospital', 'row_set', 'digest'), name='row_set_once', nulls_distinct=False),
        ),
        migrations.AddConstraint(
            model_name='snomedproposal',
            constraint=models.UniqueConstraint(fields=('hospital', 'entity', 'concept'), name='snomed_proposed_once'),
        ),
        migrations.AddConstraint(
            model_name='version',
            constraint=models.UniqueConstraint(fields=('hospital', 'number'), name='version_number_once'),
        ),
        migrations.AddConstraint(
            model_name='release',
            constraint=models.CheckConstraint(condition=models.Q(('approved_by', None), models.Q(('authors__contains', [models.F('approved_by_id')]), _negated=True), _connector='OR'), name='release_approved_by_another'),
        ),
        migrations.AddConstraint(
            model_name='release',
            constraint=models.CheckConstraint(condition=models.Q(('submitted_by', None), ('authors__contains', [models.F('submitted_by_id')]), _connector='OR'), name='release_submitter_is_author'),
        ),
        migrations.AddConstraint(
            model_name='release',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('origin', 'release'), ('state__in', ('approved', 'scheduled', 'published', 'superseded')), _negated=True), models.Q(('approved_by__isnull', False), ('submitted_by__isnull', False)), models.Q(('submitted_by__isnull', False), ('urgent_by__isnull', False)), _connector='OR'), name='release_live_only_approved'),
        ),
        migrations.AddConstraint(
            model_name='release',
            constraint=models.CheckConstraint(condition=models.Q(('urgent_by', None), models.Q(models.Q(('urgent_reason', ''), _negated=True), ('state__in', ('published', 'superseded'))), _connector='OR'), name='release_urgent_with_a_reason'),
        ),
        migrations.AddConstraint(
            model_name='release',
            constraint=models.CheckConstraint(condition=models.Q(('reviewed_by', None), models.Q(('urgent_by__isnull', False), models.Q(('authors__contains', [models.F('reviewed_by_id')]), _negated=True), models.Q(('urgent_by', models.F('reviewed_by')), _negated=True)), _connector='OR'), name='release_reviewed_by_another'),
        ),
        migrations.AddConstraint(
            model_name='release',
            constraint=models.CheckConstraint(condition=models.Q(('state', 'draft'), ('version__isnull', False), _connector='OR'), name='release_frozen_after_draft'),
        ),
        migrations.AddConstraint(
            model_name='release',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('broken__gt', 0), ('state', 'published'), _negated=True), models.Q(models.Q(('broken_reason', ''), _negated=True), ('broken_by__isnull', False)), ('urgent_by__isnull', False), _connector='OR'), name='release_breaks_with_a_reason'),
        ),
        migrations.AddConstraint(
            model_name='release',
            constraint=models.CheckConstraint(condition=models.Q(('broken_by', None), models.Q(('authors__contains', [models.F('broken_by_id')]), _negated=True), _connector='OR'), name='release_reason_by_another'),
        ),
        migrations.AddConstraint(
            model_name='release',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('state', 'scheduled'), _negated=True), models.Q(('goes_live_at__isnull', False), ('scheduled_by__isnull', False)), _connector='OR'), name='release_scheduled_for_a_time'),
        ),
        migrations.AddConstraint(
            model_name='release',
            constraint=models.UniqueConstraint(condition=models.Q(('state', 'published')), fields=('hospital',), name='release_one_is_live'),
        ),
        migrations.AddConstraint(
            model_name='publishedentity',
            constraint=models.UniqueConstraint(fields=('version', 'kind', 'key'), name='published_entity_once'),
        ),
        *map(HospitalRows, OF_HOSPITAL),
        *(DefaultRows(table, table.replace('_', '.')) for table in DEFAULTS),
        *(RowsOfParent(table, 'taxonomy_entity', 'entity_ptr_id') for table in KINDS),
        SharedRows('taxonomy_rowset'),
        *(SameHospital(*join) for join in JOINS),
        *map(WrittenOnce, ONCE),
        *map(WrittenByOwner, SNOMED),
        migrations.RunSQL([SAME_VERSION, RELEASE_MOVES, POINTER_MOVES]),
    ]
