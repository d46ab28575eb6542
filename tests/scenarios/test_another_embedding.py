"""Questions were embedded at another size than the index, and every answer was wrong."""

import pytest

from chat import services
from chat.turn import Turn
from retrieval.index.state import refuse_wrong_indexes
from retrieval.models import CorpusState
from retrieval.selectors import forget_pages
from tests import factories
from tests.databases import databases
from zol.errors import WrongIndex
from zol.tenancy import serving


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
