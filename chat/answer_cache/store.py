"""The answer cache in PostgreSQL: look up, store and evict (spec D10).

Three safeguards keep answers from the wrong reader. Row-level security hides other hospitals' rows.
The room (language, channel, mode, settings, models and day) is part of every hash. The knowledge
(version, corpus, terminology and purges) is compared inside the query, so that an answer becomes
unreachable with the commit of a publish or of an ingested page.

Tier 2 compares a question only with those of its own room that have the same sense: a handful, so
that a scan suffices and no vector index must be maintained.
"""

from __future__ import annotations

import json
import logging
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

from chat.answer_cache.key import Gist, digest
from chat.answer_cache.policy import CacheLookup, RememberedAnswer, may_be_kept
from chat.checking.base import Citation
from chat.models import CachedAnswer, CacheState, Message
from chat.sources.lookup import contact_of
from chat.turn import Context, Ticket, Turn
from retrieval.embedding import get_encoder
from retrieval.index import as_search_failed, teach
from retrieval.tuning import RetrievalTuning, steering_of
from taxonomy.publishing.live import live_snapshot
from taxonomy.publishing.snapshot import Snapshot
from zol.tenancy import required_hospital_id
from zol.text import squash

logger = logging.getLogger(__name__)

#: Cosine threshold of equal questions (measured: retrieval/embedding/e5/trained.md).
DUPLICATE = 0.955
#: Minimum share of common content words of two questions.
OVERLAP = 0.6
#: Candidates of tier 2 given to the guard, and the latest rows of a room that are compared.
FETCHED, LOOKED_AT = 5, 1_000
UNIQUE = ["hospital", "exact", "knowledge"]
#: New rows of a process after which outdated ones are deleted, and how many at most.
SWEEPING, SWEPT = 20, 1_000
_kept = count()

_COLUMNS = (
    "answer, language, intent, query, citations, follow_ups, contact, verified, engine, content"
)
# Use LIMIT 1: for EXISTS the planner may scan the whole room.
_FOUND = f"""
    SELECT now.knowledge, {", ".join(f"c.{name}" for name in _COLUMNS.split(", "))}, COALESCE((
        SELECT TRUE FROM chat_cachedanswer r WHERE r.room = %s AND r.knowledge = now.knowledge
            AND r.expires_at > now() AND r.vector IS NOT NULL LIMIT 1
    ), FALSE)
    FROM (SELECT zol_knowledge() AS knowledge OFFSET 0) now
    LEFT JOIN chat_cachedanswer c ON c.{{column}} = %s AND c.knowledge = now.knowledge
        AND c.expires_at > now()
    ORDER BY c.id DESC LIMIT 1"""
EXACT, REWORDED = _FOUND.format(column="exact"), _FOUND.format(column="reworded")
SIMILAR = f"""
    SELECT -(near.vector <#> %s::halfvec) AS cosine, {_COLUMNS} FROM (
        SELECT * FROM chat_cachedanswer
        WHERE room = %s AND knowledge = %s AND expires_at > now() AND vector IS NOT NULL
        ORDER BY id DESC LIMIT {LOOKED_AT}
    ) near
    ORDER BY cosine DESC LIMIT {FETCHED}"""


class AnswerCache:
    """The served hospital's recent answers."""

    def __init__(
        self, snapshot: Snapshot, *circumstances: str, duplicate: float = DUPLICATE
    ) -> None:
        tuning = steering_of(snapshot).tuning
        self._duplicate = duplicate
        self._world = digest(world_of(snapshot, tuning), *circumstances)

    def exact(self, ctx: Context) -> CacheLookup:
        """Find the answer to the identical question."""
        written = self._written(ctx.turn)
        knowledge, found, _ = self._look_up(EXACT, written, "exact")
        return CacheLookup(found, None if found else Ticket(knowledge, exact=written))

    def alike(self, ctx: Context, gist: Gist) -> CacheLookup:
        """Find the answer to a question with the same sense: equal once rewritten, or similar."""
        meant = ctx.understanding
        room = digest(self._room(ctx.turn), meant.language, gist.sense)
        reworded = digest(room, meant.query, *sorted(gist.content))
        knowledge, found, has_others = self._look_up(REWORDED, reworded, "rewritten", room)
        if found:
            return CacheLookup(found)
        # Use the knowledge at the start of the turn: a page may have changed since. In the middle
        # of a conversation that is now: its passages are still to be searched.
        knowledge = ctx.reply.ticket.knowledge if ctx.reply.ticket else knowledge
        similar = self._similar(meant.query, gist, room, knowledge) if has_others else None
        # The written form alone identifies only the first question of a conversation.
        exact = reworded if ctx.turn.history else self._written(ctx.turn)
        ticket = Ticket(knowledge, exact, reworded, room, tuple(sorted(gist.content)))
        return CacheLookup(similar, None if similar else ticket)

    def _similar(
        self, query: str, gist: Gist, room: str, knowledge: str
    ) -> RememberedAnswer | None:
        vector = get_encoder().embed_query(query)
        for cosine, *row, content in run(SIMILAR, [HalfVector(vector), room, knowledge]):
            if cosine < self._duplicate:
                return None
            if gist.agrees(content, least=OVERLAP):
                return remembered(row, "similar", cosine)
        return None

    def _look_up(
        self, statement: str, key: str, tier: str, room: str = ""
    ) -> tuple[str, RememberedAnswer | None, bool]:
        """Return the current knowledge, the answer, and whether the room has answers to compare."""
        ((knowledge, answer, *rest, _content, has_others),) = run(statement, [room, key])
        found = None if answer is None else remembered([answer, *rest], tier)
        return knowledge, found, has_others

    def _written(self, turn: Turn) -> str:
        return digest(self._room(turn), turn.language, squash(turn.question))

    def _room(self, turn: Turn) -> str:
        return digest(self._world, turn.channel, turn.mode, *sorted(turn.categories))


