"""Staff who name a complaint that the lexicon does not have are told so: nothing would read it."""

from __future__ import annotations

import pytest

from taxonomy.models import ComplaintRoute, LexiconConcept
from tests import factories
from tests.zol.staff import signed_in
from zol.models import Role
from zol.tenancy import serving

pytestmark = pytest.mark.django_db
ROUTE = {"specialty": "ent", "weight": "1"}


@pytest.fixture
def curator(hospital):
    for concept, kind in (("hearing_loss", "symptom"), ("ent", "specialty")):
        LexiconConcept.objects.create(hospital=hospital, concept=concept, kind=kind)
    return lambda language="en": signed_in(hospital, Role.CURATOR, language=language)


def test_a_route_from_a_concept_of_the_lexicon_is_saved(curator):
    curator().post("/admin/taxonomy/complaintroute/add/", ROUTE | {"complaint": "hearing_loss"})

    assert ComplaintRoute.objects.get().complaint == "hearing_loss"


@pytest.mark.parametrize(
    ("language", "sentence"),
    [("en", "The lexicon has no concept “hearingloss”: write the name of one of its concepts")],
)
def test_a_route_from_no_concept_is_refused_with_what_to_do(curator, language, sentence):
    page = curator(language).post(
        "/admin/taxonomy/complaintroute/add/", ROUTE | {"complaint": "hearingloss"}
    )

    assert sentence in page.text
    assert not ComplaintRoute.objects.exists()


def test_the_concepts_of_another_hospital_do_not_count(curator, hospital):
    other = factories.hospital("other")
    with serving(other):
        LexiconConcept.objects.create(hospital=other, concept="itch", kind="symptom")
    page = curator().post("/admin/taxonomy/complaintroute/add/", ROUTE | {"complaint": "itch"})

    assert "no concept “itch”" in page.text
