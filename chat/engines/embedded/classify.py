"""Classify a message without a model, by nearest examples, small networks and two detectors.

The intent comes from a network over the message's embedding, the lexicon's concepts and the kinds
of named entities, combined with the nearest examples, which staff edit. Since refusing an
answerable question is the worse error, the scores of refusing intents are lowered. Personal medical
advice and other hospitals have detectors of their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from math import log
from typing import Any

from scipy.special import softmax

from chat.checking.knowledge import knowledge_of
from chat.engines.embedded.conversation import (
    BESIDES,
    IDLE,
    changes_subject,
    chosen,
    courtesy_of,
    is_aspect_of,
    is_followup,
    kept_matches,
    kept_terms,
    kept_topic,
    parts_of,
    unnamed,
)
from chat.question.classification import PART, REWRITTEN, Wants
from chat.question.examples import Nearest, example_index_of
from chat.question.networks import LED, advice_chance, intent_chances
from chat.question.rewrite import RewriteInput, rewriter_of
from chat.question.understanding import MessageReading, in_language, message_reader_of
from chat.safety.advice import advice_cues_of, elsewhere_of
from chat.turn import Turn, Understanding
from retrieval.intents import Intent
from taxonomy.facts.needs import kinds as kinds_of_needs
from taxonomy.language.tokens import folded
from taxonomy.resolvers import Match
from taxonomy.resolvers.entries import FROM_CONDITION
from taxonomy.snapshot import Snapshot
from taxonomy.vocabulary import Kind
from zol.text import squash, words

#: Weight of example similarity, relative to the log probability of the network.
ALIKE = 12.0
#: Added to the scores of refusing intents, and again within a conversation, where most such
#: messages refer to its subject.
REFUSING = {Intent.OTHER_HOSPITAL: -8.0}
IN_CONVERSATION = -2.0
#: Probability below which the intent is unknown.
UNKNOWN_BELOW = 0.25
#: Refusing intents that neither history nor courtesy changes.
STANDS_ALONE = frozenset({Intent.OUT_OF_SCOPE_MEDICAL_ADVICE, Intent.OTHER_HOSPITAL})
#: The intent of requests for advice, the probability from which one is refused, and the minimum
#: probability left for all other intents.
ADVICE = Intent.OUT_OF_SCOPE_MEDICAL_ADVICE
ADVICE_FROM, LEAST = 0.2, 1e-3
#: Lower bound of probabilities before the logarithm.
LEAST_CHANCE = 1e-6
#: Confidence of the detectors, of a bare name, and of an intent taken from the question before.
GATED, BARE, KEPT = 0.9, 0.95, 0.8
#: Confidence from which a later question's intent replaces the previous one.
OWN_INTENT = 0.5
#: Concept that asks for all members of a group; kinds of entities that are the hospital's own.
ALL = "all"
NAMED = frozenset({Kind.DEPARTMENT, Kind.DOCTOR, Kind.SPECIALTY})
#: Intent of a message that is only the name of an entity, by its kind.
ASKED_OF = {
    Kind.DOCTOR: Intent.DOCTOR_LOOKUP,
    Kind.DEPARTMENT: Intent.DEPARTMENT_OR_SERVICE_LOOKUP,
    Kind.SPECIALTY: Intent.DEPARTMENT_OR_SERVICE_LOOKUP,
    Kind.CONDITION: Intent.CONDITION_INFORMATION,
    Kind.TREATMENT: Intent.TREATMENT_OR_EXAM_INFORMATION,
    Kind.EXAMINATION: Intent.TREATMENT_OR_EXAM_INFORMATION,
}
#: Concept kinds of complaints, and of days and hours.
SYMPTOM, BODY, TIME = "symptom", "body", "time"
#: Value kinds of prices and of hours.
MONEY, HOURS = "money", "hours"
#: Probability of a price from which, and probability of advice up to which, an advice phrase does
#: not refuse: "hoeveel kost …".
PRICED, LEAST_ADVICE = 0.4, 0.05
#: Expected answer of a need, by its value's kind.
WANTS: Mapping[str, Wants] = {
    "hours": "time", "duration": "time", MONEY: "price", "place": "place", "yesno": "rule",
}  # fmt: skip
STEPS = frozenset({"preparation", "course", "afterwards", "admission"})
#: Kinds whose doctors may all be asked for.
HAVE_ALL = frozenset({Kind.DEPARTMENT, Kind.SPECIALTY})
#: Concepts that ask for the days or hours of doctors mentioned before.
WHEN = frozenset({"when", "what_time", "opening_hours"})
#: Probability from which a later question has a need of its own.
OWN_NEED = 0.3
#: The need of questions about a doctor.
DOCTOR = "doctor"
#: Earlier questions used to complete a later one.
GOES_BACK = 5
#: Size of the cache per version: a later question is read with the one before.
REMEMBERED = 512


@dataclass(frozen=True, slots=True)
class _Choice:
    intent: Intent
    confidence: float
    scores: Mapping[str, float]


class CodeReader:
    """Classifies messages to one hospital. Immutable once built, except for its cache."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self.messages = snapshot.derived(message_reader_of)
        self._examples = snapshot.derived(example_index_of)
        self._rewriter = snapshot.derived(rewriter_of)
        self._advice = snapshot.derived(advice_cues_of)
        self._elsewhere = snapshot.derived(elsewhere_of)
        self._known = lru_cache(maxsize=REMEMBERED)(self._understood)

    def understand(self, turn: Turn) -> Understanding:
        """Return the meaning of a message, by code alone; never fails."""
        return self._known(turn.question, turn.language, turn.history[-GOES_BACK:])

    def _understood(self, question: str, page: str, history: tuple[Any, ...]) -> Understanding:
        turn = Turn(question, page, history)
        read = self.messages.of_turn(turn)
        nearest = self._examples.nearest(read.vector)
        choice = self._choose(read, nearest, has_history=bool(history))
        alone = self._without_history(turn, read, choice, nearest)
        if not history or choice.intent in STANDS_ALONE or alone.greeting:
            return alone
        last = replace(turn, question=history[-1].question, history=history[:-1])
        before = self.understand(last)
        if not is_followup(read, choice.intent, before):
            return alone
        return self._completed(alone, read, self._with_doctor(before, read, history[-1].answer))

    def _with_doctor(
        self, before: Understanding, read: MessageReading, answer: str
    ) -> Understanding:
        """Add the one doctor whom the answer named, if a question about a doctor names none:
        "wanneer zit die er?"."""
        named = self._snapshot.derived(knowledge_of).named(words(answer)).values()
        doctors = [thing for thing in named if thing.kind is Kind.DOCTOR]
        known = {match.thing.kind for match in (*read.matches, *before.matches)}
        is_asked = max(read.needs, key=read.needs.__getitem__) == DOCTOR
        if len(doctors) != 1 or Kind.DOCTOR in known or not is_asked:
            return before
        answered = Match(doctors[0], doctors[0].name, "told")
        return replace(before, matches=(*before.matches, answered))

    def _choose(self, read: MessageReading, nearest: Nearest, *, has_history: bool) -> _Choice:
        """Return the intent by the detectors, else by a bare name, else by scores."""
        scores = self._scores(read, nearest, has_history=has_history)
        shares = dict(zip(scores, softmax([*scores.values()]).tolist(), strict=True))
        ranked = sorted(shares.items(), key=lambda each: -each[1])
        shown = {str(intent): round(share, 3) for intent, share in ranked[:4]}
        if self._advice_in(read)[0] >= ADVICE_FROM:
            return _Choice(ADVICE, GATED, shown)
        if self._elsewhere.check(read.text):
            return _Choice(Intent.OTHER_HOSPITAL, GATED, shown)
        if named := _of_bare_name(read):
            return _Choice(named, BARE, shown)
        intent, share = next(each for each in ranked if each[0] is not ADVICE)
        share /= 1 - min(shares[ADVICE], 1 - LEAST)
        is_foreign = read.detected.is_foreign and intent.is_blocked
        is_unknown = share < UNKNOWN_BELOW or is_foreign
        if intent is Intent.OFF_TOPIC and (asked := _of_a_name(read, ranked)):
            return _Choice(asked, KEPT, shown)
        return _Choice(Intent.UNKNOWN if is_unknown else intent, round(share, 3), shown)

    def _scores(
        self, read: MessageReading, nearest: Nearest, *, has_history: bool
    ) -> dict[Intent, float]:
        """Return the log scores of the intents."""
        kinds = {str(m.thing.kind) for m in read.matches if m.by != FROM_CONDITION}
        led = {LED} if any(m.by == FROM_CONDITION for m in read.matches) else set()
        chances = intent_chances(read.vector, read.concepts, kinds | led, read.needs)
        return {
            intent: log(chances[intent] + LEAST_CHANCE)
            + ALIKE * nearest.similarity.get(intent, 0.0)
            + REFUSING.get(intent, 0.0)
            + IN_CONVERSATION * (has_history and intent.is_blocked)
            for intent in Intent
            if intent in chances
        }

    def _advice_in(self, read: MessageReading) -> tuple[float, str]:
        """Return the probability of a request for personal advice, and its phrase."""
        found = self._advice.check(read.text)
        chance = advice_chance(
            read.text, read.concepts, read.needs, names_medicine=found.is_of_medicine
        )
        need, likely = _best(read.needs)[0]
        is_money = kinds_of_needs()[need] == MONEY and likely >= PRICED
        is_price = is_money and not found.is_of_medicine and chance <= LEAST_ADVICE
        return (1.0, found.phrase) if found.phrase and not is_price else (round(chance, 3), "")

    def _without_history(
        self, turn: Turn, read: MessageReading, choice: _Choice, nearest: Nearest
    ) -> Understanding:
        """Return the meaning of a message by itself."""
        courtesy = "" if choice.intent in STANDS_ALONE else courtesy_of(read, self._snapshot)
        intent = Intent.VAGUE_INPUT if courtesy else choice.intent
        query = self._rewritten(read, intent, read.matches, read.topic)
        parts = () if intent.is_blocked else parts_of(read, self.messages)
        wants = _wants(read, intent)
        return replace(
            in_language(read.detected.language, read, turn, self.messages.offered),
            intent=intent,
            confidence=BARE if courtesy else choice.confidence,
            query=query[:REWRITTEN] or read.text,
            terms=read.terms,
            topic=read.topic,
            matches=read.matches,
            wants=wants,
            wants_list=wants == "all",
            parts=tuple(text[:PART] for text in parts),
            greeting=courtesy,
            needs=read.needs,
            evidence={
                "examples": [
                    (each.text, str(each.intent), each.language, cosine)
                    for each, cosine in nearest.examples
                ],
                "resolvers": [(m.by, m.text, m.thing.name) for m in read.matches],
                "scores": dict(choice.scores),
                "needs": _best(read.needs),
                "advice": self._advice_in(read),
                "language_confidence": round(read.detected.confidence, 3),
            },
        )

    def _completed(
        self, alone: Understanding, read: MessageReading, before: Understanding
    ) -> Understanding:
        """Complete a follow-up question with the subject of the one before."""
        one = chosen(read, before, self.messages)
        matches = one or kept_matches(read, before)
        topic = kept_topic(read, before)
        is_aspect = is_aspect_of(read, before)
        # "Op vrijdag ook?" filters the list of doctors.
        is_listed = before.intent is Intent.DOCTOR_LOOKUP and not read.matches
        names_time = any(use.concepts[0].kind == TIME for use in read.uses)
        is_same = changes_subject(read) or (is_listed and names_time)
        is_own = alone.confidence >= OWN_INTENT and not (one or is_aspect or is_same)
        intent = alone.intent if is_own and not alone.intent.is_blocked else before.intent
        if intent.is_blocked:
            intent = Intent.UNKNOWN if alone.intent.is_blocked else alone.intent
        only_changes = bool(read.matches) and unnamed(read) <= BESIDES
        has_need = max(read.needs.values()) >= OWN_NEED and not only_changes
        own = alone.wants if has_need else "other"
        wants = before.wants if is_same or own == "other" else own
        if intent is Intent.DOCTOR_LOOKUP and not WHEN.isdisjoint(read.concepts):
            wants = "time"
        is_complete = is_own and has_need and _names_subject(read)
        terms = (*read.terms, *(() if is_complete else kept_terms(read, matches, before)))
        query = self._rewritten(read, intent, matches, topic, terms)
        return replace(
            alone,
            intent=intent,
            confidence=alone.confidence if is_own else max(alone.confidence, KEPT),
            is_followup=True,
            query=query[:REWRITTEN] or read.text,
            parts=(),
            wants=wants,
            wants_list=wants == "all",
            matches=matches,
            topic=topic,
            terms=tuple(dict.fromkeys(terms)),
            needs=read.needs if has_need else before.needs or read.needs,
            evidence={**alone.evidence, "follows": before.query},
        )

    def _rewritten(
        self,
        read: MessageReading,
        intent: Intent,
        matches: tuple[Any, ...],
        topic: str,
        terms: tuple[str, ...] = (),
    ) -> str:
        """Return the question in its template; a follow-up with all words of `terms`."""
        complaint = _complaint(read, self.messages)
        known = RewriteInput(intent, matches, topic, terms or read.terms, complaint)
        text = self._rewriter.rewrite(known, otherwise=read.text)
        used = {*folded(text)}
        missing = (term for term in terms if not used.issuperset(folded(term)))
        return squash(" ".join((text, *missing)))


