"""Queries of the chat: interventions, model budget and prices, flaws of texts and patterns.

Prices are part of the published version; everything else is read from the live tables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from time import monotonic
from typing import Any, Generic, TypeVar

from django.db.models import Count, F, Sum
from django.db.models.functions import Coalesce

from chat.models import FixedText, InjectionPattern, Intervention, Message, ModelBudget, ModelCall
from chat.phrases import EXAMPLES, Flaw, flaws
from chat.safety.attacks import InjectionPatterns
from chat.safety.interventions import Intervention as Value
from chat.safety.interventions import Interventions, Sort, lines_of
from chat.safety.phrases import defaults
from taxonomy.language.tokens import folded
from taxonomy.snapshot import Snapshot
from zol.clock import hospital_now
from zol.llm.base import Call
from zol.postgres.pool import AWAY
from zol.tenancy import required_hospital_id

#: Seconds for which a process caches interventions and the budget.
CACHED_SECONDS = 10.0
#: Messages read at a time from the database.
BATCH = 2_000
#: Share of the budget from which staff are warned.
NEARLY = 0.8
#: Days from which the mean cost of a question is computed.
RECENT_DAYS = 30
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class CachedRead(Generic[T]):
    """A query of the served hospital, cached for seconds, or while the database is away."""

    read: Callable[[], T]
    #: Value while the database is away and none is cached; None raises.
    otherwise: T | None = None
    _known: dict[int, tuple[float, T]] = field(default_factory=dict)

    def __call__(self) -> T:
        hospital_id = required_hospital_id()
        read_at, value = self._known.get(hospital_id, (float("-inf"), self.otherwise))
        if value is None or monotonic() - read_at >= CACHED_SECONDS:
            try:
                value = self.read()
            except AWAY:
                if value is None:
                    raise
            self._known[hospital_id] = (monotonic(), value)
        return value

    def forget(self) -> None:
        """Drop the cached values, so that the next question reads them again."""
        self._known.clear()


def _interventions() -> Interventions:
    rows = Intervention.objects.filter(is_active=True).select_related("subject")
    return Interventions(tuple(map(value_of, rows)))


def _budget_used() -> float:
    budget = ModelBudget.objects.first()
    if budget is None:
        return 0.0
    midnight = hospital_now().replace(hour=0, minute=0, second=0, microsecond=0)
    used = ModelCall.objects.filter(created_at__gte=midnight).aggregate(
        tokens=Coalesce(Sum(F("tokens_in") + F("tokens_out")), 0), cost=Coalesce(Sum("cost"), 0.0)
    )
    tokens = used["tokens"] / budget.tokens if budget.tokens else 0.0
    return max(tokens, used["cost"] / budget.cost if budget.cost else 0.0)


#: The hospital's active interventions.
live_interventions = CachedRead(_interventions)
#: The used share of the day's model budget; 0 without a budget.
budget_used = CachedRead(_budget_used, otherwise=0.0)


@dataclass(frozen=True, slots=True)
class QuestionsPrice:
    """Expected requests, tokens and cost of asking a model, from the means of recent days."""

    calls: int
    tokens: int
    cost: float


def price_of_questions(questions: int) -> QuestionsPrice | None:
    """Estimate requests, tokens and cost of a number of questions; None without recent data."""
    since = hospital_now() - timedelta(days=RECENT_DAYS)
    asked = ModelCall.objects.filter(created_at__gte=since, message__isnull=False).aggregate(
        turns=Count("message", distinct=True), calls=Count("pk"),
        tokens=Sum(F("tokens_in") + F("tokens_out")), cost=Sum("cost"),
    )  # fmt: skip
    if not asked["turns"]:
        return None
    share = questions / asked["turns"]
    calls, tokens = (round(asked[name] * share) for name in ("calls", "tokens"))
    return QuestionsPrice(calls, tokens, asked["cost"] * share)


def value_of(row: Intervention) -> Value:
    return Value(
        row.pk, Sort(row.kind), lines_of(row.questions), row.texts(), row.source, row.review_by,
        row.valid_from, row.valid_to,
        (row.subject.kind, row.subject.key) if row.subject else None,
    )  # fmt: skip


def messages_about(row: Intervention) -> Iterator[Message]:
    """Yield the messages whose questions an intervention matches, latest first."""
    value = value_of(row)
    asked = Message.objects.order_by("-created_at", "pk").only(
        "question", "created_at", "conversation_id", "hospital_id"
    )
    for message in asked.iterator(chunk_size=BATCH):
        if value.is_about(frozenset(folded(message.question))):
            yield message


def text_flaws() -> tuple[Flaw, ...]:
    """Return the flaws of the served hospital's fixed texts in the draft."""
    texts = {
        (kind, language): text
        for kind, language, text in FixedText.objects.exclude(kind=EXAMPLES).values_list(
            "kind", "language", "text"
        )
    }
    return tuple(flaws(texts, {str(row["kind"]) for row in defaults("texts")}))


def broken_patterns() -> list[int]:
    """Return the ids of the draft's attack patterns that are invalid."""
    rows = InjectionPattern.objects.order_by().values("pk", "pattern")
    return [row["pk"] for row in rows if broken_pattern(row)]


def broken_pattern(row: Mapping[str, Any]) -> str:
    """Return why an attack pattern is invalid; empty if it is valid."""
    broken = InjectionPatterns([row]).broken
    return broken[0][1] if broken else ""


ROWS = "chat.modelprice"
MILLION = 1_000_000


@dataclass(frozen=True)
class Prices:
    """Prices by model for a million tokens read and written."""

    by_model: Mapping[str, tuple[float, float]] = field(default_factory=dict)

    def cost(self, calls: Iterable[Call]) -> float:
        """Return the cost of calls; a model without a price costs nothing."""
        total = 0.0
        for call in calls:
            read, written = self.by_model.get(call.model, (0.0, 0.0))
            total += (call.tokens_in * read + call.tokens_out * written) / MILLION
        return total


def prices_of(snapshot: Snapshot) -> Prices:
    """Return a version's prices; use it through `snapshot.derived(prices_of)`."""
    of = {
        str(row["model"]): (float(row["input_per_million"]), float(row["output_per_million"]))
        for row in snapshot.rows_of(ROWS)
    }
    return Prices(of)
