"""The answer cache in PostgreSQL: look up, store and evict (spec D10).

Three safeguards keep answers from the wrong reader. Row-level security hides other hospitals' rows.
The room (language, channel, mode, settings, models and day) is part of every hash. The knowledge
(version, corpus, terminology and purges) is compared inside the query, so that an answer becomes
unreachable with the commit of a publish or of an ingested page.

Similar questions are compared only within one room and sense: a handful of rows, so that a scan
suffices and no vector index must be maintained.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from dataclasses import asdict
from datetime import timedelta
from itertools import count
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import DatabaseError, connection, transaction
from django.db.models import F, TextField, Value
from django.utils import timezone
from pgvector import HalfVector

from chat.answer_cache.reuse import CachedReply, Gist, digest, may_store, overlap
from chat.checking.base import Citation
from chat.models import CachedAnswer, CacheState, Message
from chat.sources.lookup import contact_of
from chat.turn import Answer, Context, Ticket, Turn, Understanding
from retrieval.embedding import get_encoder
from retrieval.index import as_search_failed
from retrieval.intents import Intent
from retrieval.tuning import steering_of
from taxonomy.publishing.live import live_snapshot
from taxonomy.snapshot import Snapshot
from zol.tenancy import required_hospital_id
from zol.text import squash

logger = logging.getLogger(__name__)

#: Cosine threshold of equal questions (measured: retrieval/embedding/e5/trained.md).
DUPLICATE = 0.955
#: Minimum share of common content words of two questions.
OVERLAP = 0.6
#: Similar questions whose content words are compared, and latest rows of a room that are searched.
FETCHED, LATEST = 5, 1_000
UNIQUE = ["hospital", "exact", "knowledge"]
#: New rows of a process after which outdated ones are deleted, and how many at most.
SWEEPING, SWEPT = 20, 1_000
_stored = count()

_FIELDS = (
    "answer", "language", "intent", "query", "citations", "follow_ups", "contact", "verified",
    "engine", "content",
)  # fmt: skip
# Use LIMIT 1: for EXISTS the planner may scan the whole room.
_FOUND = f"""
    SELECT now.knowledge, COALESCE((
        SELECT TRUE FROM chat_cachedanswer r WHERE r.room = %s AND r.knowledge = now.knowledge
            AND r.expires_at > now() AND r.vector IS NOT NULL LIMIT 1
    ), FALSE), {", ".join(f"c.{name}" for name in _FIELDS)}
    FROM (SELECT zol_knowledge() AS knowledge OFFSET 0) now
    LEFT JOIN chat_cachedanswer c ON c.{{column}} = %s AND c.knowledge = now.knowledge
        AND c.expires_at > now()
    ORDER BY c.id DESC LIMIT 1"""
EXACT, REWORDED = _FOUND.format(column="exact"), _FOUND.format(column="reworded")
SIMILAR = f"""
    SELECT -(near.vector <#> %s::halfvec) AS cosine, {", ".join(_FIELDS)} FROM (
        SELECT * FROM chat_cachedanswer
        WHERE room = %s AND knowledge = %s AND expires_at > now() AND vector IS NOT NULL
        ORDER BY id DESC LIMIT {LATEST}
    ) near
    ORDER BY cosine DESC LIMIT {FETCHED}"""


class AnswerCache:
    """The served hospital's recent answers, for one set of circumstances."""

    def __init__(
        self, snapshot: Snapshot, *circumstances: str, duplicate: float = DUPLICATE
    ) -> None:
        self._duplicate = duplicate
        endpoints = [endpoint["base_url"] for endpoint in settings.LLM["endpoints"]]
        #: Fingerprint of everything that affects answers, apart from question and pages.
        self._world = digest(
            str(snapshot.hospital_id),
            str(snapshot.version),
            str(snapshot.snomed),
            getattr(settings, "COMMIT", ""),
            # An earlier release could not read newer fields of a citation.
            str(Citation.__slots__),
            # API keys are excluded.
            f"{endpoints} {settings.LLM['tiers']}",
            f"{settings.RERANK['url']} {settings.RERANK['model']}",
            get_encoder().model,
            repr(snapshot.profile),
            repr(steering_of(snapshot).tuning),
            *circumstances,
        )

    def exact(self, ctx: Context) -> CachedReply | Ticket:
        """Find the answer to the identical question."""
        written = self._written(ctx.turn)
        ((knowledge, _, *row),) = run(EXACT, ["", written])
        return Ticket(knowledge, exact=written) if row[0] is None else _read(row, "exact")

    def similar(self, ctx: Context, gist: Gist) -> CachedReply | Ticket:
        """Find the answer to a question of the same sense: equal once rewritten, or similar."""
        meant, content = ctx.understanding, tuple(sorted(gist.content))
        room = digest(self._room(ctx.turn), meant.language, gist.sense)
        reworded = digest(room, meant.query, *content)
        ((knowledge, has_others, *row),) = run(REWORDED, [room, reworded])
        if row[0] is not None:
            return _read(row, "rewritten")
        # Use the knowledge at the start of the turn: a page may have changed since. In the middle
        # of a conversation that is now: its passages are still to be searched.
        knowledge = ctx.reply.ticket.knowledge if ctx.reply.ticket else knowledge
        if has_others:
            vector = HalfVector(get_encoder().embed_query(meant.query))
            for cosine, *row in run(SIMILAR, [vector, room, knowledge]):
                if cosine < self._duplicate:
                    break
                if overlap(gist.content, frozenset(row[-1])) >= OVERLAP:
                    return _read(row, "similar", cosine)
        # The written form alone identifies only the first question of a conversation.
        exact = reworded if ctx.turn.history else self._written(ctx.turn)
        return Ticket(knowledge, exact, reworded, room, content)

    def _written(self, turn: Turn) -> str:
        return digest(self._room(turn), turn.language, squash(turn.question))

    def _room(self, turn: Turn) -> str:
        return digest(self._world, turn.channel, turn.mode, *sorted(turn.categories))


