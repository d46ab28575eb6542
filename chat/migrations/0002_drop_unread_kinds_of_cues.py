"""Kinds of cues that nothing reads: a hospital's own rows of them are kept for staff to read."""

from django.db import migrations, models

GONE = ('topic', 'list', 'connective', 'offtopic')
MOVE = """
WITH gone AS (
    DELETE FROM chat_cue WHERE hospital_id IS NOT NULL AND kind = ANY (%s)
    RETURNING id, hospital_id, kind, target, language, text, weight
), noted AS (
    UPDATE zol_defaultoverride AS noted SET own = NULL
    FROM gone WHERE noted.row_set = 'chat.cue' AND noted.own = gone.id
)
INSERT INTO zol_gonerow (hospital_id, row_set, "values")
SELECT hospital_id, 'chat.cue', jsonb_build_object(
    'kind', kind, 'target', target, 'language', language, 'text', text, 'weight', weight
)
FROM gone
"""


class Migration(migrations.Migration):

    dependencies = [
        ('chat', '0001_initial'),
        ('zol', '0002_gonerow'),
    ]

    operations = [
        migrations.RunSQL([(MOVE, [list(GONE)])]),
        migrations.AlterField(
            model_name='cue',
            name='kind',
            field=models.CharField(choices=[('trigger', 'asks for information'), ('list_departments', 'asks for all departments'), ('person', 'asks for a human'), ('identity', 'asks who answers'), ('greeting', 'greets'), ('thanks', 'thanks'), ('goodbye', 'says goodbye'), ('followup', 'goes on about the question before'), ('except', 'leaves something out'), ('hospital_word', 'word for a hospital'), ('other_hospital_marker', 'another hospital or place'), ('selfname', "tells one's own name"), ('naming', 'tells a name'), ('nameparticle', 'part of a family name'), ('namesake', "comes before a name that is nobody's"), ('eponym', 'a name that stands for an illness'), ('person_title', 'title of a person'), ('birthdate', 'announces a date of birth'), ('personal_number', 'announces a personal number'), ('street', 'word of an address'), ('spelled_sign', 'sign written as a word'), ('number_word', 'number in words'), ('weekday', 'day or word of hours'), ('measure', 'unit of measure'), ('dose_unit', 'unit of a dose'), ('diagnosis_given', 'tells a diagnosis'), ('admission', 'admits that nothing was found')], db_index=True, max_length=30, verbose_name='sort of cue'),
        ),
    ]
