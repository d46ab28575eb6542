"""Operations on the corpus: ingestion runs and their recovery, and withdrawal of pages."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import timedelta
from functools import partial

from celery import current_app
from celery.exceptions import SoftTimeLimitExceeded
from django.conf import settings
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.db.models import Q
from django.utils import timezone
from kombu.exceptions import ChannelError

from retrieval.embedding import get_embedder
from retrieval.index import ensure_index_matches
from retrieval.index.writing import refresh_statistics
from retrieval.ingestion import process
from retrieval.ingestion.process import MOST_ATTEMPTS, UNFINISHED, WAITING, State
from retrieval.ingestion.relations import relate_pages
from retrieval.ingestion.store import ConcurrentEdit, bump_revision
from retrieval.models import Document, IngestionItem, IngestionRun
from taxonomy.proposals.decisions import propose_mergers
from zol.errors import EmbeddingFailed, UnreadableDocument, WrongIndex
from zol.models import Hospital
from zol.tenancy import required_hospital_id, serving

logger = logging.getLogger(__name__)

#: Seconds before the first retry; three times as long after each failure.
BACK_OFF = 10
#: Seconds until an item is tried again while another run has locked its document.
HELD_BACK = 5
#: Age from which a waiting item's message counts as lost; a lower one if the queue is empty.
_LOST_AFTER, _SETTLED = timedelta(minutes=30), timedelta(seconds=5)
TASK = "retrieval.tasks.ingest_document"


@transaction.atomic
def start_run(
    hospital: Hospital, documents: Iterable[Document], *, by: User | None, reason: str = ""
) -> IngestionRun:
    """Start an ingestion run; workers begin once this transaction commits."""
    with serving(hospital):
        ensure_index_matches(get_embedder())
        run = IngestionRun.objects.create(hospital=hospital, started_by=by, reason=reason[:200])
        items = IngestionItem.objects.bulk_create(
            IngestionItem(hospital=hospital, run=run, document=document, claimed_at=timezone.now())
            for document in documents
        )
        if not items:
            _finish_if_done(run.pk)
            run.refresh_from_db()
    _hand_out(hospital.pk, [item.pk for item in items])
    return run


@transaction.atomic
def stop_run(run: IngestionRun) -> None:
    """Stop a run; documents in progress are finished."""
    with serving(run.hospital_id):
        IngestionRun.objects.filter(pk=run.pk, state=IngestionRun.State.RUNNING).update(
            state=IngestionRun.State.STOPPED
        )
        run.refresh_from_db()


@transaction.atomic
def resume_run(run: IngestionRun) -> None:
    """Resume a stopped run and retry its failed documents."""
    with serving(run.hospital_id):
        run.items.filter(state=State.DEAD).update(state=State.DISCOVERED, attempts=0)
        run.items.filter(state__in=WAITING).update(claimed_at=timezone.now())
        IngestionRun.objects.filter(pk=run.pk).update(
            state=IngestionRun.State.RUNNING, finished_at=None
        )
        waiting = list(run.items.filter(state__in=WAITING).values_list("pk", flat=True))
        _finish_if_done(run.pk)
        run.refresh_from_db()
    _hand_out(run.hospital_id, waiting)


def counts(run: IngestionRun) -> dict[str, int]:
    """Return how many documents of a run are in each state, every state included."""
    with serving(run.hospital_id):
        found = Counter(run.items.values_list("state", flat=True))
    return {str(state): found[state] for state in State.values}


def ingest_item(item_id: int) -> None:
    """Process one document of a run; safe to call twice or from two workers."""
    item = IngestionItem.objects.filter(pk=item_id, state__in=UNFINISHED).first()
    if item is None:
        return
    with process.held(item.document_id) as is_mine:
        if not is_mine:
            _hand_out(item.hospital_id, [item.pk], seconds=HELD_BACK)
            return
        if claimed := process.claim(item_id):
            _process(claimed)
    if claimed:
        _finish_if_done(claimed.run_id)


def _process(claimed: IngestionItem) -> None:
    try:
        process.process(claimed, get_embedder())
    except UnreadableDocument as error:
        _give_up(claimed, str(error))
    except SoftTimeLimitExceeded:
        # If it interrupted a statement, the connection can no longer be used.
        connection.close()
        most = settings.CELERY_TASK_SOFT_TIME_LIMIT
        _give_up(claimed, f"It took its worker more than {most} seconds: divide the document")
    except (EmbeddingFailed, WrongIndex) as error:
        _try_again(claimed, str(error))
    except ConcurrentEdit:
        logger.warning("Somebody else went on with document %s", claimed.document_id)


@transaction.atomic
def _give_up(claimed: IngestionItem, reason: str) -> None:
    """Record that a document cannot be ingested; its indexed chunks stay."""
    process.settle(claimed, State.DEAD, reason)
    document = Document.objects.select_for_update().get(pk=claimed.document_id)
    document.reason = reason[:500]
    if document.status != Document.Status.READY:
        document.status = Document.Status.FAILED
    document.save(update_fields=["reason", "status"])


@transaction.atomic
def _try_again(claimed: IngestionItem, reason: str) -> None:
    if claimed.attempts >= MOST_ATTEMPTS:
        _give_up(claimed, reason)
        return
    process.settle(claimed, State.FAILED, reason)
    seconds = BACK_OFF * 3 ** (claimed.attempts - 1)
    _hand_out(required_hospital_id(), [claimed.pk], seconds=seconds)


def recover(hospital: Hospital | int) -> int:
    """Requeue the items that dead workers or the broker lost; return their number."""
    hospital_id = hospital if isinstance(hospital, int) else hospital.pk
    with serving(hospital_id):
        left = [item.pk for item in process.abandoned(hospital_id) if _release(item)]
        lost = _lost(hospital_id)
        IngestionItem.objects.filter(pk__in=lost).update(claimed_at=timezone.now())
        _hand_out(hospital_id, [*left, *lost])
        for run_id in IngestionRun.objects.filter(state=IngestionRun.State.RUNNING).values_list(
            "pk", flat=True
        ):
            _finish_if_done(run_id)
    return len(left) + len(lost)


@transaction.atomic
def _release(item: IngestionItem) -> bool:
    """Requeue an abandoned item, unless it has crashed its worker too often."""
    if item.attempts >= MOST_ATTEMPTS:
        _give_up(
            item,
            f"The background process stopped or failed {item.attempts} times: "
            "ask IT to look in its log",
        )
        return False
    settled = "The worker that processed it stopped or failed; the document waits for another"
    process.settle(item, State.DISCOVERED, settled)
    return True


def _lost(hospital_id: int) -> list[int]:
    """Return waiting items that probably have no message in the queue: old ones, and any if the
    queue is empty (a dead worker's prefetched messages come back only after an hour). A second
    message for an item does no harm."""
    age = _SETTLED if _is_queue_empty() else _LOST_AFTER
    long_ago = timezone.now() - age
    backed_off = timezone.now() - max(age, timedelta(seconds=BACK_OFF * 3**MOST_ATTEMPTS))
    waits = Q(state=State.DISCOVERED) & (Q(claimed_at__lt=long_ago) | Q(claimed_at=None))
    waits |= Q(state=State.FAILED, claimed_at__lt=backed_off)
    return list(
        IngestionItem.objects.filter(
            waits, hospital_id=hospital_id, run__state=IngestionRun.State.RUNNING
        ).values_list("pk", flat=True)
    )


def _is_queue_empty() -> bool:
    queue = current_app.amqp.router.route({}, TASK)["queue"].name
    with current_app.connection_for_write() as connection:
        try:
            found = connection.default_channel.queue_declare(queue, passive=True)
        except ChannelError:
            return True
    return not found.message_count


def _hand_out(hospital_id: int, item_ids: Sequence[int], *, seconds: float = 0) -> None:
    def send() -> None:
        for item_id in item_ids:
            current_app.send_task(TASK, (hospital_id, item_id), countdown=seconds or None)

    if item_ids:
        transaction.on_commit(send)


def _finish_if_done(run_id: int) -> None:
    """Finish a run without unfinished items, once, and update what depends on the corpus."""
    if IngestionItem.objects.filter(run_id=run_id, state__in=UNFINISHED).exists():
        return
    finished = IngestionRun.objects.filter(
        pk=run_id, state=IngestionRun.State.RUNNING, finished_at=None
    ).update(state=IngestionRun.State.FINISHED, finished_at=timezone.now())
    if finished:
        transaction.on_commit(partial(refresh_statistics, required_hospital_id()))
        propose_mergers(required_hospital_id())
        relate_pages()


@transaction.atomic
def withdraw(hospital: Hospital, documents: Sequence[Document]) -> None:
    """Remove documents from search; their rows and chunks stay."""
    if not documents:
        return
    with serving(hospital):
        Document.objects.filter(pk__in=[row.pk for row in documents]).update(
            status=Document.Status.WITHDRAWN
        )
        gone = Document.objects.filter(replaced_by__in=[row.path for row in documents])
        gone.update(replaced_by="", replaced_because="")
        bump_revision(hospital.pk)
