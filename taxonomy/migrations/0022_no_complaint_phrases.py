"""Where a complaint leads is learned: phrases for complaints go."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('taxonomy', '0021_shared_rows'),
    ]

    operations = [
        migrations.DeleteModel(name='ComplaintPhrase'),
        migrations.AlterField(
            model_name='complaintroute',
            name='weight',
            field=models.FloatField(default=1.0, help_text='Of several complaints in one question the weights are added up. From 4 on the route decides, whatever the product has learned.', verbose_name='weight'),
        ),
    ]
