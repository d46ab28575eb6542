"""An API key has the permissions of its owner, at one hospital, until it expires."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from taxonomy.models import Release
from taxonomy.publishing.versions import publish
from taxonomy.vocabulary import Kind
from tests import factories
from tests.zol.staff import host_of, member, signed_in
from zol.models import ApiToken, AuditEntry, Membership, Role
from zol.tenancy import serving

pytestmark = pytest.mark.django_db
RELEASES = "/api/v1/admin/releases/"
KEYS = "/admin/zol/apitoken/"


def made(browser, name="nightly export") -> str:
    """Return the key that the page shows after it was made."""
    page = browser.post(f"{KEYS}add/", {"name": name, "days": "30"})
    return re.search(r'readonly value="([^"]+)"', page.content.decode()).group(1)


def call(hospital, key, method="get", address=RELEASES, **values):
    tool = Client(HTTP_HOST=host_of(hospital), HTTP_ACCEPT_LANGUAGE="en")
    header = {"HTTP_AUTHORIZATION": f"Token {key}"}
    return getattr(tool, method)(address, values, content_type="application/json", **header)


@pytest.fixture
def live(hospital):
    factories.entity(hospital, Kind.DEPARTMENT, "Cardiologie")
    publish(hospital, by=None)
    return hospital


def test_a_key_is_shown_once_kept_as_a_digest_and_acts_in_its_owners_name(live):
    browser = signed_in(live, Role.CURATOR, username="anna")
    key = made(browser)

    opened = call(live, key, "post", title="Nachtelijke invoer").json()

    stored = ApiToken.objects.get()
    assert key not in (stored.digest, stored.token_key)
    assert key not in browser.get(KEYS).content.decode()
    assert Release.objects.get(pk=opened["id"]).created_by.username == "anna"
    assert AuditEntry.objects.filter(what="release.opened").get().who == "anna"


def test_a_withdrawn_an_ended_and_an_invented_key_are_refused(live):
    browser = signed_in(live, Role.CURATOR)
    withdrawn, ended = made(browser, "one"), made(browser, "two")
    ApiToken.objects.filter(name="two").update(expiry=timezone.now() - timedelta(seconds=1))
    first = ApiToken.objects.get(name="one")
    browser.post(f"{KEYS}{first.pk}/delete/", {"post": "yes"})

    answers = [call(live, key).status_code for key in (withdrawn, ended, "0" * 64)]

    assert answers == [401, 401, 401]


def test_a_key_ends_with_its_owners_role(live):
    key = made(signed_in(live, Role.CURATOR))
    before = call(live, key).status_code
    Membership.objects.all().delete()

    assert (before, call(live, key).status_code) == (200, 403)


def test_a_key_of_one_hospital_opens_no_other(live):
    user = member(live, Role.CURATOR, username="anna")
    other = factories.hospital("other")
    with serving(other):
        Membership.objects.create(hospital=other, user=user, role=Role.CURATOR)
    browser = Client(HTTP_HOST=host_of(live))
    browser.force_login(user)
    key = made(browser)

    assert (call(other, key).status_code, call(live, key).status_code) == (401, 200)
