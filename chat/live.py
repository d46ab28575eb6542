"""The tools of a real turn, put together."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from functools import cache, lru_cache

from django.db import OperationalError, ProgrammingError, connection
from django.utils import timezone

from chat.phrases import phrases_of
from chat.stages.guard import guard
from chat.tools import Emit, Tools, ignore
from chat.turn import Context, Turn, Understanding
from chat.understanding.embedded import understand
from chat.understanding.language import detect
from chat.understanding.reader import reader_of
from chat.wording import without_marks
from retrieval.analysis import count_tokens, stems
from retrieval.embedding import get_embedder
from retrieval.search import hybrid_search
from retrieval.selectors import live_pages, neighbours_of
from retrieval.steering import steering_of
from taxonomy.resolvers import resolver_index
from taxonomy.selectors import live_snapshot
from taxonomy.snapshot import Snapshot
from zol.errors import ExpectedError
from zol.llm import get_llm, is_configured
from zol.models import Hospital
from zol.tenancy import serving

logger = logging.getLogger(__name__)


def tools(emit: Emit = ignore, flags: Mapping[str, bool] | None = None) -> Tools:
    """Return what a turn of the served hospital may use, as of now."""
    snapshot, embedder = live_snapshot(), get_embedder()
    return Tools(
        snapshot=snapshot,
        steering=steering_of(snapshot),
        phrases=phrases_of(snapshot),
        search=hybrid_search,
        understand=understood,
        detect=language_of,
        neighbours=neighbours_of,
        pages=live_pages(),
        count_tokens=count_tokens,
        stem=stemmer(snapshot.profile.default_language),
        low_similarity=embedder.calibration.low_similarity,
        llm=get_llm if is_configured() else None,
        resembles=resembles,
        compares_languages=embedder.name != "lexical",
        least_quality=embedder.calibration.quality,
        today=timezone.localdate(),
        emit=emit,
        flags=flags or {},
    )


def understood(turn: Turn, snapshot: Snapshot) -> Understanding:
    """Return what a question means, by the embedded engine."""
    return understand(without_marks(turn.question), turn, snapshot.derived(reader_of))


def language_of(turn: Turn, snapshot: Snapshot) -> str:
    """Return the language to answer a question in."""
    return detect(turn.question, turn.language, snapshot.derived(resolver_index)).language


def resembles(one: str, other: str) -> float:
    """Return the cosine of two texts."""
    first, second = get_embedder().embed_documents([one, other])
    return float(first @ second)


@cache
def stemmer(language: str) -> Callable[[str], str]:
    """Return how words of a language are compared: by their stem."""
    return lru_cache(maxsize=50_000)(lambda word: stems([word], language)[0])


def warm_up() -> None:
    """Read what every published hospital needs, before its first visitor waits for it."""
    try:
        hospitals = list(Hospital.objects.all())
    except (OperationalError, ProgrammingError):
        return  # the database is away or empty: readiness tells of that
    for hospital in hospitals:
        with serving(hospital):
            try:
                turn, kit = Turn(hospital.name), tools()
                guard(Context(turn, question=turn.question), kit)
                understood(turn, kit.snapshot)
            except ExpectedError as reason:
                logger.warning("%s is not ready: %s", hospital.slug, reason)
    connection.close()
