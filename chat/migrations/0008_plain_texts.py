"""Texts of staff in plain English; no SQL."""

import chat.behaviours
import django.contrib.postgres.fields
import django.core.validators
import django.db.models.deletion
import taxonomy.models.relations
import zol.languages
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('chat', '0007_phrases_of_advice'),
        ('taxonomy', '0004_plain_texts'),
        ('zol', '0005_plain_texts'),
    ]

    operations = [
        migrations.AlterModelOptions(
            name='advicephrase',
            options={'ordering': ['role', 'kind', 'language', 'pk'], 'verbose_name': 'phrase that asks for advice', 'verbose_name_plural': 'phrases that ask for advice'},
        ),
        migrations.AlterModelOptions(
            name='modelbudget',
            options={'verbose_name': 'language model budget', 'verbose_name_plural': 'language model budget'},
        ),
        migrations.AlterField(
            model_name='advicephrase',
            name='text',
            field=models.CharField(help_text='End a word with * to accept any ending.', max_length=160, verbose_name='phrase'),
        ),
        migrations.AlterField(
            model_name='cachedanswer',
            name='conversation',
            field=models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='chat.conversation', verbose_name='given in conversation'),
        ),
        migrations.AlterField(
            model_name='cachedanswer',
            name='created_at',
            field=models.DateTimeField(auto_now_add=True, verbose_name='given on'),
        ),
        migrations.AlterField(
            model_name='cachedanswer',
            name='expires_at',
            field=models.DateTimeField(verbose_name='kept until'),
        ),
        migrations.AlterField(
            model_name='conversation',
            name='channel',
            field=models.CharField(choices=[('web', 'chat page'), ('widget', 'widget on a website'), ('api', 'API'), ('demo', 'invented for the demonstration')], default=chat.behaviours.Channel['WEB'], max_length=10, verbose_name='channel'),
        ),
        migrations.AlterField(
            model_name='countryline',
            name='language',
            field=models.CharField(blank=True, choices=zol.languages.Language.choices, db_default='', default='', help_text='Language in which this line answers. If empty: the language of the country.', max_length=2, verbose_name='language'),
        ),
        migrations.AlterField(
            model_name='cue',
            name='kind',
            field=models.CharField(choices=[('trigger', 'asks for information'), ('person', 'asks for a person'), ('identity', 'asks who answers'), ('greeting', 'greets'), ('thanks', 'thanks'), ('goodbye', 'says goodbye'), ('except', 'leaves something out'), ('hospital_word', 'word for a hospital'), ('other_hospital_marker', 'another hospital or place'), ('selfname', "tells one's own name"), ('naming', 'tells a name'), ('nameparticle', 'part of a family name'), ('namesake', "comes before a name that is not a patient's"), ('eponym', 'a name that stands for an illness'), ('person_title', 'title of a person'), ('birthdate', 'announces a date of birth'), ('personal_number', 'announces a personal number'), ('street', 'word of an address'), ('spelled_sign', 'sign written as a word'), ('number_word', 'number in words'), ('weekday', 'word of hours'), ('moment', 'day or time'), ('measure', 'unit of measure'), ('dose_unit', 'unit of a dose'), ('diagnosis_given', 'tells a diagnosis'), ('admission', 'admits that nothing was found'), ('qualifier', 'denies, limits or qualifies'), ('risky', 'could do harm'), ('standing', 'may be said without a source')], db_index=True, max_length=30, verbose_name='kind of cue'),
        ),
        migrations.AlterField(
            model_name='cue',
            name='target',
            field=models.CharField(blank=True, max_length=40, verbose_name='meaning'),
        ),
        migrations.AlterField(
            model_name='curatedanswer',
            name='conditions',
            field=models.JSONField(blank=True, default=dict, help_text='Only conditions that the answer depends on, such as {"age": "child"}.', verbose_name='depends on'),
        ),
        migrations.AlterField(
            model_name='curatedanswer',
            name='key',
            field=models.SlugField(help_text='Short key for imports and links; do not change it later.', max_length=80, verbose_name='key'),
        ),
        migrations.AlterField(
            model_name='curatedanswer',
            name='need',
            field=models.CharField(choices=taxonomy.models.relations.need_choices, max_length=40, verbose_name='kind of question'),
        ),
        migrations.AlterField(
            model_name='curatedanswer',
            name='next_step',
            field=models.CharField(blank=True, help_text='Write helpdesk, emergency, or a department as department:key.', max_length=140, verbose_name='next step for the patient'),
        ),
        migrations.AlterField(
            model_name='curatedanswer',
            name='sources',
            field=models.JSONField(blank=True, default=list, verbose_name='supporting pages'),
        ),
        migrations.AlterField(
            model_name='curatedanswer',
            name='subject',
            field=models.ForeignKey(blank=True, help_text='If empty, this is about the whole hospital.', null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='taxonomy.entity', verbose_name='subject'),
        ),
        migrations.AlterField(
            model_name='emergencysituation',
            name='danger',
            field=models.CharField(choices=[('emergency', 'emergency: life in danger'), ('crisis', 'crisis: suicide, self-harm, violence'), ('poison', 'poisoning')], max_length=10, verbose_name='kind of danger'),
        ),
        migrations.AlterField(
            model_name='emergencysituation',
            name='phone',
            field=models.CharField(blank=True, help_text='If empty, the number of the department or else of the hospital is used.', max_length=40, verbose_name='number of this desk'),
        ),
        migrations.AlterField(
            model_name='emergencysituation',
            name='text',
            field=models.CharField(help_text='Its fixed texts are called alarm_… (the full alarm) and notice_… (one line).', max_length=20, verbose_name='texts'),
        ),
        migrations.AlterField(
            model_name='feedback',
            name='created_at',
            field=models.DateTimeField(auto_now_add=True, verbose_name='given on'),
        ),
        migrations.AlterField(
            model_name='injectionpattern',
            name='description',
            field=models.CharField(blank=True, max_length=200, verbose_name='attack that it catches'),
        ),
        migrations.AlterField(
            model_name='intervention',
            name='created_at',
            field=models.DateTimeField(auto_now_add=True, verbose_name='created on'),
        ),
        migrations.AlterField(
            model_name='intervention',
            name='incident',
            field=models.CharField(blank=True, choices=[('', 'nothing went wrong'), ('advice', 'medical advice was given'), ('wrong', 'something wrong was said'), ('privacy', 'personal data was shown')], help_text='Choose what went wrong, if anything. The home page counts cases of medical advice.', max_length=10, verbose_name='incident'),
        ),
        migrations.AlterField(
            model_name='intervention',
            name='is_active',
            field=models.BooleanField(default=True, verbose_name='in use'),
        ),
        migrations.AlterField(
            model_name='intervention',
            name='kind',
            field=models.CharField(choices=[('block', 'block: do not answer this question'), ('freeze', 'freeze: hold the answer back while it is checked'), ('curated', 'curated answer: show this text instead of the answer'), ('bulletin', 'bulletin: show this text before the answer')], max_length=10, verbose_name='what to do'),
        ),
        migrations.AlterField(
            model_name='intervention',
            name='questions',
            field=models.TextField(blank=True, help_text='Words that a question must contain, in any order; one set of words per line. End a word with * to accept any ending. A bulletin needs no words.', verbose_name='questions'),
        ),
        migrations.AlterField(
            model_name='intervention',
            name='review_by',
            field=models.DateField(blank=True, help_text='After this day the curated answer is no longer given.', null=True, verbose_name='review by'),
        ),
        migrations.AlterField(
            model_name='intervention',
            name='source',
            field=models.URLField(blank=True, verbose_name='supporting page'),
        ),
        migrations.AlterField(
            model_name='intervention',
            name='subject',
            field=models.ForeignKey(blank=True, help_text='The bulletin is shown to visitors who ask about this subject or use the words above. Without a subject and without words it is shown before every answer.', null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='taxonomy.entity', verbose_name='subject'),
        ),
        migrations.AlterField(
            model_name='intervention',
            name='valid_to',
            field=models.DateField(blank=True, help_text='Last day on which this is shown. A bulletin must have one; patients see it.', null=True, verbose_name='valid until'),
        ),
        migrations.AlterField(
            model_name='message',
            name='behaviour',
            field=models.CharField(blank=True, choices=[('answer', 'answered'), ('refuse_medical', 'medical advice refused'), ('refuse_offtopic', 'refused: off topic'), ('refuse_other_hospital', 'refused: about another hospital'), ('clarify', 'asked the visitor to clarify'), ('block_attack', 'attack blocked'), ('emergency', 'sent to the emergency number')], max_length=30, verbose_name='behaviour'),
        ),
        migrations.AlterField(
            model_name='message',
            name='cached',
            field=models.BooleanField(default=False, verbose_name='repeated from memory'),
        ),
        migrations.AlterField(
            model_name='message',
            name='certainty',
            field=models.CharField(blank=True, choices=[('fact', 'a fact of the hospital'), ('curated', 'a curated answer'), ('sure', 'sure'), ('near', 'close, but not certain'), ('nothing', 'nothing found')], max_length=8, verbose_name='certainty'),
        ),
        migrations.AlterField(
            model_name='message',
            name='missing',
            field=django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=80), blank=True, default=list, size=None, verbose_name='not on the pages found'),
        ),
        migrations.AlterField(
            model_name='message',
            name='warned_by',
            field=models.CharField(choices=[('none', 'none'), ('line', 'a line above the answer'), ('text', 'a text above the answer'), ('stop', 'a text instead of an answer')], db_default='none', default='none', max_length=5, verbose_name='warning shown as'),
        ),
        migrations.AlterField(
            model_name='modelbudget',
            name='cost',
            field=models.FloatField(default=0, help_text='Calculated with the prices of models, in their currency. 0 means no limit.', verbose_name='cost per day'),
        ),
        migrations.AlterField(
            model_name='modelbudget',
            name='tokens',
            field=models.PositiveBigIntegerField(default=0, help_text='Input and output tokens together. 0 means no limit.', verbose_name='tokens per day'),
        ),
        migrations.AlterField(
            model_name='modelcall',
            name='endpoint',
            field=models.CharField(max_length=40, verbose_name='model endpoint'),
        ),
        migrations.AlterField(
            model_name='modelcall',
            name='first_word',
            field=models.FloatField(help_text='In seconds; 0 if there was no answer.', verbose_name='time to first word'),
        ),
        migrations.AlterField(
            model_name='modelcall',
            name='purpose',
            field=models.CharField(choices=[('classify', 'understanding a question'), ('understand', 'understanding a question'), ('answer', 'writing the answer'), ('text', 'writing the answer'), ('verdict', 'checking a statement'), ('suggest', 'suggestions'), ('judge', 'checking an answer'), ('grade', 'grading an answer')], max_length=40, verbose_name='purpose'),
        ),
        migrations.AlterField(
            model_name='modelcall',
            name='tokens_in',
            field=models.PositiveIntegerField(verbose_name='input tokens'),
        ),
        migrations.AlterField(
            model_name='modelcall',
            name='tokens_out',
            field=models.PositiveIntegerField(verbose_name='output tokens'),
        ),
        migrations.AlterField(
            model_name='modelprice',
            name='input_per_million',
            field=models.FloatField(help_text="In the currency of your provider's bill.", validators=[django.core.validators.MinValueValidator(0.0)], verbose_name='price per million input tokens'),
        ),
        migrations.AlterField(
            model_name='modelprice',
            name='output_per_million',
            field=models.FloatField(validators=[django.core.validators.MinValueValidator(0.0)], verbose_name='price per million output tokens'),
        ),
        migrations.AlterField(
            model_name='passagetranslation',
            name='page',
            field=models.CharField(help_text='Path of the page, as in the list of documents.', max_length=300, verbose_name='page'),
        ),
        migrations.AlterField(
            model_name='passagetranslation',
            name='read_by',
            field=models.CharField(blank=True, help_text='Name of the person who speaks this language well and has read the translation.', max_length=80, verbose_name='read by'),
        ),
        migrations.AlterField(
            model_name='passagetranslation',
            name='source',
            field=models.TextField(help_text='Copy the section exactly as it is on the page, without its heading.', verbose_name='section'),
        ),
        migrations.AlterField(
            model_name='passagetranslation',
            name='text',
            field=models.TextField(help_text='Translate each sentence, item and row as one, in the same order.', verbose_name='translation'),
        ),
        migrations.AlterField(
            model_name='redflagphrase',
            name='kind',
            field=models.CharField(help_text='Only for a denial: “before” if it stands before what it denies, “after” if it stands after it.', max_length=30, verbose_name='situation'),
        ),
        migrations.AlterField(
            model_name='redflagphrase',
            name='text',
            field=models.CharField(help_text='Write a whole phrase as people type it. End a word with * to accept any ending.', max_length=160, verbose_name='phrase'),
        ),
        migrations.AlterField(
            model_name='rewritetemplate',
            name='slot',
            field=models.CharField(blank=True, help_text='What the conversation must be about for this template to be used.', max_length=40, verbose_name='about'),
        ),
        migrations.AlterConstraint(
            model_name='modelbudget',
            name='budget_not_negative',
            constraint=models.CheckConstraint(condition=models.Q(('cost__gte', 0)), name='budget_not_negative', violation_error_message='The cost per day must be 0 or more.'),
        ),
    ]
