"""Texts of staff in plain English; no SQL."""

import django.contrib.postgres.fields
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('retrieval', '0007_forget_statements'),
    ]

    operations = [
        migrations.AlterField(
            model_name='categoryfilter',
            name='is_preferred',
            field=models.BooleanField(default=False, help_text='If ticked, pages of this category also rank higher; otherwise they are only searched.', verbose_name='preferred'),
        ),
        migrations.AlterField(
            model_name='categorykeyword',
            name='weight',
            field=models.FloatField(default=1.0, help_text='1 is a weak hint, 3 decides.', verbose_name='weight'),
        ),
        migrations.AlterField(
            model_name='chunk',
            name='category_fixed',
            field=models.BooleanField(default=False, help_text='If ticked, keywords no longer change the category.', verbose_name='category set by hand'),
        ),
        migrations.AlterField(
            model_name='chunk',
            name='context',
            field=models.TextField(blank=True, help_text='Headings above this text in the document.', verbose_name='context'),
        ),
        migrations.AlterField(
            model_name='chunk',
            name='entity_kinds',
            field=django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=20), blank=True, default=list, size=None, verbose_name='kinds of entities mentioned'),
        ),
        migrations.AlterField(
            model_name='chunk',
            name='page',
            field=models.PositiveIntegerField(default=0, help_text='Page of a PDF; 0 for a web page.', verbose_name='page number'),
        ),
        migrations.AlterField(
            model_name='document',
            name='authority',
            field=models.FloatField(default=1.0, help_text='From 0.3 to 1.0. A lower number ranks the page lower.', verbose_name='authority'),
        ),
        migrations.AlterField(
            model_name='document',
            name='category_override',
            field=models.CharField(blank=True, help_text='This category replaces the one chosen by keywords, for all chunks of the document.', max_length=40, verbose_name='content category'),
        ),
        migrations.AlterField(
            model_name='document',
            name='replaced_because',
            field=models.CharField(blank=True, db_default='', editable=False, max_length=500, verbose_name='reason'),
        ),
        migrations.AlterField(
            model_name='document',
            name='translation_of',
            field=models.CharField(blank=True, db_default='', help_text='Path of the page that this page translates: an answer uses only one of the two. If empty, the links between the pages decide. If this page translates none, enter its own path.', max_length=300, verbose_name='translation of'),
        ),
        migrations.AlterField(
            model_name='document',
            name='updated_from',
            field=models.CharField(blank=True, choices=[('text', 'a line of the page'), ('file', 'the file itself'), ('name', 'the name of the file'), ('links', 'links between the pages')], db_default='', editable=False, max_length=8, verbose_name='source of the date'),
        ),
        migrations.AlterField(
            model_name='document',
            name='updated_on',
            field=models.DateField(blank=True, help_text='If empty, the date is read from the page.', null=True, verbose_name='updated on'),
        ),
        migrations.AlterField(
            model_name='document',
            name='url_tier',
            field=models.PositiveSmallIntegerField(default=3, help_text='1 for the most important kind of page, 3 for the least important.', verbose_name='tier'),
        ),
        migrations.AlterField(
            model_name='ingestionrun',
            name='reason',
            field=models.CharField(blank=True, max_length=200, verbose_name='trigger'),
        ),
        migrations.AlterField(
            model_name='steeringroute',
            name='row',
            field=models.SlugField(blank=True, help_text='If empty, the matrix does not change the ranking.', max_length=60, verbose_name='matrix row'),
        ),
    ]
