"""The owner of a department gets its counts by e-mail, and approves its curated answers."""

from datetime import timedelta

import pytest
from django.core import mail
from django.utils import timezone

from chat.models import CuratedAnswer
from retrieval.models import Document
from taxonomy.vocabulary import Kind
from tests.chat.admin.test_figures import SECRET, asked
from tests.factories import entity
from tests.zol.staff import member, signed_in
from zol.models import AuditEntry, Role

pytestmark = pytest.mark.django_db
ANSWERS = "/admin/chat/curatedanswer/"
FORM = {
    "need": "afterwards", "conditions": "{}", "answer_nl": "Rust.",
    "sources": "https://zt.example/dermatologie",
    "examples_nl": "en daarna\nwat na de ingreep\nmag ik naar huis",
}  # fmt: skip


@pytest.fixture
def skin(hospital):
    return entity(hospital, Kind.DEPARTMENT, "Dermatologie", url="https://zt.example/dermatologie")


@pytest.fixture
def told(hospital, skin):
    """Of a department an answer and questions that led there, and of another the same."""
    other = entity(hospital, Kind.DEPARTMENT, "Urologie")
    Document.objects.create(hospital=hospital, path="huid.html", url=skin.url, title="Huid")
    for subject in (skin, other):
        CuratedAnswer.objects.create(
            hospital=hospital, key=f"na-{subject.key}", need="afterwards", subject=subject,
            answer={"nl": "Rust."}, review_by="2020-01-01",
        )  # fmt: skip
    asked(hospital, contact={"name": "Dermatologie"}, certainty="nothing")
    asked(hospital, contact={"name": "Dermatologie"}, days=40)
    asked(hospital, contact={"name": "Urologie"})
    return skin


def owned(department, hospital, *roles, email="hoofd@zt.example"):
    owner = member(hospital, *roles, username="hoofd")
    owner.email = email
    owner.save()
    department.owner = owner
    department.save()
    return owner


def send(browser, department):
    return browser.post(f"{ANSWERS}owner/{department.pk}/", follow=True)


def as_owner(client, owner):
    client.defaults |= {"HTTP_HOST": "test.localhost", "HTTP_ACCEPT_LANGUAGE": "en"}
    client.force_login(owner)
    return client


def test_the_owner_gets_counts_and_topics_by_email_and_no_word_of_a_patient(hospital, told):
    owned(told, hospital, Role.ANALYST)

    page = send(signed_in(hospital, Role.CURATOR), told)

    (sent,) = mail.outbox
    assert sent.to == ["hoofd@zt.example"]
    assert "Vragen van patiënten, en hoe ze beantwoord werden: 1" in sent.body
    assert "niets gevonden: 1" in sent.body
    assert "opnieuw na te lezen: 1" in sent.body
    assert f"{ANSWERS}?q=dermatologie" in sent.body
    assert SECRET not in sent.body
    assert "Sent to hoofd by e-mail." in page.text
    entry = AuditEntry.objects.filter(what=AuditEntry.What.ROW_CHANGED).first()
    assert (entry.who, entry.after) == (Role.CURATOR, "Sent to hoofd by e-mail.")


def test_an_owner_who_may_not_read_questions_gets_no_count_of_them(hospital, told):
    owned(told, hospital, Role.CURATOR)

    send(signed_in(hospital, Role.OPERATOR), told)

    assert "vroegen" not in mail.outbox[0].body


@pytest.mark.parametrize("email", ["", None], ids=["no address", "no owner"])
def test_without_an_owner_who_has_an_address_nothing_is_sent_and_the_page_says_so(
    hospital, told, email
):
    if email is not None:
        owned(told, hospital, Role.CURATOR, email=email)

    page = send(signed_in(hospital, Role.OPERATOR), told)

    assert not mail.outbox
    assert "has no owner with an e-mail address" in page.text


def test_somebody_who_may_only_read_sends_nothing(hospital, told):
    owned(told, hospital, Role.CURATOR)
    browser = signed_in(hospital, Role.ANALYST)

    page = browser.get(f"/admin/taxonomy/department/{told.pk}/change/")
    assert "E-mail the owner" not in page.text
    assert send(browser, told).status_code == 403
    assert not mail.outbox


def test_the_department_of_another_hospital_is_not_found(other_hospital, skin):
    assert send(signed_in(other_hospital, Role.OPERATOR), skin).status_code == 404


def test_the_form_of_a_department_leads_to_its_answers_and_to_the_email(hospital, told):
    browser = signed_in(hospital, Role.CURATOR)

    page = browser.get(f"/admin/taxonomy/department/{told.pk}/change/")

    assert f'href="{ANSWERS}?q=dermatologie"' in page.text
    assert f'action="{ANSWERS}owner/{told.pk}/"' in page.text
    found = browser.get(f"{ANSWERS}?q=dermatologie").context["cl"].result_list
    assert [row.key for row in found] == ["na-dermatologie"]


def test_the_owner_approves_an_answer_of_the_department_and_of_no_other(hospital, told, client):
    browser = as_owner(client, owned(told, hospital, Role.CURATOR))
    mine, other = CuratedAnswer.objects.order_by("key")

    assert "You are the owner of Dermatologie" in browser.get(f"{ANSWERS}{mine.pk}/change/").text
    assert "You are the owner of" not in browser.get(f"{ANSWERS}{other.pk}/change/").text
    page, refused = (
        browser.post(
            f"{ANSWERS}{row.pk}/change/",
            FORM | {"key": row.key, "subject": row.subject_id, "_read": "1"},
            follow=True,
        )
        for row in (mine, other)
    )

    assert "Read and approved by the owner of Dermatologie." in page.text
    assert refused.status_code == 403
    mine.refresh_from_db()
    other.refresh_from_db()
    assert mine.checked_in == {"nl": "hoofd"}
    assert mine.review_by == timezone.localdate() + timedelta(days=365)
    assert other.checked_in == {}


def test_the_owner_approves_an_answer_that_sends_people_to_the_department(hospital, told, client):
    browser = as_owner(client, owned(told, hospital, Role.CURATOR))
    row = CuratedAnswer.objects.create(
        hospital=hospital, key="wond", need="afterwards", next_step="department:dermatologie",
        answer={"nl": "Bel ons."},
    )  # fmt: skip

    assert "You are the owner of Dermatologie" in browser.get(f"{ANSWERS}{row.pk}/change/").text


@pytest.mark.parametrize("role", [Role.OPERATOR, Role.ANALYST])
def test_nobody_else_approves_in_the_name_of_the_owner(hospital, told, role):
    owned(told, hospital, Role.CURATOR)
    row = CuratedAnswer.objects.order_by("key")[0]
    browser = signed_in(hospital, role)
    sent = FORM | {"key": row.key, "subject": row.subject_id, "_read": "1"}

    assert "I have read it and it is correct" not in browser.get(f"{ANSWERS}{row.pk}/change/").text
    assert browser.post(f"{ANSWERS}{row.pk}/change/", sent).status_code == 403
