"""A hospital with a live version and a change in its draft."""

import pytest

from taxonomy.publishing.versions import publish
from taxonomy.vocabulary import Kind
from tests import factories


@pytest.fixture
def live(hospital):
    """A hospital with one department live, and another in the draft."""
    factories.entity(hospital, Kind.DEPARTMENT, "Cardiologie")
    publish(hospital, by=None)
    factories.entity(hospital, Kind.DEPARTMENT, "Geriatrie")
    return hospital
