"""The small hospital, published and searchable, made once for all tests of a module."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from evaluation.packs.read import read_pack
from evaluation.packs.write import load_pack
from retrieval import services as corpus
from retrieval.models import Document
from taxonomy.services.publishing import publish
from tests.answering import forget_hospitals
from tests.packs import MINI
from zol.models import Hospital
from zol.tenancy import serving


@pytest.fixture(scope="module")
def loaded(django_db_setup, django_db_blocker) -> Iterator[Hospital]:
    """Loading takes seconds, so the rows are committed, and removed when the module is done."""
    with django_db_blocker.unblock():
        hospital, _ = load_pack(read_pack(MINI))
        with serving(hospital):
            publish(hospital, by=None)
            run = corpus.start_run(hospital, Document.objects.all(), by=None)
            for item in run.items.all():
                corpus.ingest_item(item.pk)
    yield hospital
    with django_db_blocker.unblock():
        forget_hospitals()


@pytest.fixture
def mini(loaded: Hospital, db: None) -> Iterator[Hospital]:
    """The small hospital, being served; what a test writes is rolled back."""
    with serving(loaded):
        yield loaded
