"""Whoever guesses passwords is stopped, is told so in words, and IT sees it and can undo it."""

from __future__ import annotations

from datetime import timedelta

import pytest
from axes.models import AccessAttempt
from django.core.management import call_command
from django.utils import timezone

from tests.zol.test_roles import member
from zol.audit import AuditEntry
from zol.models import Role

pytestmark = pytest.mark.django_db
GUESSES = 15


@pytest.fixture
def sign_in(hospital, client):
    member(hospital, Role.IT)
    client.defaults["HTTP_HOST"] = "test.localhost"

    def attempt(password, username="an", **headers):
        typed = {"username": username, "password": password, "next": "/admin/"}
        return client.post("/admin/login/", typed, headers=headers)

    return attempt


@pytest.fixture
def locked(sign_in):
    for guess in range(GUESSES):
        sign_in(f"verkeerd-{guess}")
    return sign_in


def test_a_few_wrong_passwords_still_leave_the_right_one(sign_in):
    for guess in range(3):
        assert sign_in(f"verkeerd-{guess}").status_code == 200

    assert sign_in("geheim-1234").status_code == 302


def test_fifteen_wrong_passwords_do_not_leave_a_sixteenth(locked):
    page = locked("geheim-1234")

    assert page.status_code == 429
    assert "_auth_user_id" not in page.client.session


@pytest.mark.parametrize(
    ("language", "words"),
    [("nl", "Te veel foute wachtwoorden"), ("en", "Too many wrong passwords")],
)
def test_it_is_said_in_words(locked, language, words):
    page = locked("geheim-1234", **{"accept-language": language})

    assert words in page.content.decode()


def test_another_address_does_not_help(sign_in, settings):
    settings.TRUSTED_PROXIES = ["127.0.0.1"]
    for guess in range(GUESSES):
        sign_in(f"verkeerd-{guess}", **{"x-forwarded-for": f"2001:db8:{guess}::7"})

    assert sign_in("geheim-1234", **{"x-forwarded-for": "192.0.2.9"}).status_code == 429


def test_colleagues_at_the_same_address_sign_in_as_before(hospital, locked):
    member(hospital, Role.CURATOR, username="bob")

    assert locked("geheim-1234", username="bob").status_code == 302


def test_it_ends_by_itself_also_when_somebody_goes_on_guessing(locked):
    AccessAttempt.objects.update(attempt_time=timezone.now() - timedelta(minutes=16))

    assert locked("geheim-1234").status_code == 302


def test_it_is_able_to_open_the_account_at_once(locked):
    call_command("axes_reset_username", "an")

    assert locked("geheim-1234").status_code == 302


def test_the_audit_log_tells_it(locked):
    entries = AuditEntry.objects.filter(who="an").values_list("what", flat=True)

    assert {AuditEntry.What.SIGN_IN_FAILED, AuditEntry.What.SIGN_IN_LOCKED} <= set(entries)
