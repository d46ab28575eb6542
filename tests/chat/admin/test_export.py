"""What patients asked is taken along as a table: what the list shows, by who may, and it is logged."""

import csv
import io

import pytest
from django.utils import timezone
from openpyxl import load_workbook

from chat.models import Conversation, Feedback, Message
from tests.factories import message
from tests.zol.staff import signed_in
from zol.access.roles import PERMISSIONS
from zol.backoffice import exports
from zol.models import AuditEntry, Role
from zol.tenancy import serving

pytestmark = pytest.mark.django_db
MESSAGES, FEEDBACK = "/admin/chat/message/", "/admin/chat/feedback/"


@pytest.fixture
def officer(hospital):
    return signed_in(hospital, Role.QUALITY)


def rows_of(answer):
    if "csv" in answer["Content-Type"]:
        return list(csv.reader(io.StringIO(answer.content.decode("utf-8-sig"))))
    sheet = load_workbook(io.BytesIO(answer.content)).active
    assert all(cell.data_type != "f" for line in sheet.iter_rows() for cell in line)
    return [[str(cell or "") for cell in line] for line in sheet.iter_rows(values_only=True)]


@pytest.mark.parametrize("ending", ["csv", "xlsx"])
def test_messages_are_exported_with_what_was_thought_of_them(hospital, officer, ending):
    cited = [{"n": 1, "url": "https://x.test/p"}, {"n": 2, "url": "https://x.test/p"}]
    asked = message(hospital, language="nl", certainty="sure", intent="practical_info",
                    citations=cited)  # fmt: skip
    Feedback.objects.create(hospital=hospital, message=asked, is_good=False)

    columns, row = rows_of(officer.get(f"{MESSAGES}export/{ending}/"))

    said = dict(zip(columns, row, strict=True))
    assert said.pop("time").startswith(f"{timezone.localtime(asked.created_at):%Y-%m-%d}")
    assert said == {
        "question": "Waar kan ik parkeren?", "answer": "Op P1. [1]", "language": "nl",
        "certainty": "sure", "intent": "practical_info", "thumb": "👎", "pages": "https://x.test/p",
    }  # fmt: skip


def test_the_filters_of_the_list_apply(hospital, officer):
    message(hospital, "Hoe laat?", language="nl")
    message(hospital, "When?", language="en")

    link = officer.get(MESSAGES, {"language": "en"})
    _columns, *rows = rows_of(officer.get(f"{MESSAGES}export/csv/", {"language": "en"}))

    assert f"{MESSAGES}export/xlsx/?language=en" in link.text
    assert [row[1] for row in rows] == ["When?"]


@pytest.mark.parametrize("ending", ["csv", "xlsx"])
@pytest.mark.parametrize("sign", ["=", "-", "\t="])
def test_no_question_of_a_patient_is_worked_out_by_a_spreadsheet(hospital, officer, ending, sign):
    asked = message(hospital, f"{sign}cmd|' /C calc'!A0", answer=f"{sign}1+1")
    Feedback.objects.create(hospital=hospital, message=asked, is_good=True)

    for address in (MESSAGES, FEEDBACK):
        columns, row = rows_of(officer.get(f"{address}export/{ending}/"))
        said = dict(zip(columns, row, strict=True))
        quote = "'" if ending == "csv" else ""
        assert said["question"] == f"{quote}{sign.strip()}cmd|' /C calc'!A0"
        assert said["answer"] == f"{quote}{sign.strip()}1+1"


def test_an_export_is_in_the_audit_log_without_what_was_searched_for(hospital, officer):
    message(hospital, "Ik ben Jan Janssens", certainty="sure")

    officer.get(f"{MESSAGES}export/csv/", {"certainty": "sure", "q": "Janssens"})

    entry = AuditEntry.objects.get(what="rows.exported")
    assert (entry.who, entry.subject) == ("quality", "messages")
    assert (entry.before, entry.after) == ("certainty=sure", "1 rows")


def test_more_rows_than_an_export_holds_are_refused_in_a_sentence(hospital, officer, monkeypatch):
    monkeypatch.setattr(exports, "MOST_EXPORTED", 1)
    message(hospital)
    message(hospital)

    page = officer.get(f"{MESSAGES}export/csv/", follow=True)

    assert page.redirect_chain == [(MESSAGES, 302)]
    assert "An export has at most 1 rows: filter the list first." in page.text
    assert not AuditEntry.objects.filter(what="rows.exported").exists()


@pytest.mark.parametrize("role", list(Role))
def test_only_who_reads_the_questions_of_patients_exports_them(hospital, role):
    browser = signed_in(hospital, role)
    expected = 200 if "chat.view_message" in PERMISSIONS[role] else 403

    for address in (MESSAGES, FEEDBACK, "/admin/evaluation/result/"):
        assert browser.get(f"{address}export/csv/").status_code == expected


def test_who_sees_feedback_but_not_the_questions_exports_none(hospital, officer, monkeypatch):
    rights = PERMISSIONS[Role.QUALITY] - {"chat.view_message"}
    monkeypatch.setattr("zol.access.roles.granted", lambda roles: rights)

    assert officer.get(FEEDBACK).status_code == 200
    assert officer.get(f"{FEEDBACK}export/csv/").status_code == 403


def test_nothing_of_another_hospital_is_exported(hospital, other_hospital, officer):
    with serving(other_hospital):
        theirs = Conversation.objects.create(hospital=other_hospital)
        Message.objects.create(hospital=other_hospital, conversation=theirs, question="Geheim")

    assert len(rows_of(officer.get(f"{MESSAGES}export/csv/"))) == 1
