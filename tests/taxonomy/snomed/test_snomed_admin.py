"""Staff see loaded releases and their changes, and decide on each proposal."""

import pytest
from django.contrib.admin.models import LogEntry
from django.urls import reverse

from taxonomy.models import Alias, Condition, SnomedProposal
from taxonomy.snomed.proposals import propose
from taxonomy.vocabulary import Kind
from tests.factories import entity
from tests.taxonomy.snomed.releases import FEVER, load

pytestmark = pytest.mark.django_db
LIST = "/admin/taxonomy/snomedproposal/"


@pytest.fixture
def fever(hospital):
    return entity(hospital, Kind.CONDITION, "Kwintelkoorts")


@pytest.fixture
def proposal(hospital, fever):
    load()
    propose(hospital)
    return SnomedProposal.objects.get()


def test_looking_for_proposals_fills_the_queue(curator, fever):
    load()

    page = curator.post(reverse("admin:taxonomy_snomedproposal_look"), follow=True)

    assert "1 proposal to decide on." in page.text
    assert "kwintelkoorts" in page.text


def test_a_proposal_shows_its_words_and_those_that_collide(curator, hospital, proposal):
    entity(hospital, Kind.CONDITION, "Hitteslag", "kwintelhitte")

    page = curator.get(f"{LIST}{proposal.pk}/change/")

    assert "febris quintella (nl)" in page.text
    assert "already means “Hitteslag”" in page.text


def test_accepting_with_the_words_left_ticked(curator, proposal):
    curator.post(f"{LIST}{proposal.pk}/change/", {"words": ["kwintelhitte"], "_accept": "1"})

    assert Condition.objects.get().snomed == str(FEVER)
    assert [alias.text for alias in Alias.objects.all()] == ["kwintelhitte"]
    assert LogEntry.objects.count() == 1


def test_rejecting_leaves_the_entity_as_it_is(curator, proposal):
    curator.post(f"{LIST}{proposal.pk}/change/", {"words": ["kwintelhitte"], "_reject": "1"})

    proposal.refresh_from_db()
    assert proposal.status == "rejected"
    assert Condition.objects.get().snomed == ""
    assert not Alias.objects.exists()


def test_the_releases_and_their_changes_are_listed(curator, hospital):
    load(edition="Voorbeeld")

    assert "Voorbeeld" in curator.get("/admin/taxonomy/snomedrelease/").text
    assert curator.get("/admin/taxonomy/snomedchange/").status_code == 200