def _of_bare_name(read: MessageReading) -> Intent | None:
    """Return the intent of a message that is only the name of an entity."""
    named = [m for m in read.matches if m.by != FROM_CONDITION and m.start < m.end]
    length = sum(match.end - match.start for match in named[:1])
    letters = len(read.text.strip(" ?.!"))
    has_symptom = any(use.concepts[0].kind == SYMPTOM for use in read.uses)
    is_bare = bool(named) and length >= letters and not has_symptom
    return ASKED_OF.get(named[0].thing.kind) if is_bare else None


def _of_a_name(read: MessageReading, ranked: Iterable[tuple[Intent, float]]) -> Intent | None:
    """Return the likeliest intent that is answered, for a message that names a department or
    doctor of the hospital; "geef mij alle oogartsen" asks for a department's doctors."""
    named = [match for match in read.matches if match.by != FROM_CONDITION]
    kinds = {match.thing.kind for match in named}
    if ALL in read.concepts and kinds & HAVE_ALL and kinds <= HAVE_ALL | {Kind.CAMPUS}:
        return Intent.DOCTOR_LOOKUP
    is_own = any(match.thing.kind in NAMED and not match.is_borrowed for match in named)
    return next((each for each, _ in ranked if is_own and not each.is_blocked), None)


def _names_subject(read: MessageReading) -> bool:
    """Return whether a later question names its own subject without asking for a price or hours."""
    need = max(read.needs, key=read.needs.__getitem__)
    has_subject = any(use.concepts[0].kind not in IDLE for use in read.uses)
    return has_subject and kinds_of_needs()[need] not in (MONEY, HOURS)


