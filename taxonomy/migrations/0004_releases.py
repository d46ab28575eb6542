"""Releases."""

import django.contrib.postgres.fields
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('taxonomy', '0003_relations_of_doctors'),
        ('zol', '0003_trail'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name='version',
            name='fingerprint',
            field=models.CharField(blank=True, editable=False, max_length=64),
        ),
        migrations.AddField(
            model_name='version',
            name='last_edit',
            field=models.BigIntegerField(default=0, editable=False),
        ),
        migrations.CreateModel(
            name='Release',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('title', models.CharField(help_text='A few words: “New doctors of November”.', max_length=120, verbose_name='title')),
                ('note', models.TextField(blank=True, help_text='For the colleague who approves it, and for who looks back later.', verbose_name='what changes, and why')),
                ('state', models.CharField(choices=[('draft', 'draft'), ('in_review', 'in review'), ('approved', 'approved'), ('scheduled', 'scheduled'), ('published', 'live'), ('superseded', 'was live'), ('rejected', 'rejected')], default='draft', max_length=12, verbose_name='state')),
                ('origin', models.CharField(choices=[('release', 'release'), ('first', 'first version'), ('earlier', 'before releases')], default='release', editable=False, max_length=10)),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='opened at')),
                ('submitted_at', models.DateTimeField(blank=True, null=True, verbose_name='submitted at')),
                ('authors', django.contrib.postgres.fields.ArrayField(base_field=models.BigIntegerField(), blank=True, default=list, editable=False, size=None)),
                ('approved_at', models.DateTimeField(blank=True, null=True, verbose_name='approved at')),
                ('reason', models.TextField(blank=True, verbose_name='reason of the rejection')),
                ('goes_live_at', models.DateTimeField(blank=True, null=True, verbose_name='goes live at')),
                ('published_at', models.DateTimeField(blank=True, null=True, verbose_name='went live at')),
                ('preview', models.JSONField(blank=True, editable=False, null=True)),
                ('previewed_at', models.DateTimeField(blank=True, null=True, verbose_name='preview made at')),
                ('broken', models.PositiveIntegerField(blank=True, null=True, verbose_name='golden questions it breaks')),
                ('broken_reason', models.TextField(blank=True, verbose_name='why it is published nevertheless')),
                ('approved_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='approved by')),
                ('base', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='taxonomy.version')),
                ('created_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='opened by')),
                ('hospital', models.ForeignKey(editable=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='zol.hospital')),
                ('published_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='published by')),
                ('scheduled_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='scheduled by')),
                ('submitted_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='submitted by')),
                ('version', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='release', to='taxonomy.version')),
            ],
            options={
                'verbose_name': 'release',
                'verbose_name_plural': 'releases',
                'ordering': ['-pk'],
                'permissions': [('approve', 'Can approve or reject a release'), ('publish', 'Can publish an approved release or activate an earlier version')],
            },
        ),
        migrations.CreateModel(
            name='ReleaseComment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(auto_now_add=True)),
                ('text', models.TextField(verbose_name='comment')),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('hospital', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='zol.hospital')),
                ('release', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='comments', to='taxonomy.release')),
            ],
            options={
                'verbose_name': 'comment',
                'verbose_name_plural': 'comments',
                'ordering': ['pk'],
            },
        ),
        migrations.AddConstraint(
            model_name='release',
            constraint=models.CheckConstraint(condition=models.Q(('approved_by', None), models.Q(('authors__contains', [models.F('approved_by_id')]), _negated=True), _connector='OR'), name='release_approved_by_another'),
        ),
        migrations.AddConstraint(
            model_name='release',
            constraint=models.CheckConstraint(condition=models.Q(('submitted_by', None), ('authors__contains', [models.F('submitted_by_id')]), _connector='OR'), name='release_submitter_is_author'),
        ),
        migrations.AddConstraint(
            model_name='release',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('origin', 'release'), ('state__in', ('approved', 'scheduled', 'published', 'superseded')), _negated=True), models.Q(('approved_by__isnull', False), ('submitted_by__isnull', False)), _connector='OR'), name='release_live_only_approved'),
        ),
        migrations.AddConstraint(
            model_name='release',
            constraint=models.CheckConstraint(condition=models.Q(('state', 'draft'), ('version__isnull', False), _connector='OR'), name='release_frozen_after_draft'),
        ),
        migrations.AddConstraint(
            model_name='release',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('broken__gt', 0), ('state', 'published'), _negated=True), models.Q(('broken_reason', ''), _negated=True), _connector='OR'), name='release_breaks_with_a_reason'),
        ),
        migrations.AddConstraint(
            model_name='release',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('state', 'scheduled'), _negated=True), models.Q(('goes_live_at__isnull', False), ('scheduled_by__isnull', False)), _connector='OR'), name='release_scheduled_for_a_time'),
        ),
        migrations.AddConstraint(
            model_name='release',
            constraint=models.UniqueConstraint(condition=models.Q(('state', 'published')), fields=('hospital',), name='release_one_is_live'),
        ),
    ]
