"""Schedules and hours of hospitals that are not Dutch: days by their whole names, since their own
two letters mean other days ("ma" is Tuesday in French)."""

from django.db import migrations

from taxonomy.facts.schedules import days_in

OWN = "nl"


def rename(apps, schema_editor):
    hospitals = apps.get_model("zol", "Hospital").objects.exclude(default_language=OWN)
    for pk, language in hospitals.values_list("pk", "default_language"):
        for doctor in apps.get_model("taxonomy", "Doctor").objects.filter(hospital_id=pk):
            said = days_in(doctor.schedule, language)
            if said != doctor.schedule:
                type(doctor).objects.filter(pk=doctor.pk).update(schedule=said)


class Migration(migrations.Migration):

    dependencies = [
        ('taxonomy', '0002_keep_only_titles_of_population_cues'),
        ('zol', '0001_initial'),
    ]

    operations = [migrations.RunPython(rename, migrations.RunPython.noop)]
