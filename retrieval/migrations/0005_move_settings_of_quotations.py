"""Settings that the quoting engine read: what a hospital changed is kept for staff to read."""

from django.db import migrations

GONE = ['sure_from', 'skim', 'filco']
MOVE = """
WITH gone AS (
    DELETE FROM retrieval_retrievalsetting WHERE name = ANY (%s) RETURNING hospital_id, name, value
)
INSERT INTO zol_gonerow (hospital_id, row_set, "values")
SELECT hospital_id, 'retrieval.retrievalsetting', jsonb_build_object('name', name, 'value', value)
FROM gone
"""


class Migration(migrations.Migration):

    dependencies = [
        ('retrieval', '0004_pages_that_hold'),
        ('zol', '0002_gonerow'),
    ]

    operations = [
        migrations.RunSQL([(MOVE, [GONE])], migrations.RunSQL.noop),
    ]
