"""Guessing passwords is blocked with a message, which IT can see and lift; no other user is blocked.

Idle sessions end.
"""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from axes.models import AccessAttempt
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.db import connection, transaction
from django.utils import timezone

from tests.zol.staff import PASSWORD, member
from zol.access.sign_in import MOST_TRIES, counted, counter_at
from zol.celery import clear_sessions
from zol.models import Role
from zol.records.audit import AuditEntry

pytestmark = pytest.mark.django_db
GUESSES = 15


@pytest.fixture(autouse=True)
def counter(settings):
    """Nothing is counted yet, or any more: Redis keeps what tests try."""
    kept = counter_at(settings.REDIS_URL)
    kept.delete(*kept.keys("zol:sign-in:*"), "nothing")
    yield kept
    kept.delete(*kept.keys("zol:sign-in:*"), "nothing")


@pytest.fixture
def sign_in(hospital, client):
    member(hospital, Role.IT, username="an")
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


def test_fifteen_wrong_passwords_do_not_leave_a_sixteenth_and_shut_nobody_else_out(
    locked, hospital
):
    page = locked(PASSWORD, **{"accept-language": "en"})

    assert page.status_code == 429
    assert "Too many wrong passwords" in page.text
    assert "_auth_user_id" not in page.client.session
    entries = AuditEntry.objects.filter(who="an").values_list("what", flat=True)
    assert {AuditEntry.What.SIGN_IN_FAILED, AuditEntry.What.SIGN_IN_LOCKED} <= set(entries)
    member(hospital, Role.CURATOR, username="bob")
    assert locked(PASSWORD, username="bob").status_code == 302


@pytest.mark.parametrize("by_it", [True, False], ids=["by IT, at once", "by itself"])
def test_a_name_that_was_closed_is_opened(locked, by_it):
    if by_it:
        call_command("axes_reset_username", "an")
    else:
        AccessAttempt.objects.update(attempt_time=timezone.now() - timedelta(minutes=16))

    assert locked(PASSWORD).status_code == 302


def test_a_stranger_who_guesses_locks_nobody_out_elsewhere(sign_in, settings):
    settings.TRUSTED_PROXIES = ["127.0.0.1"]
    for guess in range(MOST_TRIES + 5):
        sign_in(f"verkeerd-{guess}", **{"x-forwarded-for": "2001:db8:1::7"})

    assert sign_in(PASSWORD, **{"x-forwarded-for": "2001:db8:1::8"}).status_code == 429
    assert sign_in(PASSWORD, **{"x-forwarded-for": "192.0.2.9"}).status_code == 302


def test_one_address_that_tries_many_names_is_slowed(sign_in, counter, settings):
    seen = [sign_in("verkeerd", username=f"naam-{guess}").status_code for guess in range(40)]

    assert seen == [200] * MOST_TRIES + [429] * 10
    assert sign_in(PASSWORD).status_code == 429
    (key,) = counter.keys("zol:sign-in:*")
    for mark, at in counter.zrange(key, 0, 4, withscores=True):
        counter.zadd(key, {mark: at - settings.AXES_COOLOFF_TIME.total_seconds()})
    assert sign_in(PASSWORD).status_code == 302


def test_tries_at_the_same_moment_are_counted_one_by_one(hospital):
    with ThreadPoolExecutor(20) as many:
        seen = [*many.map(lambda name: counted("zol:sign-in:192.0.2.40", str(name)), range(60))]

    assert sorted(seen) == [*range(1, 61)]


def test_a_hospital_behind_one_address_signs_in_as_often_as_it_likes(sign_in):
    assert {sign_in(PASSWORD).status_code for _ in range(MOST_TRIES + 5)} == {302}


def test_without_redis_names_are_still_closed_one_by_one(sign_in, settings):
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    for guess in range(GUESSES):
        sign_in(f"verkeerd-{guess}")

    assert sign_in(PASSWORD).status_code == 429
    assert sign_in("verkeerd", username="bob").status_code == 200


def end_of(session_of):
    return Session.objects.get(pk=session_of.session.session_key).expire_date


def test_a_session_ends_an_hour_after_the_last_request(sign_in, client, settings):
    sign_in(PASSWORD)
    soon = timezone.now() + timedelta(minutes=2)
    Session.objects.update(expire_date=soon)

    assert client.get("/admin/").status_code == 200
    assert end_of(client) - timezone.now() > timedelta(minutes=59)
    assert settings.SESSION_COOKIE_AGE == 3600
    Session.objects.update(expire_date=timezone.now() - timedelta(seconds=1))
    assert client.get("/admin/").status_code == 302


def test_who_is_signed_in_reads_on_where_nothing_can_be_written(sign_in, client):
    sign_in(PASSWORD)
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL transaction_read_only = on")

        assert client.get("/admin/").status_code == 200
        transaction.set_rollback(True)


def test_sessions_that_have_ended_are_deleted_by_the_clock(sign_in, settings):
    sign_in(PASSWORD)
    Session.objects.update(expire_date=timezone.now() - timedelta(seconds=1))

    clear_sessions()

    assert not Session.objects.exists()
    assert clear_sessions.name in [each["task"] for each in settings.CELERY_BEAT_SCHEDULE.values()]
