from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("taxonomy", "0009_page_reading")]

    operations = [
        migrations.AlterField(
            model_name="lexiconconcept",
            name="kind",
            field=models.CharField(
                choices=[
                    ("function", "function word"),
                    ("practical", "practical matter"),
                    ("body", "body"),
                    ("symptom", "symptom"),
                    ("condition", "condition"),
                    ("specialty", "specialty"),
                    ("examination", "examination"),
                    ("treatment", "treatment"),
                    ("money", "money and insurance"),
                    ("rights", "rights"),
                    ("person", "person"),
                    ("time", "time"),
                    ("place", "place"),
                    ("everyday", "everyday word"),
                ],
                max_length=20,
                verbose_name="kind",
            ),
        ),
    ]
