"""A hospital sees and joins only its own rows."""

from django.db import migrations

from zol.postgres.operations import HospitalRows, SameHospital


class Migration(migrations.Migration):
    dependencies = [("chat", "0001_initial"), ("zol", "0002_row_security")]

    operations = [
        HospitalRows("chat_conversation"),
        HospitalRows("chat_message"),
        HospitalRows("chat_feedback"),
        HospitalRows("chat_intentexample"),
        HospitalRows("chat_cue"),
        HospitalRows("chat_rewritetemplate"),
        HospitalRows("chat_fixedtext"),
        HospitalRows("chat_redflagphrase"),
        HospitalRows("chat_countryline"),
        HospitalRows("chat_injectionpattern"),
        HospitalRows("chat_promptsection"),
        SameHospital("chat_message", "conversation_id", "chat_conversation"),
        SameHospital("chat_feedback", "message_id", "chat_message"),
    ]
