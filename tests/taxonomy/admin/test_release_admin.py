"""Admin pages of releases: lists, buttons by role and state, changes and rollback."""

from datetime import timedelta

import pytest
from django.utils import timezone

from chat.models import CuratedAnswer, FixedText
from taxonomy.models import Department, Release
from taxonomy.models.releases import ReleaseState
from taxonomy.publishing.versions import live_version, publish
from taxonomy.vocabulary import Kind
from tests import factories
from tests.taxonomy.releases import approved, approver, author, submitted
from tests.zol.staff import host_of, signed_in
from zol.models import Role
from zol.tenancy import acting

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("work_at_once")]
LIST = "/admin/taxonomy/release/"


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
    assert "1 of your edits is not live yet." in after.text
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
    assert "Geriatrie" in page.text
    assert "Approved." in answer.text


def test_an_urgent_publication_is_red_until_a_colleague_has_looked(live, client):
    release = submitted(live, is_previewed=False)
    anna = browser_of(live, author(live), client)

    refused = anna.post(step(release, "urgent"), {"text": ""}, follow=True)
    done = anna.post(step(release, "urgent"), {"text": "Foute telefoon"}, follow=True)

    assert "Write why it cannot wait" in refused.text
    assert "asked to review it by tomorrow" in done.text
    assert "no colleague has reviewed it yet" in done.text
    assert [each.name for each in done.context["steps"]] == []
    bert = browser_of(live, approver(live), client)
    assert "Urgent publications to review" in bert.get("/admin/").text
    assert "urgent-mark" in bert.get(f"{LIST}?awaits=look").text
    assert "urgent-mark" in bert.get("/admin/taxonomy/version/").text
    seen = bert.post(step(release, "review"), {"text": "Nagebeld"}, follow=True)
    assert "no colleague has reviewed it yet" not in seen.text
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
    soon = timezone.localtime() + timedelta(days=1)

    browser_of(live, approver(live), client).post(
        step(release, "schedule"), {"at": f"{soon:%Y-%m-%dT%H:%M}"}
    )

    release.refresh_from_db()
    assert release.state == ReleaseState.SCHEDULED
    assert release.goes_live_at == soon.replace(second=0, microsecond=0)


@pytest.mark.parametrize("at", ["morgen", "2001-01-01T10:00"])
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
    assert "Write why you go back" in empty.text
    assert "Version 1 is live" in done.text
    assert live_version() == first


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
