"""What the pipeline reads besides the published version."""

from __future__ import annotations

from time import monotonic

from chat.interventions import Intervention as Value
from chat.interventions import Interventions, Sort, lines_of
from chat.models import Intervention, Message
from taxonomy.tokens import folded
from zol.tenancy import required_hospital_id

#: Seconds for which a process may believe that no decision was made or taken back.
BELIEVED = 10.0
#: Earlier answers that are looked through for who received one.
LOOKED_THROUGH = 5_000
_known: dict[int, tuple[float, Interventions]] = {}


def live_interventions() -> Interventions:
    """Return the served hospital's decisions, at most a few seconds old."""
    hospital_id = required_hospital_id()
    asked, known = _known.get(hospital_id, (float("-inf"), Interventions()))
    if monotonic() - asked < BELIEVED:
        return known
    known = Interventions(tuple(map(value_of, Intervention.objects.filter(is_active=True))))
    _known[hospital_id] = (monotonic(), known)
    return known


def forget_interventions() -> None:
    """Ask the database again at the next question."""
    _known.clear()


def value_of(row: Intervention) -> Value:
    return Value(
        row.pk, Sort(row.kind), lines_of(row.questions), row.texts(), row.source, row.review_by
    )


def who_asked(row: Intervention) -> list[Message]:
    """Return the answers to questions that a decision is about, the latest first."""
    value = value_of(row)
    recent = Message.objects.order_by("-created_at").defer("trace")[:LOOKED_THROUGH]
    return [m for m in recent if value.is_about(frozenset(folded(m.question)))]
