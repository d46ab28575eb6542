"""A small hospital that answers: its pack loaded, published and ingested."""

from pathlib import Path

from chat.models import Conversation
from chat.services import forget
from retrieval import services
from retrieval.index.writing import refresh_statistics
from retrieval.models import Document
from taxonomy.packs.folder import load_pack, read_pack
from taxonomy.publishing.defaults import load_defaults
from taxonomy.publishing.versions import publish
from zol.models import Hospital
from zol.tenancy import serving

HOST = "azm-mini.localhost"
#: Seconds for an answer: machines of test runs are slow and shared, and the first one of a process
#: loads what it needs.
PATIENCE = 120


def mini_hospital() -> Hospital:
    """Return the small hospital; tests of it have a database that begins with it."""
    return Hospital.objects.get(slug="azm-mini")


def loaded(folder: Path) -> Hospital:
    load_defaults()
    hospital, _changes = load_pack(read_pack(folder))
    with serving(hospital):
        publish(hospital, by=None)
        ingest(hospital)
    return hospital


def forget_conversations() -> None:
    """Forget every conversation as its visitor would: an answer that is just being settled goes too."""
    for conversation in Conversation.objects.all():
        forget(conversation)


def ingest(hospital: Hospital, **which: str) -> None:
    """Process every page, or those that are meant, here and now, as a worker would."""
    with serving(hospital):
        pages = Document.objects.filter(**which)
        run = services.start_run(hospital, pages, by=None, reason="test")
        for item in run.items.values_list("pk", flat=True):
            services.ingest_item(item)
        refresh_statistics(hospital.pk)
