"""What the pipeline reads besides the published version, and which rows of checks cannot work."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from time import monotonic
from typing import Any

from django.db.models import F, Sum
from django.db.models.functions import Coalesce

from chat.interventions import Intervention as Value
from chat.interventions import Interventions, Sort, lines_of
from chat.models import FixedText, InjectionPattern, Intervention, Message, ModelBudget, ModelCall
from chat.phrases import EXAMPLES, Flaw, flaws
from chat.safety.attacks import InjectionPatterns
from chat.safety.phrases import SHORTEST_PART, defaults, pattern
from taxonomy.tokens import folded
from zol.clock import hospital_now
from zol.postgres.failures import AWAY
from zol.tenancy import required_hospital_id

#: Seconds for which a process may believe that no decision was made or taken back.
BELIEVED = 10.0
#: Earlier answers that are read at once when looking for who received one.
READ_AT_ONCE = 2_000
#: From which share of its budget on staff are warned.
NEARLY = 0.8
_known: dict[int, tuple[float, Interventions]] = {}
_used: dict[int, tuple[float, float]] = {}


def live_interventions() -> Interventions:
    """Return the served hospital's decisions, seconds old, or older while the database is away."""
    hospital_id = required_hospital_id()
    asked, known = _known.get(hospital_id, (float("-inf"), Interventions()))
    if monotonic() - asked < BELIEVED:
        return known
    rows = Intervention.objects.filter(is_active=True).select_related("subject")
    try:
        known = Interventions(tuple(map(value_of, rows)))
    except AWAY:
        if hospital_id not in _known:
            raise
    _known[hospital_id] = (monotonic(), known)
    return known


def forget_interventions() -> None:
    """Ask the database again at the next question."""
    _known.clear()


def budget_used() -> float:
    """Return which share of its budget of today the served hospital's models have used, as of
    seconds ago; 0 without a budget."""
    hospital_id = required_hospital_id()
    asked, share = _used.get(hospital_id, (float("-inf"), 0.0))
    if monotonic() - asked < BELIEVED:
        return share
    with suppress(*AWAY):
        share = _budget_used()
    _used[hospital_id] = (monotonic(), share)
    return share


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


def forget_budget() -> None:
    """Count anew at the next question."""
    _used.clear()


def value_of(row: Intervention) -> Value:
    return Value(
        row.pk, Sort(row.kind), lines_of(row.questions), row.texts(), row.source, row.review_by,
        row.valid_from, row.valid_to,
        (row.subject.kind, row.subject.key) if row.subject else None,
    )  # fmt: skip


def who_asked(row: Intervention, *, among: int | None = None) -> Iterator[Message]:
    """Yield the answers to questions that a decision is about, the latest first, however many.

    With `among`, of that many latest answers only: reading a year of them is not for a page.
    """
    value = value_of(row)
    asked = Message.objects.order_by("-created_at", "pk").only(
        "question", "created_at", "conversation_id", "hospital_id"
    )
    for message in asked[:among].iterator(chunk_size=READ_AT_ONCE):
        if value.is_about(frozenset(folded(message.question))):
            yield message


def text_flaws() -> tuple[Flaw, ...]:
    """Return what is wrong with the served hospital's fixed texts, as they stand now."""
    texts = {
        (kind, language): text
        for kind, language, text in FixedText.objects.exclude(kind=EXAMPLES).values_list(
            "kind", "language", "text"
        )
    }
    return tuple(flaws(texts, {str(row["kind"]) for row in defaults("texts")}))


def broken_patterns() -> list[int]:
    """Return the patterns of attacks that do not work, as they stand now."""
    rows = InjectionPattern.objects.order_by().values("pk", "pattern")
    return [row["pk"] for row in rows if broken_pattern(row)]


def is_wordless(text: str) -> bool:
    """Tell whether a phrase holds no word to look for."""
    return not pattern(text)


def is_too_wide(text: str) -> bool:
    """Tell whether a phrase stands for part of a word that is in far too many words."""
    words = pattern(text)
    return any(word.ends and len(word.text) < SHORTEST_PART for word in words)


def broken_pattern(row: Mapping[str, Any]) -> str:
    """Return why a pattern of an attack does not work; nothing when it does."""
    broken = InjectionPatterns([row]).broken
    return broken[0][1] if broken else ""
