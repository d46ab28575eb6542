"""Pages propose, people decide: nothing is taken over by itself, and nothing is asked twice."""

from __future__ import annotations

import pytest

from taxonomy.kinds import Kind, Predicate
from taxonomy.models import Alias, Condition, Department, Doctor, PopulationCue, Proposal, Relation
from taxonomy.services.deciding import accept, accept_as, reject
from taxonomy.services.proposing import propose_from
from tests.factories import entity, relate
from tests.taxonomy.population.reading import page
from zol.errors import BadInput
from zol.versioned import default_rows

pytestmark = pytest.mark.django_db
LIST = "Dr. Nele Maris | maandag 9:00-12:00\nDr. Wout Smet | dinsdag"
UROLOGY = page("Department", "Urologie", LIST, "Wij behandelen nierstenen.")
CLINIC = page("Department", "Pijnkliniek", "Welkom.", url="https://x.example/pijn")


@pytest.fixture
def urology(hospital):
    PopulationCue.objects.bulk_create(default_rows(PopulationCue, hospital.pk))
    entity(hospital, Kind.CONDITION, "Nierstenen", "steentjes")
    return entity(hospital, Kind.DEPARTMENT, "Urologie")


def proposal(**about):
    return Proposal.objects.get(**about)


def test_reading_pages_changes_nothing_but_the_queue(hospital, urology):
    found = propose_from(hospital, [UROLOGY, CLINIC])

    assert dict(found.made) == {"entity": 3, "relation": 1}
    assert not Doctor.objects.exists()
    assert not Relation.objects.exists()
    assert set(Proposal.objects.values_list("status", flat=True)) == {"open"}


def test_each_proposal_shows_the_sentence_and_its_page(hospital, urology):
    propose_from(hospital, [UROLOGY])

    told = proposal(sort="relation")
    assert (told.sentence, told.page) == ("Wij behandelen nierstenen.", "Urologie.html")


def test_reading_the_same_page_again_adds_nothing(hospital, urology):
    propose_from(hospital, [UROLOGY, CLINIC])
    before = list(Proposal.objects.order_by("pk").values())

    again = propose_from(hospital, [UROLOGY, CLINIC])

    assert (again.total, again.known) == (0, 4)
    assert list(Proposal.objects.order_by("pk").values()) == before


def test_another_page_that_says_so_too_supports_it(hospital, urology):
    other = page("Condition", "Nierstenen", "Nierstenen worden behandeld door Urologie.")

    propose_from(hospital, [UROLOGY, other])

    told = proposal(sort="relation")
    assert told.support == 2
    assert [source["path"] for source in told.sources] == ["Urologie.html", "Nierstenen.html"]


def test_what_was_rejected_stays_rejected(hospital, urology, django_user_model):
    user = django_user_model.objects.create_user("c")
    propose_from(hospital, [CLINIC])
    reject(proposal(), by=user, why="bestaat niet meer")

    propose_from(hospital, [CLINIC])

    told = proposal()
    assert (told.status, told.outcome, told.decided_by) == ("rejected", "bestaat niet meer", user)
    assert told.decided_at is not None


def test_accepting_makes_a_draft_row_with_what_comes_with_it(hospital, urology):
    propose_from(hospital, [UROLOGY])

    accept(proposal(name="Dr. Nele Maris"), by=None)

    made = Doctor.objects.get()
    assert (made.key, made.first_name, made.last_name) == ("nele-maris", "Nele", "Maris")
    assert str(Relation.objects.get()) == "Dr. Nele Maris WORKS_IN Urologie"


def test_a_relation_is_accepted(hospital, urology):
    propose_from(hospital, [UROLOGY])

    accept(proposal(sort="relation"), by=None)

    assert str(Relation.objects.get()) == "Urologie HANDLES Nierstenen"


def test_the_name_can_be_corrected(hospital, urology):
    propose_from(hospital, [CLINIC])

    accept(proposal(), by=None, name="Multidisciplinaire pijnkliniek")

    made = Department.objects.get(url="https://x.example/pijn")
    assert made.name == "Multidisciplinaire pijnkliniek"


def test_a_name_that_is_there_is_refused_and_the_proposal_stays_open(hospital, urology):
    propose_from(hospital, [CLINIC])

    with pytest.raises(BadInput, match="urologie"):
        accept(proposal(), by=None, name="urologie")

    assert proposal().status == "open"
    assert Department.objects.count() == 1


def test_merging_into_what_is_there_adds_a_word(hospital, urology):
    propose_from(hospital, [CLINIC])

    accept_as(proposal(), urology, by=None)

    assert Alias.objects.get(entity=urology).text == "Pijnkliniek"
    assert Department.objects.count() == 1


def test_a_word_with_another_meaning_is_reported_and_kept(hospital, urology):
    entity(hospital, Kind.DEPARTMENT, "Algologie", "Pijnkliniek")
    told = Proposal.objects.create(
        hospital=hospital, sort="alias", identity="x", kind="department", name="pijnkliniek",
        language="nl", subject=urology.entity_ptr,
    )  # fmt: skip

    with pytest.raises(BadInput, match="Algologie"):
        accept(told, by=None)

    assert Alias.objects.get(folded="pijnkliniek").entity.name == "Algologie"


def test_a_decision_is_made_once(hospital, urology):
    propose_from(hospital, [CLINIC])
    told = proposal()
    accept(told, by=None)

    with pytest.raises(BadInput, match="Pijnkliniek"):
        reject(told, by=None)
    assert proposal().status == "accepted"


def test_a_model_is_asked_once_and_only_doubts(hospital, urology):
    asked = []

    def judge(told):
        asked.append(str(told))
        return "that is no department"

    propose_from(hospital, [CLINIC], judge=judge)
    propose_from(hospital, [CLINIC], judge=judge)

    assert asked == ["Pijnkliniek"]
    assert (proposal().doubt, proposal().status) == ("that is no department", "open")


def test_what_stands_in_the_taxonomy_is_not_proposed(hospital, urology):
    relate(urology, Predicate.HANDLES, Condition.objects.get())

    propose_from(hospital, [UROLOGY])

    assert not Proposal.objects.filter(sort="relation").exists()
