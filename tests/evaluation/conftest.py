"""The small hospital, published and searchable."""

from collections.abc import Iterator

import pytest

from tests.answering import mini_hospital
from zol.models import Hospital
from zol.tenancy import serving


@pytest.fixture
def mini(untouched: None, db: None) -> Iterator[Hospital]:
    """The small hospital, being served; what a test writes is rolled back."""
    row = mini_hospital()
    with serving(row):
        yield row
