"""Cues of what denies or limits, of what could do harm, and of what needs no source."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('chat', '0004_moments'),
    ]

    operations = [
        migrations.AlterField(
            model_name='cue',
            name='kind',
            field=models.CharField(choices=[('trigger', 'asks for information'), ('list_departments', 'asks for all departments'), ('person', 'asks for a human'), ('identity', 'asks who answers'), ('greeting', 'greets'), ('thanks', 'thanks'), ('goodbye', 'says goodbye'), ('followup', 'goes on about the question before'), ('except', 'leaves something out'), ('hospital_word', 'word for a hospital'), ('other_hospital_marker', 'another hospital or place'), ('selfname', "tells one's own name"), ('naming', 'tells a name'), ('nameparticle', 'part of a family name'), ('namesake', "comes before a name that is nobody's"), ('eponym', 'a name that stands for an illness'), ('person_title', 'title of a person'), ('birthdate', 'announces a date of birth'), ('personal_number', 'announces a personal number'), ('street', 'word of an address'), ('spelled_sign', 'sign written as a word'), ('number_word', 'number in words'), ('weekday', 'word of hours'), ('moment', 'day or time'), ('measure', 'unit of measure'), ('dose_unit', 'unit of a dose'), ('diagnosis_given', 'tells a diagnosis'), ('admission', 'admits that nothing was found'), ('qualifier', 'denies, limits or qualifies'), ('risky', 'could do harm'), ('standing', 'may be said without a source')], db_index=True, max_length=30, verbose_name='sort of cue'),
        ),
    ]