def _complaint(read: MessageReading, reader: Any) -> str:
    """Return the symptom and its body part, in the pages' language."""
    words = {
        kind: next((c.canonical(reader.index.language) for use in read.uses
                    for c in use.concepts if c.kind == kind), "")
        for kind in (SYMPTOM, BODY)
    }  # fmt: skip
    return squash(" ".join(words.values())) if words[SYMPTOM] else ""


def _wants(read: MessageReading, intent: Intent) -> Wants:
    """Return the expected kind of answer."""
    need = max(read.needs, key=read.needs.__getitem__)
    kinds = {m.thing.kind for m in read.matches if m.by != FROM_CONDITION}
    if intent is Intent.DOCTOR_LOOKUP:
        return "all" if kinds & HAVE_ALL and kinds <= HAVE_ALL | {Kind.CAMPUS} else "people"
    if need in STEPS:
        return "steps"
    return WANTS.get(kinds_of_needs()[need], "other")


def _best(needs: Mapping[str, float]) -> list[tuple[str, float]]:
    best = sorted(needs, key=needs.__getitem__, reverse=True)[:3]
    return [(need, round(needs[need], 4)) for need in best]


def code_reader_of(snapshot: Snapshot) -> CodeReader:
    """Return a version's reader; use it through `snapshot.derived`."""
    return CodeReader(snapshot)
