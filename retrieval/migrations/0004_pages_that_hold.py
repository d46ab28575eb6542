"""When a page was written, what it translates, and which page seems to have taken its place."""

import django.contrib.postgres.fields
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("retrieval", "0003_chunk_fields")]

    operations = [
        migrations.AddField(
            model_name="document",
            name="alternates",
            field=models.JSONField(
                db_default=models.Value({}, models.JSONField()), default=dict, editable=False
            ),
        ),
        migrations.AddField(
            model_name="document",
            name="kept_beside",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.CharField(max_length=300),
                blank=True,
                db_default=models.Value(
                    [],
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=300), size=None
                    ),
                ),
                default=list,
                editable=False,
                size=None,
            ),
        ),
        migrations.AddField(
            model_name="document",
            name="replaced_because",
            field=models.CharField(
                blank=True, db_default="", editable=False, max_length=500, verbose_name="because"
            ),
        ),
        migrations.AddField(
            model_name="document",
            name="replaced_by",
            field=models.CharField(
                blank=True,
                db_default="",
                editable=False,
                max_length=300,
                verbose_name="replaced by",
            ),
        ),
        migrations.AddField(
            model_name="document",
            name="translation_from",
            field=models.CharField(
                blank=True,
                choices=[
                    ("text", "a line of the page"),
                    ("file", "the file itself"),
                    ("name", "the name of the file"),
                    ("links", "links between the pages"),
                ],
                db_default="",
                editable=False,
                max_length=8,
            ),
        ),
        migrations.AddField(
            model_name="document",
            name="translation_of",
            field=models.CharField(
                blank=True,
                db_default="",
                help_text="The path of the page that this one translates: an answer uses either of them. Empty: read off the links between the pages. Its own path: of none.",
                max_length=300,
                verbose_name="translation of",
            ),
        ),
        migrations.AddField(
            model_name="document",
            name="updated_from",
            field=models.CharField(
                blank=True,
                choices=[
                    ("text", "a line of the page"),
                    ("file", "the file itself"),
                    ("name", "the name of the file"),
                    ("links", "links between the pages"),
                ],
                db_default="",
                editable=False,
                max_length=8,
                verbose_name="date known from",
            ),
        ),
        migrations.AlterField(
            model_name="document",
            name="updated_on",
            field=models.DateField(
                blank=True,
                help_text="Empty: read off the page.",
                null=True,
                verbose_name="updated on",
            ),
        ),
    ]
