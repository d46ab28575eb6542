"""A small hospital that answers: its pack loaded, published and ingested once for a test run."""

from __future__ import annotations

from pathlib import Path

from django.db import connections

from chat.models import Conversation
from chat.services import forget
from evaluation.packs.read import read_pack
from evaluation.packs.write import load_pack
from retrieval import services
from retrieval.index.writing import refresh_statistics
from retrieval.models import Document, IngestionItem
from taxonomy.services.publishing import publish
from zol.models import Hospital
from zol.tenancy import serving

MINI = Path(__file__).parent / "packs" / "mini"
HOST = "azm-mini.localhost"
#: Seconds for an answer: machines of test runs are slow and shared, and the first one of a process
#: loads what it needs.
PATIENCE = 120


def mini_hospital() -> Hospital:
    """Return the small hospital; load it when the database does not have it (any more)."""
    row = Hospital.objects.filter(slug="azm-mini").first()
    return row or loaded(MINI)


def loaded(folder: Path) -> Hospital:
    hospital, _changes = load_pack(read_pack(folder))
    with serving(hospital):
        publish(hospital, by=None)
        ingest(hospital)
    return hospital


def forget_hospitals() -> None:
    """Remove every committed row of every hospital: other tests expect an empty database."""
    connections["default"].close()
    with connections["owner"].cursor() as cursor:
        cursor.execute("TRUNCATE zol_hospital CASCADE")
    connections.close_all()


def forget_conversations() -> None:
    """Forget every conversation as its visitor would: an answer that is just being settled goes too."""
    for conversation in Conversation.objects.all():
        forget(conversation)


def ingest(hospital: Hospital) -> None:
    """Process every page here and now, as a worker would."""
    with serving(hospital):
        services.start_run(hospital, Document.objects.all(), by=None, reason="test")
        for item in IngestionItem.objects.values_list("pk", flat=True):
            services.ingest_item(item)
        refresh_statistics(hospital.pk)
