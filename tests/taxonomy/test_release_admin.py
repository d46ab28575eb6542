"""Releases in the back office: each sees what awaits them, and the buttons that are theirs."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from chat.models import CuratedAnswer, FixedText
from retrieval.models import AffinityCell
from taxonomy.kinds import Kind
from taxonomy.models import Department, Release, Version
from taxonomy.models.releases import ReleaseState
from taxonomy.services.publishing import live_version, publish
from tests import factories
from tests.taxonomy.releases import approved, approver, author, submitted
from tests.taxonomy.test_entity_admin import filled_in
from tests.zol.staff import host_of, signed_in
from zol.models import Role
from zol.tenancy import acting

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("work_at_once")]
LIST = "/admin/taxonomy/release/"


@pytest.fixture
def live(hospital):
    factories.entity(hospital, Kind.DEPARTMENT, "Cardiologie")
    publish(hospital, by=None)
    factories.entity(hospital, Kind.DEPARTMENT, "Geriatrie")
    return hospital


def browser_of(hospital, user, client):
    client.defaults = {"HTTP_HOST": host_of(hospital), "HTTP_ACCEPT_LANGUAGE": "en"}
    client.force_login(user)
    return client


def page_of(release):
    return f"{LIST}{release.pk}/change/"


def step(release, name):
    return f"{LIST}{release.pk}/step/{name}/"


def test_a_curator_opens_and_submits_a_release(live):
    curator = signed_in(live, Role.CURATOR)

    page = curator.post(f"{LIST}add/", {"title": "Geriatrie", "note": "Nieuw"}, follow=True)
    release = Release.objects.get(title="Geriatrie")
    assert "Geriatrie" in page.text
    assert "Submit for approval" in page.text
    page = curator.post(step(release, "submit"), follow=True)

    assert "Submitted." in page.text
    assert "Approve" not in [s.title for s in page.context["steps"]]
    release.refresh_from_db()
    assert release.state == ReleaseState.IN_REVIEW


def test_what_waits_is_said_where_it_was_edited_and_sent_in_one_click(live, client):
    anna = browser_of(live, author(live), client)
    row = Department.objects.get(name="Geriatrie")
    page = f"/admin/taxonomy/department/{row.pk}/change/"
    before = anna.get(page)
    row.hours = "9:00-12:00"
    with acting(author(live)):
        row.save()

    after = anna.get(page)
    sent = anna.post(f"{LIST}send/", follow=True)

    assert "Not live yet" not in before.text
    assert "1 edit of yours waits." in after.text
    assert "Not live yet" not in anna.get(page).text
    assert "Submitted." in sent.text
    release = Release.objects.get(state=ReleaseState.IN_REVIEW)
    assert release.submitted_by == author(live)
    assert release.title.startswith("Changes by anna")


def test_an_approver_finds_it_on_the_home_page_and_approves(live, client):
    release = submitted(live, "Geriatrie erbij")
    bert = browser_of(live, approver(live), client)

    home = bert.get("/admin/")
    page = bert.get(page_of(release))
    answer = bert.post(step(release, "approve"), {"seen": release.version.number}, follow=True)

    assert "Releases that await your approval" in home.text
    assert "Geriatrie erbij" in bert.get(f"{LIST}?awaits=me").text or answer.status_code == 200
    assert "Geriatrie" in page.text
    assert "Approved." in answer.text


def test_an_author_is_told_that_a_colleague_has_to_approve(live, client):
    release = submitted(live)
    approver(live)
    anna = browser_of(live, author(live), client)

    page = anna.get(page_of(release))
    answer = anna.post(step(release, "approve"), follow=True)

    assert "approve" not in [s.name for s in page.context["steps"]]
    assert "a colleague has to approve it" in page.text
    assert "a colleague has to approve it" in answer.text
    release.refresh_from_db()
    assert release.state == ReleaseState.IN_REVIEW


def test_who_saves_is_led_to_a_list_that_says_what_waits(live):
    curator = signed_in(live, Role.CURATOR)
    form = "/admin/taxonomy/department/add/"
    added = filled_in(curator.get(form), name="Pediatrie", key="pediatrie")

    saved = curator.post(form, added, follow=True)

    assert "1 edit of yours waits." in saved.text
    assert "Send the draft for approval" in saved.text
    assert "Not live yet" not in curator.get("/admin/taxonomy/department/").text


def test_a_release_that_nobody_can_approve_says_so_and_whom_to_ask(live, client):
    release = submitted(live)
    anna = browser_of(live, author(live), client)

    alone = anna.get(page_of(release)).text
    approver(live)
    together = anna.get(page_of(release)).text

    assert "Nobody can approve it" in alone
    assert "IT gives a colleague the role of operator" in alone
    assert "Nobody can approve it" not in together


def test_an_approver_is_told_that_it_is_theirs_and_sees_what_is_urgent_last(live, client):
    release = submitted(live)
    bert = browser_of(live, approver(live), client)

    page = bert.get(page_of(release))

    assert "you approve or reject it" in page.text
    assert [each.name for each in page.context["steps"]][-1] == "urgent"


def test_a_rejected_release_says_what_becomes_of_its_edits_and_asks_nothing_more(live, client):
    release = submitted(live, is_previewed=False)
    bert = browser_of(live, approver(live), client)

    page = bert.post(step(release, "reject"), {"text": "Te vroeg"}, follow=True)

    assert "mend the draft, which keeps its edits" in page.text
    assert "What patients would notice" not in page.text


def test_from_what_is_live_a_link_leads_to_going_back(live, client):
    release = approved(live)
    bert = browser_of(live, approver(live), client)

    page = bert.post(step(release, "publish"), follow=True)

    assert '<a href="/admin/taxonomy/version/">Go back to an earlier version</a>' in page.text


def test_publishing_is_one_button(live, client):
    release = approved(live)
    bert = browser_of(live, approver(live), client)

    answer = bert.post(step(release, "publish"), follow=True)

    assert "Live: patients are answered from it." in answer.text
    assert live_version() == release.version


def test_an_urgent_publication_is_red_until_a_colleague_has_looked(live, client):
    release = submitted(live, is_previewed=False)
    anna = browser_of(live, author(live), client)

    refused = anna.post(step(release, "urgent"), {"text": ""}, follow=True)
    done = anna.post(step(release, "urgent"), {"text": "Foute telefoon"}, follow=True)

    assert "Say why it cannot wait" in refused.text
    assert "asked to look at it by tomorrow" in done.text
    assert "no colleague has looked at it yet" in done.text
    assert [each.name for each in done.context["steps"]] == []
    bert = browser_of(live, approver(live), client)
    assert "Urgent publications to look at" in bert.get("/admin/").text
    assert "urgent-mark" in bert.get(f"{LIST}?awaits=look").text
    assert "urgent-mark" in bert.get("/admin/taxonomy/version/").text
    seen = bert.post(step(release, "review"), {"text": "Nagebeld"}, follow=True)
    assert "no colleague has looked at it yet" not in seen.text
    assert "Foute telefoon" in seen.text
    assert "urgent-mark" not in bert.get(LIST).text


@pytest.mark.parametrize("is_live", [False, True], ids=["at the buttons", "after publication"])
def test_the_preview_is_shown(live, client, is_live):
    release = approved(live) if is_live else submitted(live)
    bert = browser_of(live, approver(live), client)
    if is_live:
        bert.post(step(release, "publish"))

    page = bert.get(page_of(release)).text

    steps = page[page.index('class="card steps"') :]
    assert "What patients would notice" in steps[: steps.index("</section>")]


def test_a_time_is_chosen_in_the_hospitals_own_time(live, client):
    release = approved(live)
    bert = browser_of(live, approver(live), client)
    soon = timezone.localtime() + timedelta(days=1)

    bert.post(step(release, "schedule"), {"at": f"{soon:%Y-%m-%dT%H:%M}"})

    release.refresh_from_db()
    assert release.state == ReleaseState.SCHEDULED
    assert release.goes_live_at == soon.replace(second=0, microsecond=0)


@pytest.mark.parametrize("at", ["", "morgen", "2001-01-01T10:00"])
def test_a_time_that_cannot_be_is_refused(live, client, at):
    release = approved(live)
    bert = browser_of(live, approver(live), client)

    page = bert.post(step(release, "schedule"), {"at": at}, follow=True)

    assert "Choose a day and a time." in page.text or "has passed" in page.text
    release.refresh_from_db()
    assert release.state == ReleaseState.APPROVED


def test_going_back_is_shown_before_it_is_done(live, client):
    first = live_version()
    bert = browser_of(live, approver(live), client)
    bert.post(step(approved(live), "publish"))
    address = f"/admin/taxonomy/version/{first.pk}/activate/"

    page = bert.get(address)
    empty = bert.post(address, {"why": ""}, follow=True)
    done = bert.post(address, {"why": "Foute telefoon"}, follow=True)

    assert "Geriatrie" in page.text
    assert "Say why you go back" in empty.text
    assert "Version 1 is live" in done.text
    assert live_version() == first


def test_versions_that_were_never_live_are_not_offered(live, client):
    release = approved(live)
    bert = browser_of(live, approver(live), client)

    page = bert.get("/admin/taxonomy/version/")

    assert Version.objects.count() == 2
    assert f"/admin/taxonomy/version/{release.version_id}/" not in page.text


def test_who_may_only_read_gets_no_buttons(live):
    release = submitted(live)
    analyst = signed_in(live, Role.ANALYST)

    page = analyst.get(page_of(release))
    answer = analyst.post(step(release, "approve"), follow=True)

    assert page.context["steps"] == []
    assert answer.status_code == 403


def test_a_comment_is_read_by_all(live, client):
    release = submitted(live)
    analyst = signed_in(live, Role.ANALYST)

    page = analyst.post(step(release, "comment"), {"text": "Is 089 juist?"}, follow=True)

    assert "Is 089 juist?" in page.text


def test_a_change_of_a_factor_is_shown_with_both_numbers(hospital, client):
    cell = AffinityCell.objects.create(
        hospital=hospital, row="medical_information", category="practical", factor=0.75
    )
    publish(hospital, by=None)
    cell.factor = 0.9
    cell.save()
    anna = browser_of(hospital, author(hospital), client)

    page = anna.get(page_of(submitted(hospital)))

    assert "<del>0.75</del>" in page.text
    assert "<ins>0.9</ins>" in page.text


def test_a_change_of_a_text_is_shown_as_patients_read_it(hospital, client):
    text = FixedText.objects.create(
        hospital=hospital, kind="emergency", language="nl", text="Bel **112**."
    )
    answer = CuratedAnswer.objects.create(
        hospital=hospital, key="parkeren", need="parking_place", answer={"nl": "Op P1.", "en": "P1"}
    )
    publish(hospital, by=None)
    FixedText.objects.filter(pk=text.pk).update(text="Bel **nu** 112.")
    CuratedAnswer.objects.filter(pk=answer.pk).update(answer={"nl": "Op **P2**.", "en": "P1"})

    page = browser_of(hospital, approver(hospital), client).get(page_of(submitted(hospital)))

    assert '<ins><div class="said" lang=""><p>Bel <strong>nu</strong> ' in page.text
    assert '<ins><div class="said" lang="nl"><p>Op <strong>P2</strong>.</p>' in page.text
    assert "**" not in page.text


def test_the_home_page_hears_of_unpublished_changes(hospital):
    publish(hospital, by=None)
    browser = signed_in(hospital, Role.ANALYST)

    before = browser.get("/admin/changes/").json()
    factories.entity(hospital, Kind.DEPARTMENT, "Cardiologie")
    after = browser.get("/admin/changes/").json()

    assert (before["changes"], after["changes"]) == (0, 1)
    assert after["text"] == "1 change not yet published"


def test_the_audit_log_is_read_filtered_and_exported(live, client):
    approved(live)
    bert = browser_of(live, approver(live), client)

    page = bert.get("/admin/zol/auditentry/?what__exact=release.approved")
    export = bert.get("/admin/zol/auditentry/export/csv/?what__exact=release.approved")

    assert "release approved" in page.text
    lines = export.content.decode("utf-8-sig").splitlines()
    assert lines[0] == "at,who,what,subject,before,after,why"
    assert len(lines) == 2
    assert "bert,release.approved" in lines[1]


def test_signing_in_is_written_down(live, client):
    client.defaults = {"HTTP_HOST": host_of(live), "HTTP_ACCEPT_LANGUAGE": "en"}
    author(live)

    client.post("/admin/login/", {"username": "anna", "password": "fout"})
    client.post("/admin/login/", {"username": "anna", "password": "geheim-1234"})

    from zol.models import AuditEntry

    steps = AuditEntry.objects.order_by("pk").values_list("what", "who")
    assert list(steps)[-2:] == [("staff.sign_in_failed", "anna"), ("staff.signed_in", "anna")]


def test_a_change_by_a_page_of_rows_is_written_down(live, client):
    from zol.models import AuditEntry, Edit

    anna = browser_of(live, author(live), client)
    before = Edit.objects.count()

    anna.post("/admin/chat/cue/add/", {
        "kind": "greeting", "target": "x", "language": "nl", "text": "hallo", "weight": "1",
    })  # fmt: skip

    made = Edit.objects.order_by("-pk").first()
    if Edit.objects.count() == before:
        pytest.fail("The page did not save a row")
    assert (made.row_set, made.by.username, made.action) == ("chat.cue", "anna", "INSERT")
    assert AuditEntry.objects.filter(what="row.added", who="anna").exists()
