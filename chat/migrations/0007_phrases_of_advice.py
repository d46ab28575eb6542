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
