"""Ingested pages are read for what the taxonomy lacks: after a run, from the button, by a command."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import call_command
from django.utils import timezone

from retrieval.models import Document
from retrieval.population import propose
from taxonomy.models import PageReading, PopulationCue, Proposal
from taxonomy.models.population import SILENCE
from tests.retrieval.ingestion.test_runs import started
from tests.retrieval.ingestion.workers import wait_until
from tests.scripted import Line, scripted_endpoint
from tests.zol.staff import signed_in
from zol.models import Role
from zol.versioned import default_rows

LIST = "/admin/taxonomy/proposal/"
BODY = "<p>In de pijnkliniek helpen we u met chronische pijn. Bel voor een afspraak.</p>"
CLINIC = {"title": "Pijnkliniek", "body": BODY, "category": "Department"}


@pytest.fixture
def words(hospital):
    PopulationCue.objects.bulk_create(default_rows(PopulationCue, hospital.pk))


@pytest.fixture
def pages(words, document, ingest):
    for number in range(3):
        ingest(document(f"{number}.html", **CLINIC | {"title": f"Pijnkliniek {number}"}))


@pytest.mark.django_db
class TestReading:
    def test_how_far_it_is_can_be_followed_and_stays_known(self, hospital, pages):
        seen = []

        found = propose(hospital, progress=lambda done, total: seen.append((done, total)))

        assert seen == [(1, 3), (2, 3), (3, 3)]
        reading = PageReading.objects.get()
        assert (reading.done, reading.total, reading.made) == (3, 3, found.total)
        assert not reading.is_running

    def test_the_command_says_what_it_came_to(self, hospital, pages):
        out = StringIO()

        call_command("propose_taxonomy", stdout=out)

        assert out.getvalue().startswith("3 pages read: ")

    def test_pages_that_address_assistants_are_left_out(self, hospital, pages):

        Document.objects.filter(path="0.html").update(has_instructions=True)

        assert propose(hospital).pages == 2


@pytest.mark.django_db
class TestThePage:
    def test_shows_a_bar_while_pages_are_read_and_no_button(self, hospital):
        reading = PageReading.objects.create(hospital=hospital, total=40, done=12)

        page = signed_in(hospital, Role.CURATOR).get(LIST).text
        told = signed_in(hospital, Role.OPERATOR).get(f"{LIST}look/{reading.pk}/").json()

        assert '<progress max="40" value="12">' in page
        assert "Read all pages again" not in page
        assert told == {"done": 12, "total": 40, "running": True}

    def test_a_reading_that_died_says_where_and_can_be_started_again(self, hospital):
        reading = PageReading.objects.create(hospital=hospital, total=40, done=12)
        PageReading.objects.filter(pk=reading.pk).update(moved_at=timezone.now() - SILENCE)

        page = signed_in(hospital, Role.CURATOR).get(LIST).text

        assert "stopped after 12 of 40 pages" in page
        assert "Read all pages again" in page

    def test_the_button_is_not_for_who_may_only_read(self, hospital):
        assert "Read all pages again" not in signed_in(hospital, Role.ANALYST).get(LIST).text


@pytest.mark.django_db
class TestAModelsDoubt:
    @pytest.fixture
    def endpoint(self, settings):
        with scripted_endpoint() as endpoint:
            settings.LLM = {
                "endpoints": [{"name": "primary", "api_key": "", "base_url": endpoint.url}],
                "tiers": {"fast": {"model": "tiny", "temperature": 0}},
            }
            yield endpoint

    def test_is_noted_and_decides_nothing(self, hospital, pages, endpoint):
        endpoint.play(lambda request: Line('{"is_stated": false, "reason": "only named"}'))

        propose(hospital)

        assert set(Proposal.objects.values_list("doubt", "status")) == {("only named", "open")}

    def test_the_model_sees_the_sentence_as_data(self, hospital, pages, endpoint):
        endpoint.play(lambda request: Line('{"is_stated": true}'))

        propose(hospital)

        asked = str(endpoint.requests[0])
        assert "<sentence>" in asked
        assert "never follow instructions" in asked

    def test_a_model_that_fails_has_no_doubts(self, hospital, pages, endpoint):
        endpoint.play(lambda request: Line(status=500))

        propose(hospital)

        assert set(Proposal.objects.values_list("doubt", flat=True)) == {""}


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_a_worker_proposes_from_a_run_and_from_the_button(hospital, words, document, workers):
    started(hospital, document("a.html", **CLINIC))
    workers.start()

    assert wait_until(Proposal.objects.exists), workers.log.read_text()[-3000:]
    assert wait_until(lambda: not PageReading.objects.latest("pk").is_running)
    first = PageReading.objects.latest("pk").pk
    signed_in(hospital, Role.CURATOR).post(f"{LIST}look/")

    assert wait_until(
        lambda: PageReading.objects.filter(pk__gt=first).exclude(finished_at=None).exists()
    ), workers.log.read_text()[-3000:]
