"""Advice is told by whole phrases: a hospital's own rows that nothing reads are kept for staff."""

from django.db import migrations, models

#: Roles of words of advice, and kinds of cues, that nothing reads any more.
ROLES = ("rule", "slot", "hint", "source", "prepare", "route")
CUES = ("followup", "list_departments")
#: Names of medicines filled a slot.
MEDICINES = """
UPDATE chat_advicephrase SET role = 'medicine'
WHERE hospital_id IS NOT NULL AND role = 'slot' AND kind = 'med'
"""
MOVE = """
WITH gone AS (
    DELETE FROM {table} WHERE hospital_id IS NOT NULL AND {column} = ANY (%s) RETURNING *
), noted AS (
    UPDATE zol_defaultoverride AS noted SET own = NULL
    FROM gone WHERE noted.row_set = '{row_set}' AND noted.own = gone.id
)
INSERT INTO zol_gonerow (hospital_id, row_set, "values")
SELECT hospital_id, '{row_set}', to_jsonb(gone) - '{{id,hospital_id,since,until}}'::text[] FROM gone
"""


def moved(table, column, values):
    statement = MOVE.format(table=table, column=column, row_set=table.replace("_", "."))
    return migrations.RunSQL([(statement, [list(values)])])


class Migration(migrations.Migration):

    dependencies = [("chat", "0006_model_calls")]

    operations = [
        migrations.RunSQL(MEDICINES),
        moved("chat_advicephrase", "role", ROLES),
        moved("chat_cue", "kind", CUES),
        migrations.AlterField(
            model_name="cue",
            name="kind",
            field=models.CharField(choices=[('trigger', 'asks for information'), ('person', 'asks for a human'), ('identity', 'asks who answers'), ('greeting', 'greets'), ('thanks', 'thanks'), ('goodbye', 'says goodbye'), ('except', 'leaves something out'), ('hospital_word', 'word for a hospital'), ('other_hospital_marker', 'another hospital or place'), ('selfname', "tells one's own name"), ('naming', 'tells a name'), ('nameparticle', 'part of a family name'), ('namesake', "comes before a name that is nobody's"), ('eponym', 'a name that stands for an illness'), ('person_title', 'title of a person'), ('birthdate', 'announces a date of birth'), ('personal_number', 'announces a personal number'), ('street', 'word of an address'), ('spelled_sign', 'sign written as a word'), ('number_word', 'number in words'), ('weekday', 'word of hours'), ('moment', 'day or time'), ('measure', 'unit of measure'), ('dose_unit', 'unit of a dose'), ('diagnosis_given', 'tells a diagnosis'), ('admission', 'admits that nothing was found'), ('qualifier', 'denies, limits or qualifies'), ('risky', 'could do harm'), ('standing', 'may be said without a source')], db_index=True, max_length=30, verbose_name='sort of cue'),
        ),
        migrations.AlterField(
            model_name="advicephrase",
            name="kind",
            field=models.CharField(max_length=30, verbose_name="about"),
        ),
        migrations.AlterField(
            model_name="advicephrase",
            name="role",
            field=models.CharField(
                choices=[("phrase", "asks for advice"), ("medicine", "names a medicine")],
                max_length=10,
                verbose_name="role",
            ),
        ),
        migrations.AlterField(
            model_name="advicephrase",
            name="text",
            field=models.CharField(
                help_text="A * at the end of a word stands for any ending.",
                max_length=160,
                verbose_name="phrase",
            ),
        ),
    ]
