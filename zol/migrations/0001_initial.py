"""The application's role; hospitals, who may do what there, and what was done."""

import django.contrib.postgres.fields
import django.db.models.deletion
import django.db.models.functions.datetime
import zol.languages
import zol.models
import zol.tenancy
from django.conf import settings
from django.db import migrations, models

from zol.postgres.locks import RECORD_EDIT
from zol.postgres.operations import (
    HospitalRows,
    PublicRows,
    WrittenByOwner,
    WrittenOnce,
    create_application_role,
)


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RunSQL('CREATE EXTENSION IF NOT EXISTS vector'),
        migrations.RunPython(create_application_role),
        migrations.CreateModel(
            name='DefaultSet',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('row_set', models.CharField(max_length=80, unique=True)),
                ('edition', models.PositiveIntegerField()),
            ],
        ),
        migrations.CreateModel(
            name='Hospital',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slug', models.SlugField(unique=True, verbose_name='key')),
                ('name', models.CharField(max_length=200, verbose_name='name')),
                ('short_name', models.CharField(help_text='Used in every text and template: “ZOL”.', max_length=60, verbose_name='short name')),
                ('default_language', models.CharField(choices=zol.languages.Language.choices, default='nl', max_length=2, verbose_name='content language')),
                ('languages', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(choices=zol.languages.Language.choices, max_length=2), default=zol.models.every_language, size=None, verbose_name='offered languages')),
                ('phone', models.CharField(blank=True, max_length=40, verbose_name='telephone')),
                ('phone_hours', models.CharField(blank=True, help_text='When somebody answers the general number, as the hours of a department.', max_length=100, verbose_name='hours of the telephone')),
                ('emergency_phone', models.CharField(default='112', max_length=40, verbose_name='emergency number')),
                ('helpdesk_phone', models.CharField(blank=True, max_length=40, verbose_name='help desk')),
                ('out_of_hours_phone', models.CharField(blank=True, max_length=40, verbose_name='out-of-hours doctor')),
                ('country', models.CharField(default='be', max_length=2, verbose_name='country')),
                ('website', models.URLField(blank=True, verbose_name='website')),
                ('address', models.CharField(blank=True, max_length=200, verbose_name='address')),
                ('defaults_edition', models.JSONField(default=dict, editable=False)),
            ],
            options={
                'verbose_name': 'hospital',
                'verbose_name_plural': 'hospitals',
                'ordering': ['name'],
            },
        ),
        migrations.CreateModel(
            name='AuditEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(auto_now_add=True, db_index=True, verbose_name='when')),
                ('who', models.CharField(blank=True, max_length=150, verbose_name='who')),
                ('what', models.CharField(choices=[('release.opened', 'release opened'), ('release.changed', 'release described anew'), ('release.submitted', 'release submitted'), ('release.withdrawn', 'release taken back'), ('release.approved', 'release approved'), ('release.rejected', 'release rejected'), ('release.scheduled', 'go-live scheduled'), ('release.unscheduled', 'schedule cancelled'), ('release.refused', 'scheduled go-live refused'), ('release.commented', 'comment'), ('release.previewed', 'impact preview'), ('version.published', 'published'), ('version.activated', 'earlier version activated'), ('staff.signed_in', 'signed in'), ('staff.signed_out', 'signed out'), ('staff.sign_in_failed', 'sign-in failed'), ('staff.sign_in_locked', 'sign-in closed for a while'), ('row.added', 'row added'), ('row.changed', 'row changed'), ('row.deleted', 'row deleted'), ('rows.exported', 'list exported')], max_length=30, verbose_name='what')),
                ('subject', models.CharField(blank=True, max_length=300, verbose_name='about')),
                ('before', models.CharField(blank=True, max_length=300, verbose_name='from')),
                ('after', models.CharField(blank=True, max_length=300, verbose_name='to')),
                ('why', models.TextField(blank=True, verbose_name='why')),
                ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='account')),
                ('hospital', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='zol.hospital')),
            ],
            options={
                'verbose_name': 'audit log entry',
                'verbose_name_plural': 'audit log',
                'ordering': ['-pk'],
            },
        ),
        migrations.CreateModel(
            name='ApiToken',
            fields=[
                ('digest', models.CharField(max_length=128, primary_key=True, serialize=False)),
                ('token_key', models.CharField(db_index=True, max_length=25)),
                ('created', models.DateTimeField(auto_now_add=True)),
                ('expiry', models.DateTimeField(blank=True, null=True)),
                ('name', models.CharField(help_text='What the key is for: “nightly export”.', max_length=100, verbose_name='name')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='auth_token_set', to=settings.AUTH_USER_MODEL)),
                ('hospital', models.ForeignKey(default=zol.tenancy.required_hospital_id, editable=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='zol.hospital')),
            ],
            options={
                'verbose_name': 'API key',
                'verbose_name_plural': 'API keys',
                'ordering': ['-created'],
            },
        ),
        migrations.CreateModel(
            name='HospitalHost',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('host', models.CharField(max_length=253, unique=True, verbose_name='host name')),
                ('hospital', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='hosts', to='zol.hospital')),
            ],
            options={
                'verbose_name': 'host name',
                'verbose_name_plural': 'host names',
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='WidgetKey',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(default=zol.models.new_widget_key, max_length=40, unique=True, verbose_name='public key')),
                ('origins', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=253), blank=True, default=list, help_text='Sites that may embed the chat, for example https://www.example.org', size=None, verbose_name='allowed origins')),
                ('is_active', models.BooleanField(default=True, verbose_name='in use')),
                ('hospital', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='widget_keys', to='zol.hospital')),
            ],
            options={
                'verbose_name': 'widget key',
                'verbose_name_plural': 'widget keys',
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='Edit',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('row_set', models.CharField(max_length=80, verbose_name='what')),
                ('rows', django.contrib.postgres.fields.ArrayField(base_field=models.BigIntegerField(), size=None, verbose_name='rows')),
                ('action', models.CharField(choices=[('INSERT', 'added'), ('UPDATE', 'changed'), ('DELETE', 'removed')], max_length=6, verbose_name='action')),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), verbose_name='at')),
                ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='by')),
                ('hospital', models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='zol.hospital')),
            ],
            options={
                'verbose_name': 'edit',
                'verbose_name_plural': 'edits',
                'ordering': ['-pk'],
                'indexes': [models.Index(fields=['hospital', 'id'], name='edits_since')],
            },
        ),
        migrations.CreateModel(
            name='DefaultOverride',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('row_set', models.CharField(max_length=80)),
                ('row', models.BigIntegerField()),
                ('own', models.BigIntegerField(null=True)),
                ('hospital', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='zol.hospital')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('hospital', 'row_set', 'row'), name='default_overridden_once')],
            },
        ),
        migrations.CreateModel(
            name='Membership',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('role', models.CharField(choices=[('curator', 'curator'), ('operator', 'operator'), ('quality', 'quality officer'), ('analyst', 'analyst'), ('it', 'IT')], max_length=20, verbose_name='role')),
                ('hospital', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to='zol.hospital')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'membership',
                'verbose_name_plural': 'memberships',
                'ordering': ['pk'],
                'constraints': [models.UniqueConstraint(fields=('hospital', 'user', 'role'), name='one_role_once')],
            },
        ),
        PublicRows('zol_hospital', column='id', insert='true'),
        PublicRows('zol_hospitalhost'),
        PublicRows('zol_widgetkey'),
        HospitalRows('zol_membership'),
        HospitalRows('zol_apitoken'),
        HospitalRows('zol_defaultoverride'),
        HospitalRows('zol_edit'),
        HospitalRows('zol_auditentry'),
        WrittenOnce('zol_edit'),
        WrittenOnce('zol_auditentry'),
        WrittenByOwner('zol_defaultset'),
        migrations.RunSQL(RECORD_EDIT),
    ]
