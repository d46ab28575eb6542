"""Conversations, what answers are made with, and the answers that are given again."""

import chat.models.language
import django.contrib.postgres.fields
import django.core.validators
import django.db.models.deletion
import pgvector.django.halfvec
import retrieval.models.steering
import taxonomy.models.relations
import uuid
import zol.languages
from django.conf import settings
from django.db import migrations, models

from zol.postgres.operations import SERVED, DefaultRows, HospitalRows, SameHospital

#: A hospital sees and touches only its own rows of these.
OF_HOSPITAL = (
    'chat_cachedanswer',
    'chat_cachestate',
    'chat_conversation',
    'chat_curatedanswer',
    'chat_feedback',
    'chat_intervention',
    'chat_message',
    'chat_passagetranslation',
)
#: The product comes with rows of these.
DEFAULTS = (
    'chat_advicephrase',
    'chat_countryline',
    'chat_cue',
    'chat_fixedtext',
    'chat_injectionpattern',
    'chat_intentexample',
    'chat_modelprice',
    'chat_promptsection',
    'chat_redflagphrase',
    'chat_rewritetemplate',
)
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

    initial = True

    dependencies = [
        ('retrieval', '0001_initial'),
        ('taxonomy', '0001_initial'),
        ('zol', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
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
            name='Conversation',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('language', models.CharField(choices=zol.languages.Language.choices, default='nl', max_length=2, verbose_name='language of the page')),
                ('channel', models.CharField(choices=[('web', 'page of the chat'), ('widget', 'widget on a site'), ('api', 'API'), ('demo', 'made up for the demonstration')], default='web', max_length=10, verbose_name='channel')),
                ('secret', models.CharField(blank=True, editable=False, max_length=64)),
                ('created_at', models.DateTimeField(auto_now_add=True, db_index=True, verbose_name='started')),
                ('hospital', models.ForeignKey(editable=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='zol.hospital', verbose_name='hospital')),
            ],
            options={
                'verbose_name': 'conversation',
                'verbose_name_plural': 'conversations',
                'ordering': ['-created_at'],
            },
        ),
        migrations.CreateModel(
            name='CountryLine',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('since', models.PositiveIntegerField(editable=False, null=True)),
                ('until', models.PositiveIntegerField(editable=False, null=True)),
                ('country', models.CharField(max_length=2, verbose_name='country')),
                ('kind', models.CharField(max_length=30, verbose_name='line')),
                ('number', models.CharField(max_length=40, verbose_name='number')),
                ('name_nl', models.CharField(blank=True, max_length=120, verbose_name='Nederlands')),
                ('name_en', models.CharField(blank=True, max_length=120, verbose_name='English')),
                ('name_fr', models.CharField(blank=True, max_length=120, verbose_name='Français')),
                ('name_de', models.CharField(blank=True, max_length=120, verbose_name='Deutsch')),
                ('name_tr', models.CharField(blank=True, max_length=120, verbose_name='Türkçe')),
                ('name_it', models.CharField(blank=True, max_length=120, verbose_name='Italiano')),
                ('name_ro', models.CharField(blank=True, max_length=120, verbose_name='Română')),
                ('name_el', models.CharField(blank=True, max_length=120, verbose_name='Ελληνικά')),
                ('source', models.CharField(blank=True, max_length=300, verbose_name='source')),
                ('review_by', models.DateField(blank=True, null=True, verbose_name='review by')),
                ('hospital', models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='zol.hospital', verbose_name='hospital')),
            ],
            options={
                'verbose_name': 'help line',
                'verbose_name_plural': 'help lines',
                'ordering': ['country', 'kind', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='InjectionPattern',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('since', models.PositiveIntegerField(editable=False, null=True)),
                ('until', models.PositiveIntegerField(editable=False, null=True)),
                ('language', models.CharField(choices=chat.models.language.any_language, default='any', max_length=8, verbose_name='language')),
                ('pattern', models.CharField(max_length=500, verbose_name='pattern')),
                ('description', models.CharField(blank=True, max_length=200, verbose_name='what it catches')),
                ('hospital', models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='zol.hospital', verbose_name='hospital')),
            ],
            options={
                'verbose_name': 'attack pattern',
                'verbose_name_plural': 'attack patterns',
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='Intervention',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('block', 'block: do not answer this question'), ('freeze', 'freeze: hold the answer back while it is checked'), ('curated', 'curated answer: say this instead'), ('bulletin', 'bulletin: say this before the answer')], max_length=10, verbose_name='what to do')),
                ('questions', models.TextField(blank=True, help_text='One on a line: words that a question contains, in any order. A * at the end of a word stands for any ending. A bulletin needs none.', verbose_name='questions')),
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
                ('valid_from', models.DateField(blank=True, null=True, verbose_name='valid from')),
                ('valid_to', models.DateField(blank=True, help_text='The last day. A bulletin has one; patients read it.', null=True, verbose_name='valid until')),
                ('reason', models.CharField(max_length=300, verbose_name='why')),
                ('incident', models.CharField(blank=True, choices=[('', 'nothing went wrong'), ('advice', 'medical advice was given'), ('wrong', 'something wrong was said'), ('privacy', 'personal data was shown')], help_text='What went wrong, if something did. The home page counts medical advice.', max_length=10, verbose_name='incident')),
                ('is_active', models.BooleanField(default=True, verbose_name='holds')),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='made')),
                ('hospital', models.ForeignKey(editable=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='zol.hospital', verbose_name='hospital')),
                ('subject', models.ForeignKey(blank=True, help_text='Shown to visitors who ask about it or use the words above. Without either it stands before every answer.', null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='taxonomy.entity', verbose_name='subject')),
            ],
            options={
                'verbose_name': 'intervention',
                'verbose_name_plural': 'interventions',
                'ordering': ['-pk'],
            },
        ),
        migrations.CreateModel(
            name='Message',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('question', models.TextField(verbose_name='question (redacted)')),
                ('answer', models.TextField(blank=True, verbose_name='answer')),
                ('state', models.CharField(choices=[('running', 'being answered'), ('finished', 'answered'), ('stopped', 'stopped'), ('failed', 'failed')], default='running', max_length=10, verbose_name='state')),
                ('mode', models.CharField(choices=[('standard', 'standard'), ('full', 'full'), ('escalated', 'escalated')], default='standard', max_length=10, verbose_name='mode')),
                ('language', models.CharField(blank=True, choices=zol.languages.Language.choices, max_length=8, verbose_name='language')),
                ('behaviour', models.CharField(blank=True, choices=[('answer', 'answered'), ('refuse_medical', 'medical advice refused'), ('refuse_offtopic', 'refused as off topic'), ('refuse_other_hospital', 'refused as of another hospital'), ('clarify', 'asked what is meant'), ('block_attack', 'attack blocked'), ('emergency', 'sent to the emergency number')], max_length=30, verbose_name='behaviour')),
                ('intent', models.CharField(blank=True, choices=retrieval.models.steering.intent_choices, max_length=40, verbose_name='intent')),
                ('citations', models.JSONField(default=list, verbose_name='citations')),
                ('follow_ups', models.JSONField(default=list, verbose_name='suggestions')),
                ('contact', models.JSONField(default=dict, verbose_name='contact')),
                ('verified', models.BooleanField(default=False, verbose_name='verified with hospital data')),
                ('degraded', models.BooleanField(default=False, verbose_name='degraded')),
                ('cached', models.BooleanField(default=False, verbose_name='from the cache')),
                ('engine', models.CharField(blank=True, max_length=20, verbose_name='engine')),
                ('version', models.PositiveIntegerField(default=0, verbose_name='version')),
                ('timings_ms', models.JSONField(default=dict, verbose_name='timings')),
                ('trace', models.JSONField(default=dict, verbose_name='trace')),
                ('cost', models.FloatField(default=0, verbose_name='cost')),
                ('certainty', models.CharField(blank=True, choices=[('fact', 'a fact of the hospital'), ('curated', 'a curated answer'), ('sure', 'sure'), ('near', 'only comes near'), ('nothing', 'nothing found')], max_length=8, verbose_name='certainty')),
                ('missing', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=80), blank=True, default=list, size=None, verbose_name='not spoken of')),
                ('created_at', models.DateTimeField(auto_now_add=True, db_index=True, verbose_name='asked')),
                ('finished_at', models.DateTimeField(null=True, verbose_name='answered')),
                ('conversation', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='messages', to='chat.conversation', verbose_name='conversation')),
                ('hospital', models.ForeignKey(editable=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='zol.hospital', verbose_name='hospital')),
            ],
            options={
                'verbose_name': 'message',
                'verbose_name_plural': 'messages',
                'ordering': ['created_at'],
            },
        ),
        migrations.CreateModel(
            name='Feedback',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('is_good', models.BooleanField(verbose_name='helpful')),
                ('reason', models.CharField(blank=True, choices=[('', 'no reason given'), ('wrong', 'not correct'), ('incomplete', 'not complete'), ('off', 'not what I asked'), ('unclear', 'hard to understand')], default='', max_length=12, verbose_name='reason')),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='given')),
                ('hospital', models.ForeignKey(editable=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='zol.hospital', verbose_name='hospital')),
                ('message', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='feedback', to='chat.message', verbose_name='message')),
            ],
            options={
                'verbose_name': 'feedback',
                'verbose_name_plural': 'feedback',
                'ordering': ['-pk'],
            },
        ),
        migrations.CreateModel(
            name='ModelPrice',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('since', models.PositiveIntegerField(editable=False, null=True)),
                ('until', models.PositiveIntegerField(editable=False, null=True)),
                ('model', models.CharField(max_length=120, verbose_name='model')),
                ('input_per_million', models.FloatField(help_text="In the currency of your provider's bill.", validators=[django.core.validators.MinValueValidator(0.0)], verbose_name='a million tokens read')),
                ('output_per_million', models.FloatField(validators=[django.core.validators.MinValueValidator(0.0)], verbose_name='a million tokens written')),
                ('hospital', models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='zol.hospital', verbose_name='hospital')),
            ],
            options={
                'verbose_name': 'price of a model',
                'verbose_name_plural': 'prices of models',
                'ordering': ['model'],
            },
        ),
        migrations.CreateModel(
            name='PassageTranslation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('page', models.CharField(help_text='Its path, as in the list of documents.', max_length=300, verbose_name='page')),
                ('source', models.TextField(help_text='As it stands on the page, without its heading.', verbose_name='section')),
                ('language', models.CharField(choices=zol.languages.Language.choices, max_length=8, verbose_name='language')),
                ('heading', models.CharField(blank=True, max_length=300, verbose_name='heading')),
                ('text', models.TextField(help_text='Each sentence, item and row as one, in the same order.', verbose_name='translation')),
                ('read_by', models.CharField(blank=True, help_text='Who speaks this language well and has read the translation.', max_length=80, verbose_name='read by')),
                ('digest', models.CharField(editable=False, max_length=64)),
                ('position', models.PositiveIntegerField(default=0, editable=False)),
                ('hospital', models.ForeignKey(editable=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='zol.hospital', verbose_name='hospital')),
            ],
            options={
                'verbose_name': 'translation of a page',
                'verbose_name_plural': 'translations of pages',
                'ordering': ['page', 'digest', 'language'],
            },
        ),
        migrations.CreateModel(
            name='PromptSection',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('since', models.PositiveIntegerField(editable=False, null=True)),
                ('until', models.PositiveIntegerField(editable=False, null=True)),
                ('prompt', models.CharField(max_length=40, verbose_name='prompt')),
                ('section', models.CharField(max_length=40, verbose_name='section')),
                ('position', models.PositiveSmallIntegerField(default=0, verbose_name='position')),
                ('text', models.TextField(verbose_name='words')),
                ('hospital', models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='zol.hospital', verbose_name='hospital')),
            ],
            options={
                'verbose_name': 'prompt section',
                'verbose_name_plural': 'prompts',
                'ordering': ['prompt', 'position'],
            },
        ),
        migrations.CreateModel(
            name='RedFlagPhrase',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('since', models.PositiveIntegerField(editable=False, null=True)),
                ('until', models.PositiveIntegerField(editable=False, null=True)),
                ('kind', models.CharField(help_text='Of a slot: its name. Of a denial: before or after, where it stands. Of a spelling: the words that are meant, or an ending: *yor. “any” holds for every emergency.', max_length=30, verbose_name='emergency')),
                ('language', models.CharField(choices=chat.models.language.any_language, max_length=3, verbose_name='language')),
                ('role', models.CharField(choices=[('trigger', 'says it is happening'), ('rule', 'slots that together say it is happening'), ('slot', 'fills a slot'), ('denial', 'denies it'), ('distant', 'says it is long ago or a story'), ('context', 'says it is only a question'), ('presence', 'says it is happening now'), ('counsel', 'also asks for what pages tell: answered after the help line'), ('idiom', 'is an expression in which such words mean something else'), ('spelling', 'is how it is also written'), ('example', 'tells of an emergency, to learn from'), ('harmless', 'only comes near one, to learn from')], max_length=10, verbose_name='role')),
                ('text', models.CharField(help_text='A * at the end of a word stands for any ending. A rule: {chest} {pain}.', max_length=160, verbose_name='phrase')),
                ('hospital', models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='zol.hospital', verbose_name='hospital')),
            ],
            options={
                'verbose_name': 'red flag',
                'verbose_name_plural': 'red flags',
                'ordering': ['kind', 'language', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='RewriteTemplate',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('since', models.PositiveIntegerField(editable=False, null=True)),
                ('until', models.PositiveIntegerField(editable=False, null=True)),
                ('intent', models.CharField(choices=retrieval.models.steering.intent_choices, max_length=40, verbose_name='intent')),
                ('slot', models.CharField(blank=True, help_text='What must be known to use it.', max_length=40, verbose_name='about')),
                ('template', models.CharField(max_length=300, verbose_name='Nederlands')),
                ('en', models.CharField(blank=True, max_length=300, verbose_name='English')),
                ('fr', models.CharField(blank=True, max_length=300, verbose_name='Français')),
                ('de', models.CharField(blank=True, max_length=300, verbose_name='Deutsch')),
                ('tr', models.CharField(blank=True, max_length=300, verbose_name='Türkçe')),
                ('it', models.CharField(blank=True, max_length=300, verbose_name='Italiano')),
                ('ro', models.CharField(blank=True, max_length=300, verbose_name='Română')),
                ('el', models.CharField(blank=True, max_length=300, verbose_name='Ελληνικά')),
                ('hospital', models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='zol.hospital', verbose_name='hospital')),
            ],
            options={
                'verbose_name': 'rewrite template',
                'verbose_name_plural': 'rewrite templates',
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='AdvicePhrase',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('since', models.PositiveIntegerField(editable=False, null=True)),
                ('until', models.PositiveIntegerField(editable=False, null=True)),
                ('kind', models.CharField(help_text='Of a slot: its name.', max_length=30, verbose_name='sort of advice')),
                ('language', models.CharField(choices=chat.models.language.any_language, max_length=3, verbose_name='language')),
                ('role', models.CharField(choices=[('rule', 'slots that together ask for advice'), ('slot', 'fills a slot'), ('phrase', 'asks for advice'), ('hint', 'may ask for advice'), ('source', 'asks what a page says'), ('prepare', 'asks how to get ready'), ('route', 'asks whom to turn to')], max_length=10, verbose_name='role')),
                ('text', models.CharField(help_text='A * at the end of a word stands for any ending. A rule: {howmuch} {med}.', max_length=160, verbose_name='phrase')),
                ('hospital', models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='zol.hospital', verbose_name='hospital')),
            ],
            options={
                'verbose_name': 'words of a question for advice',
                'verbose_name_plural': 'questions for advice',
                'ordering': ['role', 'kind', 'language', 'pk'],
                'constraints': [models.UniqueConstraint(fields=('hospital', 'kind', 'language', 'role', 'text'), name='advice_once')],
            },
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
                ('vector', pgvector.django.halfvec.HalfVectorField(editable=False, null=True)),
                ('question', models.TextField(verbose_name='question (redacted)')),
                ('query', models.TextField(verbose_name='question as understood')),
                ('intent', models.CharField(choices=retrieval.models.steering.intent_choices, max_length=40, verbose_name='intent')),
                ('language', models.CharField(choices=zol.languages.Language.choices, max_length=8, verbose_name='language')),
                ('answer', models.TextField(verbose_name='answer')),
                ('citations', models.JSONField(default=list, verbose_name='citations')),
                ('contact', models.JSONField(default=dict, verbose_name='contact')),
                ('follow_ups', models.JSONField(default=list, verbose_name='suggestions')),
                ('verified', models.BooleanField(default=False, verbose_name='verified with hospital data')),
                ('engine', models.CharField(blank=True, max_length=20, verbose_name='engine')),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='given')),
                ('expires_at', models.DateTimeField(verbose_name='is forgotten at')),
                ('hospital', models.ForeignKey(editable=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='zol.hospital', verbose_name='hospital')),
                ('conversation', models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='chat.conversation', verbose_name='given in')),
            ],
            options={
                'verbose_name': 'remembered answer',
                'verbose_name_plural': 'remembered answers',
                'ordering': ['-pk'],
                'indexes': [models.Index(fields=['hospital', 'reworded'], name='answer_reworded'), models.Index(fields=['hospital', 'expires_at'], name='answer_expiry'), models.Index(fields=['hospital', 'room', '-id'], name='answer_room')],
                'constraints': [models.UniqueConstraint(fields=('hospital', 'exact', 'knowledge'), name='answer_remembered_once')],
            },
        ),
        migrations.CreateModel(
            name='Cue',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('since', models.PositiveIntegerField(editable=False, null=True)),
                ('until', models.PositiveIntegerField(editable=False, null=True)),
                ('kind', models.CharField(choices=[('topic', 'points to a topic'), ('trigger', 'asks for information'), ('list', 'asks for a list'), ('list_departments', 'asks for all departments'), ('person', 'asks for a human'), ('identity', 'asks who answers'), ('greeting', 'greets'), ('thanks', 'thanks'), ('goodbye', 'says goodbye'), ('followup', 'goes on about the question before'), ('connective', 'begins another question'), ('except', 'leaves something out'), ('offtopic', 'everyday matter'), ('hospital_word', 'word for a hospital'), ('other_hospital_marker', 'another hospital or place'), ('selfname', "tells one's own name"), ('naming', 'tells a name'), ('nameparticle', 'part of a family name'), ('namesake', "comes before a name that is nobody's"), ('eponym', 'a name that stands for an illness'), ('person_title', 'title of a person'), ('birthdate', 'announces a date of birth'), ('personal_number', 'announces a personal number'), ('street', 'word of an address'), ('spelled_sign', 'sign written as a word'), ('number_word', 'number in words'), ('weekday', 'day or word of hours'), ('measure', 'unit of measure'), ('dose_unit', 'unit of a dose'), ('diagnosis_given', 'tells a diagnosis'), ('admission', 'admits that nothing was found')], db_index=True, max_length=30, verbose_name='sort of cue')),
                ('target', models.CharField(blank=True, max_length=40, verbose_name='points to')),
                ('language', models.CharField(choices=zol.languages.Language.choices, max_length=2, verbose_name='language')),
                ('text', models.CharField(max_length=160, verbose_name='word or phrase')),
                ('weight', models.FloatField(default=1.0, verbose_name='weight')),
                ('hospital', models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='zol.hospital', verbose_name='hospital')),
            ],
            options={
                'verbose_name': 'cue',
                'verbose_name_plural': 'cues',
                'ordering': ['kind', 'target', 'language', 'pk'],
                'constraints': [models.UniqueConstraint(fields=('hospital', 'kind', 'target', 'language', 'text'), name='cue_once')],
            },
        ),
        migrations.CreateModel(
            name='CuratedAnswer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.SlugField(help_text='Short and stable, for imports and links.', max_length=80, verbose_name='key')),
                ('need', models.CharField(choices=taxonomy.models.relations.need_choices, max_length=40, verbose_name='need')),
                ('conditions', models.JSONField(blank=True, default=dict, help_text='Only what the answer depends on, such as {"age": "child"}.', verbose_name='depends on')),
                ('examples', models.JSONField(blank=True, default=dict, verbose_name='questions')),
                ('answer', models.JSONField(blank=True, default=dict, verbose_name='answer')),
                ('sources', models.JSONField(blank=True, default=list, verbose_name='pages that say so')),
                ('next_step', models.CharField(blank=True, help_text='helpdesk, emergency, or a department as department:key.', max_length=140, verbose_name='whom to turn to')),
                ('review_by', models.DateField(blank=True, null=True, verbose_name='review by')),
                ('valid_from', models.DateField(blank=True, null=True, verbose_name='valid from')),
                ('valid_to', models.DateField(blank=True, null=True, verbose_name='valid until')),
                ('checked_in', models.JSONField(blank=True, default=dict, verbose_name='read by')),
                ('position', models.PositiveIntegerField(default=0, editable=False)),
                ('hospital', models.ForeignKey(editable=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='zol.hospital', verbose_name='hospital')),
                ('owner', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='owner')),
                ('subject', models.ForeignKey(blank=True, help_text='Empty: the hospital as a whole.', null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='taxonomy.entity', verbose_name='subject')),
            ],
            options={
                'verbose_name': 'curated answer',
                'verbose_name_plural': 'curated answers',
                'ordering': ['need', 'key'],
                'constraints': [models.UniqueConstraint(fields=('hospital', 'key'), name='curated_answer_once')],
            },
        ),
        migrations.CreateModel(
            name='FixedText',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('since', models.PositiveIntegerField(editable=False, null=True)),
                ('until', models.PositiveIntegerField(editable=False, null=True)),
                ('kind', models.CharField(max_length=40, verbose_name='text')),
                ('language', models.CharField(choices=zol.languages.Language.choices, max_length=2, verbose_name='language')),
                ('text', models.TextField(verbose_name='words')),
                ('hospital', models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='zol.hospital', verbose_name='hospital')),
            ],
            options={
                'verbose_name': 'fixed text',
                'verbose_name_plural': 'fixed texts',
                'ordering': ['kind', 'language'],
                'constraints': [models.UniqueConstraint(fields=('hospital', 'kind', 'language'), name='text_once')],
            },
        ),
        migrations.CreateModel(
            name='IntentExample',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('since', models.PositiveIntegerField(editable=False, null=True)),
                ('until', models.PositiveIntegerField(editable=False, null=True)),
                ('intent', models.CharField(choices=retrieval.models.steering.intent_choices, max_length=40, verbose_name='intent')),
                ('language', models.CharField(choices=zol.languages.Language.choices, max_length=2, verbose_name='language')),
                ('text', models.CharField(max_length=300, verbose_name='question')),
                ('hospital', models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='zol.hospital', verbose_name='hospital')),
            ],
            options={
                'verbose_name': 'example question',
                'verbose_name_plural': 'example questions',
                'ordering': ['intent', 'language', 'pk'],
                'constraints': [models.UniqueConstraint(fields=('hospital', 'intent', 'language', 'text'), name='intent_example_once')],
            },
        ),
        migrations.AddIndex(
            model_name='message',
            index=models.Index(models.F('hospital'), models.OrderBy(models.F('created_at'), descending=True), condition=models.Q(('certainty__in', ('near', 'nothing'))), name='messages_unsure'),
        ),
        migrations.AddIndex(
            model_name='message',
            index=models.Index(fields=['hospital', 'created_at'], include=('language', 'intent', 'certainty', 'behaviour', 'state', 'finished_at', 'cost'), name='messages_figures'),
        ),
        migrations.AddIndex(
            model_name='feedback',
            index=models.Index(fields=['hospital', 'created_at'], include=('is_good',), name='feedback_figures'),
        ),
        migrations.AddConstraint(
            model_name='modelprice',
            constraint=models.UniqueConstraint(fields=('hospital', 'model'), name='price_once'),
        ),
        migrations.AddConstraint(
            model_name='passagetranslation',
            constraint=models.UniqueConstraint(fields=('hospital', 'digest', 'language'), name='section_translated_once'),
        ),
        migrations.AddConstraint(
            model_name='promptsection',
            constraint=models.UniqueConstraint(fields=('hospital', 'prompt', 'section'), name='prompt_once'),
        ),
        migrations.AddConstraint(
            model_name='redflagphrase',
            constraint=models.UniqueConstraint(fields=('hospital', 'kind', 'language', 'role', 'text'), name='red_flag_once'),
        ),
        migrations.AddConstraint(
            model_name='rewritetemplate',
            constraint=models.UniqueConstraint(fields=('hospital', 'intent', 'slot'), name='template_once'),
        ),
        *map(HospitalRows, OF_HOSPITAL),
        *(DefaultRows(table, table.replace('_', '.')) for table in DEFAULTS),
        SameHospital('chat_message', 'conversation_id', 'chat_conversation'),
        SameHospital('chat_feedback', 'message_id', 'chat_message'),
        SameHospital('chat_cachedanswer', 'conversation_id', 'chat_conversation'),
        SameHospital('chat_curatedanswer', 'subject_id', 'taxonomy_entity'),
        migrations.RunSQL(KNOWLEDGE),
    ]
