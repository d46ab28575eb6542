"""Classify a message without a model: nearest examples, small networks and two gates.

The intent comes from a network over the encoder's vector, the lexicon's concepts and the kinds of
entities named, combined with the nearest examples, which staff edit. Refusing an answerable
question is the worse mistake, so refusing intents need more than the highest score, except medical
advice, which has a gate of its own.
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
    kept_matches,
    kept_terms,
    kept_topic,
    leans,
    parts_of,
    unnamed,
)
from chat.question.classification import PART, REWRITTEN, Mention, OwnClassification, Part, Wants
from chat.question.examples import Nearest, example_index_of
from chat.question.networks import LED, advice_chance, intent_chances
from chat.question.rewrite import RewriteInput, rewriter_of
from chat.question.understanding import MessageReading, message_reader_of, understood
from chat.safety.advice import advice_cues_of, elsewhere_of
from chat.turn import Turn, Understanding
from retrieval.intents import Intent
from taxonomy.facts.needs import kinds as kinds_of_needs
from taxonomy.language.tokens import folded
from taxonomy.publishing.snapshot import Snapshot
from taxonomy.resolvers import Match
from taxonomy.resolvers.entries import FROM_CONDITION
from taxonomy.vocabulary import Kind
from zol.text import squash, words

#: Weight of example similarity, relative to the log probability of the network.
ALIKE = 12.0
#: Added to the scores of refusals, and further in a conversation, where most such messages refer to
#: its subject.
REFUSING = {Intent.OTHER_HOSPITAL: -8.0}
IN_CONVERSATION = -2.0
#: Probability below which the intent is unknown.
UNKNOWN_BELOW = 0.25
#: Refusals that neither history nor courtesy overrides.
STANDS_ALONE = frozenset({Intent.OUT_OF_SCOPE_MEDICAL_ADVICE, Intent.OTHER_HOSPITAL})
#: Probability of advice that refuses, and the minimum share of the scores left.
ADVICE = Intent.OUT_OF_SCOPE_MEDICAL_ADVICE
ADVICE_FROM, LEAST = 0.2, 1e-3
#: Lower bound of probabilities before the logarithm.
LEAST_CHANCE = 1e-6
#: Confidence of the gates, of a bare name, and of a kept intent.
GATED, BARE, KEPT = 0.9, 0.95, 0.8
#: Confidence from which a later question's intent replaces the previous one.
OWN_INTENT = 0.5
#: Concept that asks for all of something; kinds that belong to the hospital if named.
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
#: Minimum probability of a price, and maximum of advice, without an advice phrase ("hoeveel …
#: siroop").
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
#: Probability from which a later question states its own need.
SAYS_NEED = 0.3
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
        self._known = lru_cache(maxsize=REMEMBERED)(self._classified)

    def understand(self, turn: Turn) -> Understanding:
        """Return the meaning of a message, by code alone."""
        return understood(self.classify(turn), turn, self.messages)

    def classify(self, turn: Turn) -> OwnClassification:
        """Classify a message; never fails."""
        return self._known(turn.question, turn.language, turn.history[-GOES_BACK:])

    def _classified(self, question: str, page: str, history: tuple[Any, ...]) -> OwnClassification:
        turn = Turn(question, page, history)
        read = self.messages.of_turn(turn)
        nearest = self._examples.nearest(read.vector)
        choice = self._choose(read, nearest, has_history=bool(history))
        said = self._said(read, choice, nearest)
        if not history or choice.intent in STANDS_ALONE or said.kind not in ("question", "unclear"):
            return said
        last = replace(turn, question=history[-1].question, history=history[:-1])
        before = self.understand(last)
        if not leans(read, choice.intent, before):
            return said
        return self._later(said, read, self._with_doctor(before, read, history[-1].answer))

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
        told = Match(doctors[0], doctors[0].name, "told")
        return replace(before, matches=(*before.matches, told))

    def _choose(self, read: MessageReading, nearest: Nearest, *, has_history: bool) -> _Choice:
        """Return the intent: refusals first, then named entities, then scores."""
        scores = self._scores(read, nearest, has_history=has_history)
        shares = dict(zip(scores, softmax([*scores.values()]).tolist(), strict=True))
        told = sorted(shares.items(), key=lambda each: -each[1])
        shown = {str(intent): round(share, 3) for intent, share in told[:4]}
        if self._advice_in(read)[0] >= ADVICE_FROM:
            return _Choice(ADVICE, GATED, shown)
        if self._elsewhere.check(read.text):
            return _Choice(Intent.OTHER_HOSPITAL, GATED, shown)
        if named := _of_bare_name(read):
            return _Choice(named, BARE, shown)
        intent, share = next(each for each in told if each[0] is not ADVICE)
        share /= 1 - min(shares[ADVICE], 1 - LEAST)
        is_foreign = read.detected.is_foreign and intent.is_blocked
        is_unknown = share < UNKNOWN_BELOW or is_foreign
        if intent is Intent.OFF_TOPIC and (asked := _of_a_name(read, told)):
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
            + ALIKE * nearest.likeness.get(intent, 0.0)
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

    def _said(self, read: MessageReading, choice: _Choice, nearest: Nearest) -> OwnClassification:
        """Return the classification of a message without its history."""
        kind = None if choice.intent in STANDS_ALONE else courtesy_of(read, self._snapshot)
        intent = Intent.VAGUE_INPUT if kind else choice.intent
        rewritten = self._rewritten(read, intent, read.matches, read.topic)
        texts = () if intent.is_blocked else parts_of(read, self.messages)
        wants = _wants(read, intent)
        return OwnClassification(
            urgency="none",
            kind=kind or ("unclear" if intent is Intent.VAGUE_INPUT else "question"),
            intent=intent,
            confidence=BARE if kind else choice.confidence,
            advice="personal" if intent is Intent.OUT_OF_SCOPE_MEDICAL_ADVICE else "none",
            language=read.detected.language,
            follows=False,
            rewritten=rewritten[:REWRITTEN],
            parts=tuple(Part(text[:PART], wants) for text in texts or (rewritten,)),
            entities=tuple(Mention(str(m.thing.kind), m.text) for m in read.matches if m.text),
            moment=None,
            matches=read.matches,
            topic=read.topic,
            terms=read.terms,
            needs=read.needs,
            evidence={
                "examples": [
                    (each.text, str(each.intent), each.language, alike)
                    for each, alike in nearest.examples
                ],
                "resolvers": [(m.by, m.text, m.thing.name) for m in read.matches],
                "scores": dict(choice.scores),
                "needs": _best(read.needs),
                "advice": self._advice_in(read),
                "language_confidence": round(read.detected.confidence, 3),
            },
        )

    def _later(
        self, said: OwnClassification, read: MessageReading, before: Understanding
    ) -> OwnClassification:
        """Complete a later question with the subject of the one before."""
        one = chosen(read, before, self.messages)
        matches = one or kept_matches(read, before)
        topic = kept_topic(read, before)
        is_aspect = is_aspect_of(read, before)
        # "Op vrijdag ook?" filters the list of doctors.
        is_listed = before.intent is Intent.DOCTOR_LOOKUP and not read.matches
        names_time = any(use.concepts[0].kind == TIME for use in read.uses)
        is_same = changes_subject(read) or (is_listed and names_time)
        is_own = said.confidence >= OWN_INTENT and not (one or is_aspect or is_same)
        intent = Intent(said.intent) if is_own and not _refuses(said) else before.intent
        if intent.is_blocked:
            intent = Intent.UNKNOWN if _refuses(said) else Intent(said.intent)
        only_changes = bool(read.matches) and unnamed(read) <= BESIDES
        says_need = max(read.needs.values()) >= SAYS_NEED and not only_changes
        own = said.parts[0].wants if says_need else "other"
        wants = before.wants if is_same or own == "other" else own
        if intent is Intent.DOCTOR_LOOKUP and not WHEN.isdisjoint(read.concepts):
            wants = "time"
        is_complete = is_own and says_need and _tells_subject(read)
        terms = (*read.terms, *(() if is_complete else kept_terms(read, matches, before)))
        text = self._rewritten(read, intent, matches, topic, terms)
        earlier = before.classification
        needs = earlier.needs if isinstance(earlier, OwnClassification) else {}
        return replace(
            said,
            kind="question",
            intent=intent,
            confidence=max(said.confidence, KEPT) if not is_own else said.confidence,
            advice="none",
            follows=True,
            rewritten=text[:REWRITTEN],
            parts=(Part(text[:PART], wants),),
            entities=tuple(Mention(str(m.thing.kind), m.thing.name) for m in matches),
            matches=matches,
            topic=topic,
            terms=tuple(dict.fromkeys(terms)),
            needs=read.needs if says_need else needs or read.needs,
            evidence={**said.evidence, "follows": before.query},
        )

    def _rewritten(
        self,
        read: MessageReading,
        intent: Intent,
        matches: tuple[Any, ...],
        topic: str,
        terms: tuple[str, ...] = (),
    ) -> str:
        """Return the question in its template; a later one with all words of `terms`."""
        complaint = _complaint(read, self.messages)
        known = RewriteInput(intent, matches, topic, terms or read.terms, complaint)
        text = self._rewriter.rewrite(known, otherwise=read.text)
        said = {*folded(text)}
        missing = (term for term in terms if not said.issuperset(folded(term)))
        return squash(" ".join((text, *missing)))


def _of_bare_name(read: MessageReading) -> Intent | None:
    """Return the intent of a message that is only the name of an entity."""
    named = [m for m in read.matches if m.by != FROM_CONDITION and m.start < m.end]
    said = sum(match.end - match.start for match in named[:1])
    letters = len(read.text.strip(" ?.!"))
    tells = any(use.concepts[0].kind == SYMPTOM for use in read.uses)
    return ASKED_OF.get(named[0].thing.kind) if named and said >= letters and not tells else None


def _of_a_name(read: MessageReading, told: Iterable[tuple[Intent, float]]) -> Intent | None:
    """Return the intent of a message that names a department or doctor of the hospital, which
    cannot be about another hospital ("geef mij alle oogartsen": a department's doctors)."""
    named = [match for match in read.matches if match.by != FROM_CONDITION]
    kinds = {match.thing.kind for match in named}
    if ALL in read.concepts and kinds & HAVE_ALL and kinds <= HAVE_ALL | {Kind.CAMPUS}:
        return Intent.DOCTOR_LOOKUP
    is_own = any(match.thing.kind in NAMED and not match.is_borrowed for match in named)
    return next((each for each, _ in told if is_own and not each.is_blocked), None)


def _tells_subject(read: MessageReading) -> bool:
    """Return whether a later question names its own subject without asking for a price or hours."""
    need = max(read.needs, key=read.needs.__getitem__)
    tells = any(use.concepts[0].kind not in IDLE for use in read.uses)
    return tells and kinds_of_needs()[need] not in (MONEY, HOURS)


def _complaint(read: MessageReading, reader: Any) -> str:
    """Return the symptom and its body part, in the pages' language."""
    told = {
        kind: next((c.canonical(reader.index.language) for use in read.uses
                    for c in use.concepts if c.kind == kind), "")
        for kind in (SYMPTOM, BODY)
    }  # fmt: skip
    return squash(" ".join(told.values())) if told[SYMPTOM] else ""


def _wants(read: MessageReading, intent: Intent) -> Wants:
    """Return the expected kind of answer."""
    need = max(read.needs, key=read.needs.__getitem__)
    kinds = {m.thing.kind for m in read.matches if m.by != FROM_CONDITION}
    if intent is Intent.DOCTOR_LOOKUP:
        return "all" if kinds & HAVE_ALL and kinds <= HAVE_ALL | {Kind.CAMPUS} else "people"
    if need in STEPS:
        return "steps"
    return WANTS.get(kinds_of_needs()[need], "other")


def _refuses(said: OwnClassification) -> bool:
    return Intent(said.intent).is_blocked


def _best(needs: Mapping[str, float]) -> list[tuple[str, float]]:
    best = sorted(needs, key=needs.__getitem__, reverse=True)[:3]
    return [(need, round(needs[need], 4)) for need in best]


def code_reader_of(snapshot: Snapshot) -> CodeReader:
    """Return a version's reader; use it through `snapshot.derived`."""
    return CodeReader(snapshot)
