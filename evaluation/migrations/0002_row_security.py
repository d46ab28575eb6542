"""A hospital sees and joins only its own rows; results are written once."""

from django.db import migrations

from zol.postgres.operations import HospitalRows, SameHospital, WrittenOnce


class Migration(migrations.Migration):
    dependencies = [("evaluation", "0001_initial"), ("zol", "0002_row_security")]

    operations = [
        HospitalRows("evaluation_goldenquestion"),
        HospitalRows("evaluation_run"),
        HospitalRows("evaluation_result"),
        SameHospital("evaluation_result", "run_id", "evaluation_run"),
        WrittenOnce("evaluation_result"),
    ]