def world_of(snapshot: Snapshot, tuning: RetrievalTuning) -> str:
    """Return a fingerprint of everything that affects answers, apart from question and pages."""
    return digest(
        str(snapshot.hospital_id),
        str(snapshot.version),
        str(snapshot.snomed),
        _machinery(),
        get_encoder().model,
        repr(snapshot.profile),
        repr(tuning),
    )


def _machinery() -> str:
    """Return a fingerprint of code and models; API keys are excluded."""
    endpoints = [endpoint["base_url"] for endpoint in settings.LLM["endpoints"]]
    rerank = settings.RERANK["url"], settings.RERANK["model"]
    commit = getattr(settings, "COMMIT", "")
    # An earlier release could not read newer fields of a citation.
    return f"{commit} {Citation.__slots__} {endpoints} {settings.LLM['tiers']} {rerank}"


def run(statement: str, values: list[Any]) -> list[tuple[Any, ...]]:
    with as_search_failed(), connection.cursor() as cursor:
        teach(cursor)
        cursor.execute(statement, values)
        return list(cursor.fetchall())


def remembered(row: list[Any], tier: str, similarity: float = 1.0) -> RememberedAnswer:
    answer, language, intent, query, citations, follow_ups, contact, verified, engine = row
    return RememberedAnswer(
        answer=answer,
        language=language,
        intent=intent,
        query=query,
        citations=tuple(Citation(**each) for each in json.loads(citations)),
        follow_ups=tuple(json.loads(follow_ups)),
        contact=json.loads(contact),
        verified=verified,
        engine=engine,
        tier=tier,
        similarity=similarity,
    )


def vector_of(ctx: Context) -> HalfVector | None:
    """Return the vector for comparison; None if the answer is not for others."""
    if not may_be_kept(ctx):
        return None
    return HalfVector(get_encoder().embed_query(ctx.understanding.query))


def keep(
    ctx: Context,
    *,
    seconds: int,
    conversation: UUID | None = None,
    vector: HalfVector | None = None,
) -> bool:
    """Cache an answer for others, if allowed; delete some outdated ones."""
    if not may_be_kept(ctx) or ctx.reply.ticket is None or seconds <= 0:
        return False
    values = row_of(ctx, ctx.reply.ticket) | {
        "vector": vector,
        "expires_at": timezone.now() + timedelta(seconds=seconds),
    }
    try:
        with transaction.atomic():
            CachedAnswer.objects.bulk_create(
                [
                    CachedAnswer(
                        hospital_id=required_hospital_id(), conversation_id=conversation, **values
                    )
                ],
                update_conflicts=True,
                unique_fields=UNIQUE,
                update_fields=["conversation", *(name for name in values if name not in UNIQUE)],
            )
            if next(_kept) % SWEEPING == 0:
                sweep()
    except DatabaseError:
        # The conversation was erased meanwhile, or the database is away: only log it.
        logger.warning("An answer was not cached", exc_info=True)
        return False
    return True


def row_of(ctx: Context, ticket: Ticket) -> dict[str, Any]:
    meant = ctx.understanding
    return {
        "knowledge": ticket.knowledge,
        "exact": ticket.exact,
        "reworded": ticket.reworded,
        "room": ticket.room,
        "content": list(ticket.content),
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


def evict(message: Message) -> int:
    """Evict the answer of a message from all rooms; return how many rows there were."""
    kept = CachedAnswer.objects.filter(language=message.language).annotate(
        given=Value(message.answer, output_field=TextField())
    )
    # The stored answer has bulletins above it.
    gone, _of_each = kept.filter(given__endswith=F("answer")).exclude(answer="").delete()
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
