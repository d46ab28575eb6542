"""Staff who name a complaint that the lexicon does not have are told so: nothing would read it."""

import pytest

from taxonomy.models import ComplaintRoute, LexiconConcept
from tests import factories
from zol.tenancy import serving

pytestmark = pytest.mark.django_db
ADD = "/admin/taxonomy/complaintroute/add/"


def concept(hospital, name, kind="symptom"):
    LexiconConcept.objects.create(hospital=hospital, concept=name, kind=kind)


def test_a_route_leads_from_a_concept_of_the_own_lexicon_or_is_refused_in_words(hospital, curator):
    other = factories.hospital("other")
    with serving(other):
        concept(other, "itch")
    concept(hospital, "hearing_loss")
    concept(hospital, "ent", "specialty")

    for complaint in ("hearingloss", "itch"):
        page = curator.post(ADD, {"complaint": complaint, "specialty": "ent", "weight": "1"})
        assert f"no concept “{complaint}”" in page.text
    assert not ComplaintRoute.objects.exists()
    curator.post(ADD, {"complaint": "hearing_loss", "specialty": "ent", "weight": "1"})
    assert ComplaintRoute.objects.get().complaint == "hearing_loss"
