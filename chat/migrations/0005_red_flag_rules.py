"""Red flags are also rules over slots, and words that deny or tell of long ago."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('chat', '0004_suffix_thresholds'),
    ]

    operations = [
        migrations.AlterField(
            model_name='redflagphrase',
            name='kind',
            field=models.CharField(help_text='Of a slot: its name. Of a denial: before or after, where it stands. “any” holds for every emergency.', max_length=30, verbose_name='emergency'),
        ),
        migrations.AlterField(
            model_name='redflagphrase',
            name='language',
            field=models.CharField(choices=[('nl', 'Nederlands'), ('en', 'English'), ('fr', 'Français'), ('de', 'Deutsch'), ('tr', 'Türkçe'), ('it', 'Italiano'), ('ro', 'Română'), ('el', 'Ελληνικά'), ('any', 'any')], max_length=3, verbose_name='language'),
        ),
        migrations.AlterField(
            model_name='redflagphrase',
            name='role',
            field=models.CharField(choices=[('trigger', 'says it is happening'), ('rule', 'slots that together say it is happening'), ('slot', 'fills a slot'), ('denial', 'denies it'), ('distant', 'says it is long ago or a story'), ('context', 'says it is only a question'), ('presence', 'says it is happening now')], max_length=10, verbose_name='role'),
        ),
        migrations.AlterField(
            model_name='redflagphrase',
            name='text',
            field=models.CharField(help_text='A * at the end of a word stands for any ending. A rule: {chest} {pain}.', max_length=160, verbose_name='phrase'),
        ),
    ]
