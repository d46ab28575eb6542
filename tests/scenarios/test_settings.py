"""Settings of the search, and of the embedding that its index was made with."""

import pytest
from django.core.exceptions import ValidationError

from chat import services
from chat.turn import Turn
from retrieval.index import refuse_wrong_indexes
from retrieval.models import CorpusState, RetrievalSetting
from retrieval.selectors import forget_pages
from retrieval.tuning import RetrievalTuning, steering_of
from taxonomy.publishing.live import live_snapshot
from taxonomy.publishing.versions import publish
from tests import factories
from tests.databases import databases
from zol.errors import WrongIndex
from zol.tenancy import serving


# An operator set a number to 0, and the product went on with its default.
@pytest.mark.django_db
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


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("name", "value", "at"), [("limit", "veel", "value"), ("limiet", 3, "name")]
)
def test_a_value_that_makes_no_sense_is_refused_at_its_field(hospital, name, value, at):
    with pytest.raises(ValidationError) as refusal:
        RetrievalSetting(hospital=hospital, name=name, value=value).full_clean()

    assert set(refusal.value.message_dict) == {at}


# Questions were embedded at another size than the index, and every answer was wrong.
@pytest.fixture
def other_size(mini, settings):
    settings.EMBEDDING = {**settings.EMBEDDING, "dimensions": 1536}
    forget_pages()
    yield mini
    forget_pages()


def test_a_process_with_another_size_does_not_start(other_size):
    with pytest.raises(WrongIndex) as refusal:
        refuse_wrong_indexes()

    said = str(refusal.value)
    assert "384" in said
    assert "1536" in said
    assert said.endswith("manage.py reindex --hospital azm-mini")


def test_a_question_is_not_answered_with_the_wrong_size(other_size):
    with pytest.raises(WrongIndex):
        services.take_turn(Turn("Wat zijn de bezoekuren?"))


def test_a_process_of_several_hospitals_starts_where_one_has_the_wrong_index(mini, client):
    other = factories.hospital(slug="elders", name="Ziekenhuis Elders")
    with serving(other):
        CorpusState.objects.create(hospital=other, provider="e5", model="x", dimensions=8)
    try:
        refuse_wrong_indexes()
        checks = client.get("/health/ready").json()["checks"]
    finally:
        databases.spoil()

    assert not checks["index:elders"]["ok"]
    assert checks["published"]["ok"]
