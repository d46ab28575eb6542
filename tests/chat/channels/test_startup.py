"""What the first visitor's question needs is loaded before somebody asks it."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from chat.channels import startup as rehearsal
from chat.models import Message
from chat.services import take_turn
from chat.turn import Turn
from retrieval import embedding
from taxonomy.language import dictionary
from taxonomy.models import PublishedEntity
from taxonomy.publishing.live import forget_snapshots, live_snapshot
from taxonomy.publishing.versions import publish
from taxonomy.vocabulary import Kind
from tests import factories
from tests.answering import HOST
from tests.databases import databases
from tests.zol.staff import host_of, signed_in
from zol.languages import LANGUAGES
from zol.models import Role
from zol.tenancy import serving


@pytest.fixture
def rehearsed(mini):
    """A process that has forgotten everything, and has then rehearsed."""
    dictionary._known.cache_clear()
    embedding._made.cache_clear()
    forget_snapshots()
    with ThreadPoolExecutor(1) as thread:
        thread.submit(rehearsal.warm_up).result()
    return mini


def test_the_first_question_finds_everything_derived(rehearsed):
    before = set(live_snapshot()._derived)
    for text, language in (("Waar kan ik parkeren?", "nl"), ("Can I visit a patient?", "en")):
        take_turn(Turn(text, language=language))

    assert before
    assert set(live_snapshot()._derived) == before


def test_dictionary_and_encoder_are_read_every_language_is_rehearsed_and_nothing_is_kept(
    mini, request
):
    before = Message.objects.count()
    request.getfixturevalue("rehearsed")

    assert dictionary._known.cache_info().currsize == 1
    assert "_encoder" in vars(embedding.get_embedder())
    assert {turn.language for turn in rehearsal.questions(live_snapshot())} == set(LANGUAGES)
    assert Message.objects.count() == before


@pytest.fixture
def unreadable(mini):
    """Another hospital, whose live version holds what this release does not know."""
    other = factories.hospital(slug="elders", name="Ziekenhuis Elders", short_name="ZE")
    with serving(other):
        factories.entity(other, Kind.DEPARTMENT, "Oogziekten")
        version = publish(other, by=None)
    PublishedEntity.objects.using("owner").filter(version=version, kind="department").update(
        kind="starship"
    )
    forget_snapshots()
    yield other
    databases.spoil()


def test_a_version_that_cannot_be_read_stops_no_other_hospital(unreadable, client):
    with ThreadPoolExecutor(1) as thread:
        thread.submit(rehearsal.warm_up).result()

    body = {"question": "Wat zijn de bezoekuren?"}
    theirs, ours = (
        client.post("/api/v1/chat", body, content_type="application/json", headers={"host": host})
        for host in (host_of(unreadable), HOST)
    )
    ready = client.get("/health/ready")
    home = signed_in(unreadable, Role.OPERATOR).get("/admin/")

    assert (theirs.status_code, theirs.json()["code"]) == (503, "not_ready")
    assert "089 00 00 00" in theirs.json()["message"]
    assert ours.json()["text"]
    assert (ready.status_code, ready.json()["degraded"]) == (200, True)
    assert "starship" in ready.json()["checks"]["published:elders"]["detail"]
    assert "Visitors of this hospital get no answers" in home.text


def test_a_hospital_that_published_nothing_is_told_of(hospital, caplog):
    rehearsal._warm_up_hospital(hospital)

    assert "is not ready" in caplog.text
