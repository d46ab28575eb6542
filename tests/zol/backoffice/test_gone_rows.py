"""Rows that an upgrade removed are listed on the home page until they are read."""

from importlib import import_module

import pytest
from django.db import connection

from chat.models import AdvicePhrase, Cue
from retrieval.models import RetrievalSetting
from retrieval.tuning import SETTINGS
from tests.zol.staff import signed_in
from zol.models import GoneRow, Role

pytestmark = pytest.mark.django_db
LIST = "/admin/zol/gonerow/"
TASK = "Rows and settings that the upgrade removed"
upgrade = import_module("retrieval.migrations.0002_move_settings_that_went")
unread_cues = import_module("chat.migrations.0002_drop_unread_kinds_of_cues")
phrases_of_advice = import_module("chat.migrations.0007_phrases_of_advice")


@pytest.fixture
def upgraded(hospital, other_hospital):
    """A hospital that had changed a number that went and one that stays."""
    for name, value in (("people_voice", 2.5), ("limit", 9)):
        RetrievalSetting.objects.create(hospital=hospital, name=name, value=value)
    with connection.cursor() as cursor:
        cursor.execute(upgrade.MOVE, [list(upgrade.GONE)])
    return hospital


def test_a_changed_number_that_went_is_listed_and_one_that_stays_is_not(upgraded):
    assert [row.values for row in GoneRow.objects.all()] == [{"name": "people_voice", "value": 2.5}]
    assert dict(RetrievalSetting.objects.values_list("name", "value")) == {"limit": 9}


def test_no_setting_that_stays_is_taken_for_one_that_went():
    assert not SETTINGS.keys() & set(upgrade.GONE)


def test_own_cues_of_kinds_that_nothing_reads_are_listed_and_others_stay(hospital):
    for kind, text in (("topic", "fietsenstalling"), ("greeting", "dag allemaal")):
        Cue.objects.create(hospital=hospital, kind=kind, target="", language="nl", text=text)

    with connection.cursor() as cursor:
        cursor.execute(unread_cues.MOVE, [list(unread_cues.GONE)])

    assert [row.values["text"] for row in GoneRow.objects.all()] == ["fietsenstalling"]
    assert [cue.text for cue in Cue.objects.exclude(hospital=None)] == ["dag allemaal"]


def test_staff_see_it_download_it_and_say_that_they_have_read_it(upgraded):
    operator = signed_in(upgraded, Role.OPERATOR)

    assert TASK in operator.get("/admin/").text
    assert "people_voice" in operator.get(LIST).text
    assert "people_voice" in operator.get(f"{LIST}export/csv/").content.decode()

    operator.post(f"{LIST}read/")

    assert TASK not in operator.get("/admin/").text
    row = GoneRow.objects.get()
    assert row.read_at
    assert row.read_by
    assert "people_voice" in operator.get(LIST).text


def test_own_words_of_advice_that_nothing_reads_are_listed_and_medicines_stay(hospital):
    for role, kind, text in (("slot", "may", "mag"), ("slot", "med", "zelfpil"),
                             ("phrase", "advice", "mag ik dat")):  # fmt: skip
        AdvicePhrase.objects.create(
            hospital=hospital, role=role, kind=kind, language="nl", text=text
        )

    with connection.cursor() as cursor:
        for operation in phrases_of_advice.Migration.operations[:2]:
            for statement in operation.sql if isinstance(operation.sql, list) else [operation.sql]:
                cursor.execute(*((statement,) if isinstance(statement, str) else statement))

    assert [row.values["text"] for row in GoneRow.objects.all()] == ["mag"]
    own = AdvicePhrase.objects.exclude(hospital=None).values_list("role", "text")
    assert set(own) == {("medicine", "zelfpil"), ("phrase", "mag ik dat")}
