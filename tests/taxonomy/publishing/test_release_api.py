"""The API of releases takes the same steps as the pages, and refuses the same."""

import pytest
from django.test import Client

from taxonomy.models import Release
from taxonomy.models.releases import ReleaseState
from taxonomy.publishing.versions import live_version
from tests.taxonomy.releases import approved, approver, author, previewed, submitted
from tests.zol.staff import host_of

pytestmark = pytest.mark.django_db
RELEASES = "/api/v1/admin/releases/"


def as_user(hospital, user):
    browser = Client(HTTP_HOST=host_of(hospital), HTTP_ACCEPT_LANGUAGE="en")
    browser.force_login(user)
    return browser


def post(browser, address, **values):
    return browser.post(address, values, content_type="application/json")


def test_two_colleagues_bring_a_release_to_patients(live):
    anna, bert = as_user(live, author(live)), as_user(live, approver(live))

    opened = post(anna, RELEASES, title="Geriatrie erbij", note="Nieuwe dienst").json()
    address = f"{RELEASES}{opened['id']}/"
    sent = post(anna, f"{address}submit/").json()
    early = post(bert, f"{address}approve/", seen=sent["version"])
    own = post(anna, f"{address}approve/", seen=sent["version"])
    previewed(Release.objects.get(pk=opened["id"]))
    judged = post(bert, f"{address}approve/", seen=sent["version"], text="Prima").json()
    live_now = post(bert, f"{address}publish/").json()

    assert opened["steps"] == ["submit", "comment"]
    assert "approve" not in sent["steps"]
    assert (early.status_code, "is not finished" in early.json()["detail"]) == (409, True)
    assert (own.status_code, "a colleague must" in own.json()["detail"]) == (409, True)
    assert (judged["state"], judged["approved_by"]) == ("approved", "bert")
    assert [comment["text"] for comment in judged["comments"]] == ["Prima"]
    assert live_now["state"] == "published"
    assert live_version().number == live_now["version"]


def test_changes_are_given_by_field(live):
    release = submitted(live)

    found = as_user(live, author(live)).get(f"{RELEASES}{release.pk}/changes/").json()

    assert found["total"] == 1
    [section] = found["sections"]
    assert (section["code"], section["items"][0]["name"]) == ("department", "Geriatrie")


def test_visitors_and_other_hospitals_see_nothing(live, other_hospital):
    submitted(live)
    visitor = Client(HTTP_HOST=host_of(live))
    stranger = as_user(live, author(live))
    stranger.defaults["HTTP_HOST"] = host_of(other_hospital)

    assert visitor.get(RELEASES).status_code in (401, 403)
    assert stranger.get(RELEASES).status_code == 403


@pytest.mark.parametrize(
    ("step", "values", "status"),
    [
        pytest.param("fly", {}, 404, id="an unknown step"),
        pytest.param("schedule", {"at": "morgen"}, 400, id="a time that is none"),
        pytest.param("schedule", {"at": "2001-01-01T00:00Z"}, 409, id="a time that has passed"),
        pytest.param("schedule", {}, 409, id="no time"),
        pytest.param("reject", {"text": ""}, 409, id="a rejection without reason"),
        pytest.param("submit", {}, 409, id="what is submitted already"),
    ],
)
def test_bad_input_changes_nothing(live, step, values, status):
    release = approved(live)

    answer = post(as_user(live, approver(live)), f"{RELEASES}{release.pk}/{step}/", **values)

    assert answer.status_code == status
    assert Release.objects.get(pk=release.pk).state == ReleaseState.APPROVED
