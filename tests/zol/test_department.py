"""A department's own page: what its patients asked and got, what is told of it, and how old it is."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.core import mail
from django.utils import timezone
from lxml import html

from chat.models import CuratedAnswer
from retrieval.models import Document
from taxonomy.kinds import Kind, Predicate
from taxonomy.models import Fact
from tests.factories import entity, relate
from tests.zol.staff import member, signed_in
from tests.zol.test_figures import asked
from zol.models import AuditEntry, Role

pytestmark = pytest.mark.django_db
SECRET = "Mijn schoonmoeder heeft eczeem"
EMPTY = (
    "Nobody asked about this department in this period.",
    "Nothing waits in the work queue.",
    "No fact is kept of this department.",
    "No curated answer is about it.",
    "No doctor works in this department.",
    "No page of it is known.",
)


@pytest.fixture
def skin(hospital):
    return entity(hospital, Kind.DEPARTMENT, "Dermatologie", url="https://zt.example/dermatologie")


@pytest.fixture
def told(hospital, skin):
    """Of everything that belongs to a department, something, and something of another."""
    other = entity(hospital, Kind.DEPARTMENT, "Urologie")
    doctor = entity(hospital, Kind.DOCTOR, "Dr. Nele Maris", last_name="Maris",
                    absent_until="2999-03-01", url="https://zt.example/maris")  # fmt: skip
    relate(doctor, Predicate.WORKS_IN, skin)
    relate(entity(hospital, Kind.DOCTOR, "Dr. Jan Elders", last_name="Elders"),
           Predicate.WORKS_IN, other)  # fmt: skip
    for subject, phone in ((skin, "089 32 50 50"), (other, "089 32 60 60")):
        Fact.objects.create(
            hospital=hospital, need="contact", subject=subject, value=f"tel={phone}"
        )
        CuratedAnswer.objects.create(
            hospital=hospital, key=f"na-{subject.key}", need="afterwards", subject=subject,
            answer={"nl": "Rust."}, review_by="2020-01-01",
        )  # fmt: skip
    for url, title, day in (
        (skin.url, "Dermatologie", date(2015, 5, 1)),
        (doctor.url, "Nele Maris", timezone.localdate()),
        ("https://zt.example/urologie", "Urologie", None),
    ):
        Document.objects.create(
            hospital=hospital, path=title, url=url, title=title, updated_on=day, status="ready"
        )
    asked(hospital, contact={"name": "Dermatologie"}, certainty="nothing")
    asked(hospital, contact={"name": "Dermatologie"}, days=40)
    asked(hospital, contact={"name": "Urologie"})
    return skin


def address(department):
    return f"/admin/departments/{department.pk}/"


def lists(page):
    """Return the lists of a page, by title: their rows as texts."""
    tree = html.document_fromstring(page.text)
    return {
        box.find("h2").text: [" ".join(row.text_content().split()) for row in box.iterfind(".//li")]
        for box in tree.iterfind(".//section[@aria-labelledby]")
    }


def test_a_quality_officer_sees_all_that_belongs_to_a_department_and_nothing_of_another(
    hospital, told
):
    page = signed_in(hospital, Role.QUALITY).get(address(told))

    found = lists(page)
    texts = "\n".join(line for rows in found.values() for line in rows)
    assert [title for title, rows in found.items() if not rows] == []
    assert [len(rows) for rows in found.values()] == [1, 1, 1, 1, 1, 2]
    assert "nothing found" in found["What patients asked, and what they got (1)"][0]
    assert "089 32 50 50" in texts
    assert "absent until March 1, 2999" in texts
    assert "Urologie" not in texts


def test_what_is_old_comes_first_and_is_marked(hospital, told):
    page = signed_in(hospital, Role.QUALITY).get(address(told))

    old, new = lists(page)["Pages and their age (2)"]
    assert "Dermatologie · 1" in old
    assert "look at it" in old
    assert "look at it" not in new


def test_the_period_is_chosen(hospital, told):
    first = timezone.localdate() - timedelta(days=60)
    query = {"first": str(first), "last": str(timezone.localdate())}

    page = signed_in(hospital, Role.QUALITY).get(address(told), query)

    assert "What patients asked, and what they got (2)" in lists(page)


def test_who_may_not_read_questions_sees_none_and_the_rest(hospital, told):
    page = signed_in(hospital, Role.CURATOR).get(address(told))

    assert SECRET not in page.text
    assert [title.rpartition(" ")[0] for title in lists(page)] == [
        "Facts", "Curated answers", "Doctors", "Pages and their age",
    ]  # fmt: skip


def test_who_may_not_see_departments_is_refused(hospital, skin):
    assert signed_in(hospital, Role.IT).get(address(skin)).status_code == 403


def test_the_department_of_another_hospital_is_not_found(other_hospital, skin):
    assert signed_in(other_hospital, Role.QUALITY).get(address(skin)).status_code == 404


def test_of_a_new_department_each_list_says_that_it_is_empty(hospital, skin):
    page = signed_in(hospital, Role.QUALITY).get(address(skin))

    assert [sentence for sentence in EMPTY if sentence not in page.text] == []


def test_the_page_is_reached_from_the_list_and_from_the_department(hospital, skin):
    browser = signed_in(hospital, Role.CURATOR)

    for place in ("", f"{skin.pk}/change/"):
        assert f'href="{address(skin)}"' in browser.get(f"/admin/taxonomy/department/{place}").text


def test_the_page_is_in_dutch_too(hospital, skin):
    page = signed_in(hospital, Role.QUALITY, language="nl").get(address(skin))

    assert "Wat patiënten vroegen, en wat ze kregen (0)" in lists(page)


def headed(department, hospital, *roles, email="hoofd@zt.example"):
    head = member(hospital, *roles, username="hoofd")
    head.email = email
    head.save()
    department.owner = head
    department.save()
    return head


def test_the_head_gets_counts_and_topics_by_email_and_no_word_of_a_patient(hospital, told):
    headed(told, hospital, Role.ANALYST)

    page = signed_in(hospital, Role.CURATOR).post(address(told), {"mail": "1"}, follow=True)

    (sent,) = mail.outbox
    assert sent.to == ["hoofd@zt.example"]
    assert "Wat patiënten vroegen, en wat ze kregen: 1" in sent.body
    assert "artsen: 1" in sent.body.lower()
    assert address(told) in sent.body
    assert SECRET not in sent.body
    assert "Sent to hoofd by e-mail." in page.text
    entry = AuditEntry.objects.filter(what=AuditEntry.What.ROW_CHANGED).first()
    assert (entry.who, entry.after) == (Role.CURATOR, "Sent to hoofd by e-mail.")


def test_a_head_who_may_not_read_questions_is_told_no_count_of_them(hospital, told):
    headed(told, hospital, Role.CURATOR)

    signed_in(hospital, Role.OPERATOR).post(address(told), {"mail": "1"})

    assert "vroegen" not in mail.outbox[0].body


def test_without_an_address_nothing_is_sent_and_the_page_says_why(hospital, told):
    headed(told, hospital, Role.CURATOR, email="")
    browser = signed_in(hospital, Role.OPERATOR)

    page = browser.post(address(told), {"mail": "1"}, follow=True)

    assert not mail.outbox
    assert "has no owner with an e-mail address" in page.text
    assert "E-mail this to" not in page.text


def test_who_only_reads_sends_nothing(hospital, told):
    headed(told, hospital, Role.CURATOR)
    browser = signed_in(hospital, Role.ANALYST)

    assert "E-mail this to" not in browser.get(address(told)).text
    assert browser.post(address(told), {"mail": "1"}).status_code == 403
    assert not mail.outbox


def test_the_head_approves_a_text_of_the_department_and_of_no_other(hospital, told, client):
    head = headed(told, hospital, Role.CURATOR)
    mine, other = CuratedAnswer.objects.order_by("key")
    client.defaults |= {"HTTP_HOST": "test.localhost", "HTTP_ACCEPT_LANGUAGE": "en"}
    client.force_login(head)

    page = client.post(address(told), {"approve": mine.pk}, follow=True)
    refused = client.post(address(told), {"approve": other.pk})

    assert "Read and approved by the head of Dermatologie." in page.text
    assert refused.status_code == 404
    mine.refresh_from_db()
    other.refresh_from_db()
    assert mine.checked_in == {"nl": "hoofd"}
    assert mine.review_by == timezone.localdate() + timedelta(days=365)
    assert other.checked_in == {}


@pytest.mark.parametrize("role", [Role.OPERATOR, Role.ANALYST])
def test_nobody_else_approves_in_the_name_of_the_head(hospital, told, role):
    headed(told, hospital, Role.CURATOR)
    text = CuratedAnswer.objects.order_by("key")[0]
    browser = signed_in(hospital, role)

    assert "Read, and right" not in browser.get(address(told)).text
    assert browser.post(address(told), {"approve": text.pk}).status_code == 403
