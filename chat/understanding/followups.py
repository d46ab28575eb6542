"""Questions that only mean something after the one before: "en de kosten?"."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from chat.turn import Understanding
from chat.understanding.cues import FOLLOWUP, INTENT, TOPIC, Said
from retrieval.intents import Intent
from taxonomy.kinds import Kind
from taxonomy.resolvers import Match

#: Fewer words than this, with history and nothing of their own, are a follow-up.
SHORT = 6
#: A follow-up with a new subject ("en dermatologie?") is shorter still.
NEW_SUBJECT = 4
CLEAR, STRONG = 2.0, 3.0
#: Kinds that answer the same need, so that a new one replaces an old one.
SAME_NEED = (
    frozenset({Kind.CONDITION, Kind.TREATMENT, Kind.EXAMINATION}),
    frozenset({Kind.DEPARTMENT, Kind.SPECIALTY, Kind.DOCTOR}),
    frozenset({Kind.CAMPUS}),
)


@dataclass(frozen=True, slots=True)
class Carried:
    """What a follow-up takes over from the question before it."""

    intent: Intent
    matches: tuple[Match, ...]
    topic: str


def is_followup(words: Sequence[str], said: Said, matches: Sequence[Match], *, opens: bool) -> bool:
    """Tell whether a question, asked after others, cannot stand by itself."""
    opening = opens or any(cue.weight >= CLEAR and cue.start <= 1 for cue in said.of(FOLLOWUP))
    own = any(match.thing.kind is not Kind.CAMPUS for match in matches)
    if own:
        return opening and len(words) <= NEW_SUBJECT
    if opening or said.weight(FOLLOWUP) >= STRONG:
        return True
    return len(words) < SHORT and said.weight(TOPIC, INTENT) < STRONG


def carry(
    before: Understanding,
    own_intent: Intent,
    matches: tuple[Match, ...],
    said: Said,
    topics: Mapping[str, float],
) -> Carried:
    """Complete a follow-up's intent, things and topic with those of the question before."""
    taken = {kind for need in SAME_NEED for kind in need if need & {m.thing.kind for m in matches}}
    kept = tuple(match for match in before.matches if match.thing.kind not in taken)
    clear = said.weights(INTENT).get(str(own_intent), 0.0) >= CLEAR
    intent = own_intent if clear and not own_intent.is_blocked else before.intent
    if intent.is_blocked:
        intent = own_intent if not own_intent.is_blocked else Intent.UNKNOWN
    return Carried(intent, (*matches, *kept), _topic(before.topic, topics))


def _topic(before: str, topics: Mapping[str, float]) -> str:
    """Keep the subject: the costs that are asked about after parking are those of parking."""
    own = max(topics, key=lambda topic: topics[topic], default="")
    if before and topics.get(own, 0.0) <= STRONG:
        return before
    return own or before
