"""Long tasks run in a worker, and a page shows their progress.

The rows of these tests are committed, so that a worker sees them.
"""

import time

import pytest
from django.db import transaction

from taxonomy.models import Release
from taxonomy.models.releases import ReleaseState
from taxonomy.publishing import approval
from taxonomy.vocabulary import Kind
from tests import factories
from tests.retrieval.ingestion.workers import Workers, own_queue, wait_until
from tests.taxonomy.releases import approver, author
from tests.zol.staff import host_of


@pytest.fixture
def browser(mini, client):
    client.defaults = {"HTTP_HOST": host_of(mini), "HTTP_ACCEPT_LANGUAGE": "en"}
    client.force_login(author(mini))
    client.get("/admin/taxonomy/release/")  # The first page of a process imports the others.
    return client


@pytest.fixture
def nobody_works(monkeypatch):
    """A queue that no worker takes anything from."""
    monkeypatch.setattr("zol.backoffice.work.LONELY", 0.2)
    undo = own_queue("nobody", "taxonomy.tasks.*")
    yield
    undo()


def opened(hospital, title="Geriatrie"):
    with transaction.atomic():
        factories.entity(hospital, Kind.DEPARTMENT, title)
        return approval.open_release(by=author(hospital), title=title)


def submitting(browser, release):
    began = time.monotonic()
    answer = browser.post(f"/admin/taxonomy/release/{release.pk}/step/submit/")
    return answer, time.monotonic() - began


def test_the_page_answers_within_a_second_and_follows_the_worker(mini, browser, tmp_path):
    release = opened(mini)
    workers = Workers("live", tmp_path / "log")
    workers.start()
    try:
        answer, seconds = submitting(browser, release)
        assert answer.url.startswith("/admin/work/")
        ended = wait_until(lambda: not browser.get(f"{answer.url}state/").json()["running"])
        page = browser.get(answer.url, follow=True)
    finally:
        workers.end()

    assert ended, (tmp_path / "log").read_text()
    assert seconds < 1
    assert "Submitted." in page.text, (tmp_path / "log").read_text()
    release.refresh_from_db()
    assert (release.state, release.submitted_by) == (ReleaseState.IN_REVIEW, author(mini))


def test_where_no_worker_runs_the_page_says_so_and_does_it(mini, browser, nobody_works):
    release = opened(mini, "Pediatrie")

    answer, seconds = submitting(browser, release)
    time.sleep(0.3)
    page = browser.get(answer.url)
    state = browser.get(f"{answer.url}state/").json()
    done = browser.post(answer.url, follow=True)

    assert seconds < 1
    assert "No worker has started on this" in page.text
    assert state == {"running": True, "words": "", "lonely": True}
    assert "Submitted." in done.text


def test_what_a_worker_does_is_followed_only_by_who_asked_for_it(mini, browser, nobody_works):
    answer, _seconds = submitting(browser, opened(mini, "Oncologie"))
    browser.force_login(approver(mini))

    assert browser.get(answer.url).status_code == 404
    assert browser.post(answer.url).status_code == 404
    assert browser.get(f"{answer.url}state/").status_code == 404


def test_without_a_broker_the_request_does_it(mini, browser, monkeypatch):
    release = opened(mini, "Urologie")

    def away(*args, **more):
        raise ConnectionError("no broker")

    monkeypatch.setattr("celery.app.task.Task.apply_async", away)
    answer, _seconds = submitting(browser, release)

    assert answer.url == f"/admin/taxonomy/release/{release.pk}/change/"
    assert Release.objects.get(pk=release.pk).state == ReleaseState.IN_REVIEW


@pytest.mark.usefixtures("work_at_once")
def test_what_is_refused_comes_back_in_words(mini, browser):
    release = opened(mini, "Hematologie")
    submitting(browser, release)

    answer, _seconds = submitting(browser, release)

    assert "is now “in review”" in browser.get(answer.url).text
