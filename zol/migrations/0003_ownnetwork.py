"""Networks that a hospital lists as its own."""

import django.db.models.deletion
import zol.models
import zol.tenancy
from django.db import migrations, models

from zol.postgres.operations import HospitalRows


class Migration(migrations.Migration):

    dependencies = [
        ('zol', '0002_gonerow'),
    ]

    operations = [
        migrations.CreateModel(
            name='OwnNetwork',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('network', models.CharField(help_text='As the internet sees it: an address (203.0.113.7) or a network (203.0.113.0/28, 2001:db8:1::/48).', max_length=43, validators=[zol.models.check_network], verbose_name='network')),
                ('place', models.CharField(blank=True, help_text='Such as: waiting rooms, wards.', max_length=100, verbose_name='place')),
                ('hospital', models.ForeignKey(default=zol.tenancy.required_hospital_id, editable=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='zol.hospital')),
            ],
            options={
                'verbose_name': 'network of the hospital',
                'verbose_name_plural': 'networks of the hospital',
                'ordering': ['network'],
                'constraints': [models.UniqueConstraint(fields=('hospital', 'network'), name='network_once')],
            },
        ),
        HospitalRows('zol_ownnetwork'),
    ]