def run(statement: str, values: list[Any]) -> list[tuple[Any, ...]]:
    """Return the rows of a look-up."""
    with as_search_failed(), connection.cursor() as cursor:
        cursor.execute(statement, values)
        return list(cursor.fetchall())


def _read(row: Sequence[Any], tier: str, similarity: float = 1.0) -> CachedReply:
    """Return a row's `_FIELDS` as a reply."""
    found = dict(zip(_FIELDS, row, strict=True))
    reply = Answer(
        text=found["answer"],
        citations=tuple(Citation(**each) for each in json.loads(found["citations"])),
        follow_ups=tuple(json.loads(found["follow_ups"])),
        contact=json.loads(found["contact"]),
        verified=found["verified"],
        engine=found["engine"],
        cached=True,
    )
    meant = Understanding(
        intent=Intent(found["intent"]), language=found["language"], query=found["query"]
    )
    return CachedReply(reply, meant, tier, similarity)


def vector_of(ctx: Context) -> HalfVector | None:
    """Return the vector for comparison; None if the answer is not for others."""
    if not may_store(ctx):
        return None
    return HalfVector(get_encoder().embed_query(ctx.understanding.query))


def store(
    ctx: Context,
    *,
    seconds: int,
    conversation: UUID | None = None,
    vector: HalfVector | None = None,
) -> bool:
    """Cache an answer for others, if allowed; delete some outdated ones."""
    ticket, meant = ctx.reply.ticket, ctx.understanding
    if not may_store(ctx) or ticket is None or seconds <= 0:
        return False
    values = asdict(ticket) | {
        "content": list(ticket.content),
        "vector": vector,
        "expires_at": timezone.now() + timedelta(seconds=seconds),
        "question": ctx.question,
        "query": meant.query,
        "intent": str(meant.intent),
        "language": meant.language,
        "answer": ctx.answer.removeprefix(ctx.reply.bulletin),
        "citations": [asdict(citation) for citation in ctx.citations],
        "follow_ups": list(ctx.reply.follow_ups),
        "contact": contact_of(ctx, live_snapshot()),
        "verified": ctx.reply.verified,
        "engine": ctx.reply.engine,
    }
    row = CachedAnswer(hospital_id=required_hospital_id(), conversation_id=conversation, **values)
    try:
        with transaction.atomic():
            CachedAnswer.objects.bulk_create(
                [row],
                update_conflicts=True,
                unique_fields=UNIQUE,
                update_fields=["conversation", *(name for name in values if name not in UNIQUE)],
            )
            if next(_stored) % SWEEPING == 0:
                sweep()
    except DatabaseError:
        # The conversation was erased meanwhile, or the database is away: only log it.
        logger.warning("An answer was not cached", exc_info=True)
        return False
    return True


def evict(message: Message) -> int:
    """Evict the answer of a message from all rooms; return how many rows there were."""
    cached = CachedAnswer.objects.filter(language=message.language).annotate(
        shown=Value(message.answer, output_field=TextField())
    )
    # The message may have bulletins above the cached answer.
    gone, _of_each = cached.filter(shown__endswith=F("answer")).exclude(answer="").delete()
    return gone


def sweep() -> None:
    """Delete some outdated rows."""
    old = CachedAnswer.objects.filter(expires_at__lt=timezone.now()).values("pk")[:SWEPT]
    # No foreign keys: one statement, without Django's look-up.
    CachedAnswer.objects.filter(pk__in=old)._raw_delete(using=connection.alias)


@transaction.atomic
def forget_answers() -> int:
    """Evict every answer of the served hospital; return how many there were.

    Answers being written are based on earlier knowledge and become unreachable too.
    """
    hospital_id = required_hospital_id()
    changed = CacheState.objects.filter(hospital_id=hospital_id).update(purges=F("purges") + 1)
    if not changed:
        CacheState.objects.create(hospital_id=hospital_id, purges=1)
    gone, _of_each = CachedAnswer.objects.all().delete()
    return gone
