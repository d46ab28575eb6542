"""Keys to the staff API, each of one hospital."""

import django.db.models.deletion
import zol.tenancy
from django.conf import settings
from django.db import migrations, models

from zol.postgres.operations import HospitalRows


class Migration(migrations.Migration):

    dependencies = [
        ('zol', '0003_trail'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='ApiToken',
            fields=[
                ('digest', models.CharField(max_length=128, primary_key=True, serialize=False)),
                ('token_key', models.CharField(db_index=True, max_length=25)),
                ('created', models.DateTimeField(auto_now_add=True)),
                ('expiry', models.DateTimeField(blank=True, null=True)),
                ('name', models.CharField(help_text='What the key is for: “nightly export”.', max_length=100, verbose_name='name')),
                ('hospital', models.ForeignKey(default=zol.tenancy.required_hospital_id, editable=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='zol.hospital')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='auth_token_set', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'API key',
                'verbose_name_plural': 'API keys',
                'ordering': ['-created'],
            },
        ),
        HospitalRows('zol_apitoken'),
    ]
