"""An operator set a number to 0, and the product went on with its default."""

import pytest
from django.core.exceptions import ValidationError

from retrieval.models import RetrievalSetting
from retrieval.tuning import RetrievalTuning, steering_of
from taxonomy.publishing.live import live_snapshot
from taxonomy.publishing.versions import publish

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("name", "value"),
    [
        pytest.param("dense_weight", 0.0, id="a weight of nothing"),
        pytest.param("live_grades", 0, id="a number of nothing"),
        pytest.param("boosts", False, id="a switch that is off"),
    ],
)
def test_what_the_operator_set_is_what_a_turn_reads(hospital, name, value):
    assert getattr(RetrievalTuning(), name) not in (value, None)
    RetrievalSetting.objects.create(hospital=hospital, name=name, value=value)
    publish(hospital, by=None)

    tuning = steering_of(live_snapshot()).tuning

    assert getattr(tuning, name) == value


@pytest.mark.parametrize(
    ("name", "value", "at"), [("limit", "veel", "value"), ("limiet", 3, "name")]
)
def test_a_value_that_makes_no_sense_is_refused_at_its_field(hospital, name, value, at):
    with pytest.raises(ValidationError) as refusal:
        RetrievalSetting(hospital=hospital, name=name, value=value).full_clean()

    assert set(refusal.value.message_dict) == {at}
