"""Proposals from SNOMED CT have no effect until a person accepts them."""

import pytest
from django.db import connection

from taxonomy.models import Alias, Condition, SnomedChange, SnomedProposal
from taxonomy.snomed import proposals
from taxonomy.snomed.proposals import propose
from taxonomy.vocabulary import Kind
from tests.factories import entity
from tests.taxonomy.snomed.releases import CONCEPT, FEVER, NL, RASH, copy_of_sample, load, replace
from zol.errors import BadInput
from zol.postgres.roles import APPLICATION_ROLE

pytestmark = pytest.mark.django_db


@pytest.fixture
def fever(hospital):
    return entity(hospital, Kind.CONDITION, "Kwintelkoorts")


def proposal(hospital, **of):
    propose(hospital)
    return SnomedProposal.objects.get(**of)


class TestProposing:
    @pytest.mark.parametrize(
        ("names", "more", "by"),
        [
            (["Kwintelkoorts"], {}, "name"),
            (["Zon", "kwintelhitte"], {}, "alias"),
            (["Zon"], {"latin": "Febris quintella"}, "latin"),
            (["Zon"], {"snomed": str(FEVER)}, "code"),
        ],
    )
    def test_a_concept_is_recognised(self, hospital, names, more, by):
        load()
        made = entity(hospital, Kind.CONDITION, *names, **more)

        found = proposal(hospital)

        assert (found.entity_id, found.concept, found.matched_by) == (made.pk, FEVER, by)
        assert found.preferred_term == "kwintelkoorts"
        assert Condition.objects.get().snomed == more.get("snomed", "")

    def test_words_that_the_entity_has_are_not_proposed_again(self, hospital, fever):
        load()
        Alias.objects.create(entity=fever, text="Febris Quintella")

        texts = {synonym["text"] for synonym in proposal(hospital).synonyms}

        assert texts == {"kwintelhitte", "fièvre quintelle", "chaleur quintelle"}

    def test_a_code_that_the_release_does_not_have_is_said(self, hospital):
        load()
        made = entity(hospital, Kind.CONDITION, "Zon", snomed="195967001")

        assert propose(hospital) == (0, [made])

    def test_another_hospital_is_not_asked(self, hospital, other_hospital, fever):
        load()
        with connection.cursor() as cursor:
            cursor.execute(f"SET LOCAL ROLE {APPLICATION_ROLE}")
            propose(other_hospital)
            cursor.execute("RESET ROLE")

        assert not SnomedProposal.objects.filter(hospital=other_hospital).exists()


class TestDeciding:
    def test_accepting_stamps_the_entity_and_adds_the_words(self, hospital, fever, admin_user):
        load()

        said = proposals.accept(proposal(hospital), by=admin_user)

        assert Condition.objects.get().snomed == str(FEVER)
        assert all(alias.text in said for alias in Alias.objects.all())
        assert Alias.objects.get(text="chaleur quintelle").language == "fr"
        assert SnomedProposal.objects.get().decided_by == admin_user

    def test_a_word_that_means_something_else_is_reported_and_left(self, hospital, fever):
        load()
        other = entity(hospital, Kind.CONDITION, "Hitteslag", "Kwintelhitte")

        decided = proposals.accept(proposal(hospital, entity=fever), by=None)

        assert "Hitteslag" in decided
        assert Alias.objects.get(folded="kwintelhitte").entity_id == other.pk

    def test_another_code_is_never_overwritten(self, hospital, fever):
        load()
        found = proposal(hospital)
        Condition.objects.update(snomed=str(RASH))

        with pytest.raises(BadInput, match=str(RASH)):
            proposals.accept(found, by=None)

        assert Condition.objects.get().snomed == str(RASH)

    def test_what_was_rejected_does_not_come_back(self, hospital, fever):
        load()
        proposals.reject(proposal(hospital), by=None)

        assert propose(hospital) == (0, [])
        assert SnomedProposal.objects.get().status == "rejected"

    def test_two_people_cannot_both_decide(self, hospital, fever):
        load()
        found = proposal(hospital)
        proposals.accept(found, by=None)

        with pytest.raises(BadInput, match="kwintelkoorts"):
            proposals.reject(found, by=None)


class TestANewRelease:
    def test_says_which_words_of_which_entities_are_concerned(self, hospital, fever, tmp_path):
        load()
        proposals.accept(proposal(hospital), by=None, words=["kwintelhitte"])
        release = copy_of_sample(tmp_path)
        replace(release, NL, 11, "kwintelhitte", "kwartelhitte")

        loaded = load(release)

        changes = SnomedChange.objects.values_list("entity__name", "sort", "term")
        assert set(changes) == {
            ("Kwintelkoorts", "alias", "kwintelhitte"),
            ("Kwintelkoorts", "added", "kwartelhitte"),
        }
        assert loaded.changes["entities affected"] == 1

    def test_says_which_concepts_are_retired(self, hospital, fever, tmp_path):
        load()
        proposals.accept(proposal(hospital), by=None, words=[])
        release = copy_of_sample(tmp_path)
        replace(release, CONCEPT, 5, "\t1\t", "\t0\t")

        load(release)

        assert SnomedChange.objects.get().sort == "retired"
