"""The API schema is up to date; visitors see only its public part."""

import json

import pytest
from django.conf import settings
from django.core.management import call_command
from django.test import Client

from tests.zol.access.test_api_keys import made as key_made
from tests.zol.staff import host_of, signed_in
from zol.models import Role

pytestmark = pytest.mark.django_db
SCHEMA = "/api/v1/schema"
SCHEMAS = settings.BASE_DIR / "zol" / "schema"


@pytest.mark.parametrize(("name", "of"), [("staff", "zol.urls"), ("public", "chat.channels.urls")])
def test_it_is_what_the_code_says(name, of, tmp_path):
    made = tmp_path / "made.json"
    form = ("--lang", "en", "--format", "openapi-json", "--urlconf", of)
    call_command("spectacular", *form, "--file", str(made))

    assert made.read_text() == (SCHEMAS / f"{name}.json").read_text(), "run: make schema"


def paths(page):
    assert page.status_code == 200
    return set(json.loads(page.content)["paths"])


def test_strangers_read_nothing_of_the_staffs_part(hospital):
    stranger = Client(HTTP_HOST=host_of(hospital))

    assert paths(stranger.get(SCHEMA, HTTP_ACCEPT="application/yaml")) == {"/api/v1/chat"}


def test_staff_read_all_of_it_signed_in_or_with_a_key(hospital):
    browser = signed_in(hospital, Role.CURATOR)
    tool = Client(HTTP_HOST=host_of(hospital), HTTP_AUTHORIZATION=f"Token {key_made(browser)}")

    assert "/api/v1/admin/releases/" in paths(browser.get(SCHEMA))
    assert "/api/v1/admin/releases/" in paths(tool.get(SCHEMA))


def test_staff_of_another_hospital_are_strangers(hospital, other_hospital):
    browser = signed_in(other_hospital, Role.CURATOR)
    browser.defaults["HTTP_HOST"] = host_of(hospital)

    assert paths(browser.get(SCHEMA)) == {"/api/v1/chat"}
