"""Facts: a value for a need of a subject, under conditions."""

import django.db.models.deletion
from django.db import migrations, models

import taxonomy.models.relations
from zol.postgres.operations import HospitalRows


class Migration(migrations.Migration):
    dependencies = [
        ("taxonomy", "0015_urgent_publications"),
        ("zol", "0006_sign_in_locked"),
    ]

    operations = [
        migrations.CreateModel(
            name="Fact",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "need",
                    models.CharField(
                        choices=taxonomy.models.relations.need_choices,
                        max_length=40,
                        verbose_name="need",
                    ),
                ),
                (
                    "conditions",
                    models.JSONField(blank=True, default=dict, verbose_name="conditions"),
                ),
                ("value", models.TextField(verbose_name="value")),
                (
                    "source",
                    models.CharField(
                        blank=True,
                        help_text="The path of the page that says so, such as praktisch/bezoekuren.html.",
                        max_length=300,
                        verbose_name="source page",
                    ),
                ),
                (
                    "sentence",
                    models.TextField(
                        blank=True,
                        help_text="As it stands on that page; when it is no longer there, the list says so.",
                        verbose_name="sentence",
                    ),
                ),
                ("valid_from", models.DateField(blank=True, null=True, verbose_name="valid from")),
                ("valid_to", models.DateField(blank=True, null=True, verbose_name="valid until")),
                ("position", models.PositiveIntegerField(default=0, editable=False)),
                (
                    "hospital",
                    models.ForeignKey(
                        editable=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="zol.hospital",
                        verbose_name="hospital",
                    ),
                ),
                (
                    "subject",
                    models.ForeignKey(
                        blank=True,
                        help_text="Empty: the hospital as a whole.",
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="facts",
                        to="taxonomy.entity",
                        verbose_name="subject",
                    ),
                ),
            ],
            options={
                "verbose_name": "fact",
                "verbose_name_plural": "facts",
                "ordering": ["need", "subject__name", "pk"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("hospital", "need", "subject", "conditions", "valid_from"),
                        name="fact_once",
                        nulls_distinct=False,
                        violation_error_message="There is a fact already for this need and subject, under these conditions.",
                    )
                ],
            },
        ),
        HospitalRows("taxonomy_fact"),
    ]
