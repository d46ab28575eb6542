"""What cannot wait goes live by one person, and is marked until a colleague has looked at it."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from taxonomy.models.rules import MOVES


class Migration(migrations.Migration):

    dependencies = [
        ('taxonomy', '0014_previews_before_approval'),
        ('zol', '0006_sign_in_locked'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='release',
            name='release_live_only_approved',
        ),
        migrations.RemoveConstraint(
            model_name='release',
            name='release_breaks_with_a_reason',
        ),
        migrations.AddField(
            model_name='release',
            name='reviewed_at',
            field=models.DateTimeField(blank=True, null=True, verbose_name='looked at afterwards'),
        ),
        migrations.AddField(
            model_name='release',
            name='reviewed_by',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='looked at afterwards by'),
        ),
        migrations.AddField(
            model_name='release',
            name='urgent_by',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='published urgently by'),
        ),
        migrations.AddField(
            model_name='release',
            name='urgent_reason',
            field=models.TextField(blank=True, verbose_name='why it could not wait'),
        ),
        migrations.RunSQL(MOVES, migrations.RunSQL.noop),
        migrations.AddConstraint(
            model_name='release',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('origin', 'release'), ('state__in', ('approved', 'scheduled', 'published', 'superseded')), _negated=True), models.Q(('approved_by__isnull', False), ('submitted_by__isnull', False)), models.Q(('submitted_by__isnull', False), ('urgent_by__isnull', False)), _connector='OR'), name='release_live_only_approved'),
        ),
        migrations.AddConstraint(
            model_name='release',
            constraint=models.CheckConstraint(condition=models.Q(('urgent_by', None), models.Q(models.Q(('urgent_reason', ''), _negated=True), ('state__in', ('published', 'superseded'))), _connector='OR'), name='release_urgent_with_a_reason'),
        ),
        migrations.AddConstraint(
            model_name='release',
            constraint=models.CheckConstraint(condition=models.Q(('reviewed_by', None), models.Q(('urgent_by__isnull', False), models.Q(('authors__contains', [models.F('reviewed_by_id')]), _negated=True), models.Q(('urgent_by', models.F('reviewed_by')), _negated=True)), _connector='OR'), name='release_reviewed_by_another'),
        ),
        migrations.AddConstraint(
            model_name='release',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('broken__gt', 0), ('state', 'published'), _negated=True), models.Q(models.Q(('broken_reason', ''), _negated=True), ('broken_by__isnull', False)), ('urgent_by__isnull', False), _connector='OR'), name='release_breaks_with_a_reason'),
        ),
    ]
