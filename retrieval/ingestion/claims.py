"""Who works on which document of a run: each is done once, whatever dies.

A worker holds a lock while it works (`zol.postgres.locks`), so an item that is "being processed"
and whose document nobody holds is known to be abandoned. Should a session be lost under a living
worker, its claim's number is out of date and its work is not written.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from retrieval.ingestion.store import Overtaken
from retrieval.models import IngestionItem, IngestionRun
from zol.postgres import locks

State = IngestionItem.State
#: States in which an item waits for a worker.
WAITING = (State.DISCOVERED, State.FAILED)
UNFINISHED = (*WAITING, State.PROCESSING)
#: Times that an item is taken up before it is given up.
MOST_ATTEMPTS = 3
#: The lock's name among all advisory locks of the database.
LOCK = "retrieval.ingestion"


@dataclass(frozen=True, slots=True)
class Claim:
    """The right to process an item, as long as its number is the item's latest attempt."""

    item_id: int
    run_id: int
    document_id: int
    attempt: int


def held(document_id: int) -> AbstractContextManager[bool]:
    """Hold a document while the block runs; False when somebody else holds it."""
    return locks.held(f"{LOCK}.{document_id}")


@transaction.atomic
def claim(item_id: int) -> Claim | None:
    """Take up an item that waits, in a run that is going on; None when there is nothing to do."""
    item = (
        IngestionItem.objects.select_for_update(skip_locked=True, of=("self",))
        .filter(pk=item_id, state__in=WAITING, run__state=IngestionRun.State.RUNNING)
        .first()
    )
    if item is None:
        return None
    item.state = State.PROCESSING
    item.attempts += 1
    item.claimed_at = timezone.now()
    item.save(update_fields=["state", "attempts", "claimed_at"])
    return Claim(item.pk, item.run_id, item.document_id, item.attempts)


def tell(claimed: Claim, said: str) -> None:
    """Let staff see how far an item is that takes long."""
    _held(claimed).update(reason=said[:500], claimed_at=timezone.now())


def _held(claimed: Claim) -> QuerySet[IngestionItem]:
    return IngestionItem.objects.filter(
        pk=claimed.item_id, state=State.PROCESSING, attempts=claimed.attempt
    )


def settle(claimed: Claim, state: str, reason: str = "") -> None:
    """Note how an item ended; a claim that is out of date undoes its transaction."""
    changed = _held(claimed).update(state=state, reason=reason[:500], claimed_at=timezone.now())
    if not changed:
        raise Overtaken


def abandoned(hospital_id: int) -> Iterator[IngestionItem]:
    """Give the items whose worker is gone."""
    rows = IngestionItem.objects.filter(
        hospital_id=hospital_id, state=State.PROCESSING, run__state=IngestionRun.State.RUNNING
    )
    for item in rows.order_by("pk"):
        with held(item.document_id) as is_free:
            if is_free:
                item.refresh_from_db(fields=["state", "attempts"])
                if item.state == State.PROCESSING:
                    yield item
