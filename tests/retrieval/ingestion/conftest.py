"""Documents as they come in."""

import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from retrieval import services
from retrieval.ingestion.process import keep_original
from retrieval.models import Document, IngestionItem
from tests.retrieval.ingestion.workers import Workers, own_queue
from zol.models import Hospital

PAGE = "<html><body><main><h1>{title}</h1>{body}</main></body></html>"


@pytest.fixture
def document(hospital: Hospital) -> Callable[..., Document]:
    """Register a page or any other bytes under a path; the same path again replaces the bytes."""

    def register(
        path: str = "a.html",
        body: str = "<p>De bezoekuren zijn elke dag van drie tot acht.</p>",
        *,
        data: bytes | None = None,
        media_type: str = "text/html",
        **fields: object,
    ) -> Document:
        title = str(fields.pop("title", "Bezoekuren"))
        data = data if data is not None else PAGE.format(title=title, body=body).encode()
        original = keep_original(hospital.pk, data, media_type)
        values = {"title": title, "original": original, **fields}
        return Document.objects.update_or_create(hospital=hospital, path=path, defaults=values)[0]

    return register


@pytest.fixture
def ingest(hospital: Hospital) -> Callable[..., IngestionItem]:
    """Ingest a document as a worker would, in a run of its own."""

    def run(document: Document) -> IngestionItem:
        started = services.start_run(hospital, [document], by=None)
        item = started.items.get()
        services.ingest_item(item.pk)
        item.refresh_from_db()
        document.refresh_from_db()
        return item

    return run


@pytest.fixture
def workers(tmp_path: Path) -> Iterator[Workers]:
    """Workers on a queue of this test alone."""
    queue = f"ingest-{uuid.uuid4().hex[:8]}"
    undo = own_queue(queue)
    found = Workers(queue, tmp_path / "worker.log")
    yield found
    found.end()
    undo()
