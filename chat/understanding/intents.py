"""Which of the twelve intents a question has, and how sure that is.

Examples, cues and what the words resolve to are added up. The four blocked intents need more than
the highest score: refusing a question that could be answered is the worse mistake, except where
medical advice is asked for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp, log

from chat.safety.advice import BLOCKS, Advice
from chat.understanding.cues import (
    GREETINGS,
    INTENT,
    LOOK_UP,
    OFFTOPIC,
    ORDER,
    TOPIC,
    Said,
)
from chat.understanding.examples import Similar
from retrieval.intents import Intent
from taxonomy.kinds import Kind
from taxonomy.resolvers import Match

#: What cues count for beside examples, and how many of them it takes.
CUES, CUE_SCALE = 0.1, 3.0
#: What was learned counts for, as the logarithm of a probability; and the least that is told apart.
LEARNED, LEAST, FLOOR = 0.08, 1e-6, -7.0
#: Steepness of the confidence: a lead of this much is about three to one.
TEMPERATURE = 0.09
#: A cue of this weight is strong.
STRONG, CLEAR = 3.0, 2.0
#: A cue of this weight is a request that no hospital can grant, whatever else is in it.
DECISIVE = 4.0
#: Words that may stand before an order: "please", "kun je".
POLITE = 1
#: How like an example a question must be to be refused for that alone, and by what lead.
REFUSED_FROM, LEAD = 0.5, 0.1
#: The probability from which what was learned from examples is enough to refuse for.
LIKELY = 0.25
#: How like an everyday request a question must be that speaks of nothing in a hospital.
OFFTOPIC_FROM, NEARLY = 0.12, 0.9
#: Words besides names that an example must share before it makes a question one for advice.
TELLING = 3
#: Words up to which a question that is like nothing else is vague.
BARE = 2
#: Words up to which "I do not feel well" is all that is said.
SHORT = 6
VAGUE = str(Intent.VAGUE_INPUT)

#: What a named thing says about the intent.
PRIORS: Mapping[Kind, Mapping[Intent, float]] = {
    Kind.DOCTOR: {Intent.DOCTOR_LOOKUP: 0.15, Intent.BOOKING_OR_CONTACT: 0.06},
    Kind.DEPARTMENT: {
        Intent.DEPARTMENT_OR_SERVICE_LOOKUP: 0.06,
        Intent.BOOKING_OR_CONTACT: 0.03,
        Intent.DOCTOR_LOOKUP: 0.03,
    },
    Kind.SPECIALTY: {Intent.DOCTOR_LOOKUP: 0.06, Intent.DEPARTMENT_OR_SERVICE_LOOKUP: 0.04},
    Kind.CONDITION: {
        Intent.CONDITION_INFORMATION: 0.075,
        Intent.AMBIGUOUS_SYMPTOM_DESCRIPTION: 0.025,
        Intent.DEPARTMENT_OR_SERVICE_LOOKUP: 0.025,
    },
    Kind.TREATMENT: {Intent.TREATMENT_OR_EXAM_INFORMATION: 0.09},
    Kind.EXAMINATION: {Intent.TREATMENT_OR_EXAM_INFORMATION: 0.09},
    Kind.CAMPUS: {Intent.NAVIGATION_OR_PRACTICAL_INFO: 0.03},
}
#: A practical matter that was mentioned makes a practical question likelier.
PRACTICAL = frozenset({"parking", "visiting", "admission", "accessibility", "route", "facilities"})
TOPIC_PRIOR = 0.07
#: Costs and rights are practical matters, whatever examination or treatment they are about.
FORMAL = frozenset({"billing", "legal"})
FORMAL_PRIOR = 0.1
PROFESSION_PRIOR, LIST_PRIOR = 0.15, 0.15


@dataclass(frozen=True, slots=True)
class Heard:
    """All that the choice is made from."""

    said: Said
    similar: Similar
    #: The probability of each intent, by what was learned from the examples.
    learned: Mapping[Intent, float]
    matches: Sequence[Match]
    advice: Advice
    #: Whether another hospital is asked about.
    is_elsewhere: bool
    #: Content words, and how many of them the lexicon knows as matters of a hospital.
    content: Sequence[str]
    hospital_words: int
    #: All words of the question.
    size: int = 0
    names_us: bool = False
    #: Whether a profession is named, or a list of people asked for.
    names_profession: bool = False
    wants_list: bool = False
    has_history: bool = False
    #: Whether a complaint is told.
    tells_complaint: bool = False

    @property
    def is_certain(self) -> bool:
        """Whether something of the hospital is named exactly."""
        return any(m.thing.kind is not Kind.CAMPUS and m.confidence >= 0.95 for m in self.matches)

    @property
    def everyday(self) -> float:
        """The weight of the strongest cue that names an everyday matter."""
        return max((cue.weight for cue in self.said.of(OFFTOPIC) if not cue.target), default=0.0)

    @property
    def resolves(self) -> bool:
        """Whether something of the hospital is named for certain; a town alone is not enough."""
        return any(m.thing.kind is not Kind.CAMPUS and m.confidence >= 0.8 for m in self.matches)


@dataclass(frozen=True, slots=True)
class Choice:
    intent: Intent
    confidence: float
    scores: Mapping[str, float]


def choose(heard: Heard) -> Choice:
    """Return the intent of a question."""
    scores = {intent: _score(intent, heard) for intent in Intent}
    shown = {str(i): round(s, 3) for i, s in sorted(scores.items(), key=lambda item: -item[1])[:4]}
    if blocked := _blocked(heard, scores):
        return Choice(*blocked, shown)
    allowed = {intent: score for intent, score in scores.items() if not intent.is_blocked}
    best = max(allowed, key=lambda intent: allowed[intent])
    return Choice(best, round(_share(best, allowed), 3), shown)


def _score(intent: Intent, heard: Heard) -> float:
    cues = heard.said.weights(INTENT).get(str(intent), 0.0)
    score = heard.similar.scores.get(intent, 0.0) + CUES * (1 - exp(-cues / CUE_SCALE))
    score += LEARNED * max(log(heard.learned.get(intent, 0.0) + LEAST), FLOOR)
    named = {match.thing.kind for match in heard.matches if match.by != "department_from_condition"}
    score += max((PRIORS.get(kind, {}).get(intent, 0.0) for kind in named), default=0.0)
    if intent is Intent.NAVIGATION_OR_PRACTICAL_INFO:
        topics = heard.said.weights(TOPIC)
        score += TOPIC_PRIOR * any(topics.get(topic, 0.0) >= CLEAR for topic in PRACTICAL)
        score += FORMAL_PRIOR * any(topics.get(topic, 0.0) >= CLEAR for topic in FORMAL)
    if intent is Intent.DOCTOR_LOOKUP and named & {Kind.DEPARTMENT, Kind.SPECIALTY}:
        score += PROFESSION_PRIOR * heard.names_profession + LIST_PRIOR * heard.wants_list
    return score


def _blocked(heard: Heard, scores: Mapping[Intent, float]) -> tuple[Intent, float] | None:
    """Return why a question cannot be answered, if so."""
    if heard.advice.blocks:
        return Intent.OUT_OF_SCOPE_MEDICAL_ADVICE, heard.advice.confidence
    if heard.is_elsewhere:
        return Intent.OTHER_HOSPITAL, 0.9
    if _asks_advice(heard, scores):
        share = _share(Intent.OUT_OF_SCOPE_MEDICAL_ADVICE, scores)
        return Intent.OUT_OF_SCOPE_MEDICAL_ADVICE, round(max(BLOCKS, share), 3)
    if _is_off_topic(heard, scores):
        return Intent.OFF_TOPIC, 0.85
    if _is_vague(heard, scores):
        return Intent.VAGUE_INPUT, 0.85
    return None


def _is_off_topic(heard: Heard, scores: Mapping[Intent, float]) -> bool:
    """Tell whether an everyday matter is spoken of, and nothing that a hospital deals with."""
    if heard.everyday >= DECISIVE:
        return True
    named = heard.everyday >= STRONG
    if heard.is_certain or (heard.resolves and not named):
        return False
    things = [match for match in heard.matches if match.thing.kind is not Kind.CAMPUS]
    ours = bool(heard.hospital_words or things or heard.names_us)
    besides = heard.said.without(OFFTOPIC)
    is_plain = besides.weight(TOPIC, INTENT) < STRONG and not heard.advice.is_medical
    if named and (is_plain or not ours):
        return True
    if ours or heard.said.weight(TOPIC) >= CLEAR:
        return False
    if _is_ordered(heard, besides):
        return True
    return not heard.matches and _is_like_everyday(heard, scores)


def _is_ordered(heard: Heard, besides: Said) -> bool:
    """Tell whether somebody is told to do what only a servant at home can do."""
    orders = {
        cue.target
        for cue in heard.said.of(OFFTOPIC)
        if cue.target and (cue.start <= POLITE or cue.end == heard.size)
    }
    if ORDER in orders:
        return True
    return LOOK_UP in orders and besides.weight(INTENT) < CLEAR


def _is_like_everyday(heard: Heard, scores: Mapping[Intent, float]) -> bool:
    best = max(score for intent, score in scores.items() if not intent.is_blocked)
    score = scores[Intent.OFF_TOPIC]
    if heard.everyday >= CLEAR:
        return score > best - LEAD
    like = score > max(OFFTOPIC_FROM, best * NEARLY)
    return like and not heard.has_history and heard.said.weight(INTENT) < CLEAR


def _is_vague(heard: Heard, scores: Mapping[Intent, float]) -> bool:
    if heard.said.of(*GREETINGS) and not heard.content and not heard.matches:
        return True
    if heard.matches or heard.has_history:
        return False
    if heard.said.weight(TOPIC) >= CLEAR:
        return False
    return _lead(Intent.VAGUE_INPUT, scores) >= LEAD or _says_nothing(heard, scores)


def _says_nothing(heard: Heard, scores: Mapping[Intent, float]) -> bool:
    """Tell whether there is too little in a question to do anything with."""
    if heard.hospital_words or heard.size > BARE:
        return False
    best = max(scores, key=lambda intent: scores[intent])
    return not heard.content or best is Intent.VAGUE_INPUT


def _asks_advice(heard: Heard, scores: Mapping[Intent, float]) -> bool:
    """Tell whether examples say so clearly, or cues and examples together."""
    advice = Intent.OUT_OF_SCOPE_MEDICAL_ADVICE
    if heard.advice.is_spared or not heard.advice.is_medical:
        return False
    lead = _lead(advice, scores)
    if heard.advice.confidence > 0:
        return lead > -LEAD and scores[advice] > REFUSED_FROM / 2
    named = sum(len(match.text.split()) for match in heard.matches)
    tells = heard.size - named >= TELLING
    return tells and lead >= LEAD and heard.learned.get(advice, 0.0) >= LIKELY


def _lead(intent: Intent, scores: Mapping[Intent, float]) -> float:
    """Return by how much an intent is ahead of the best that could be answered."""
    return scores[intent] - max(score for one, score in scores.items() if not one.is_blocked)


def _share(intent: Intent, scores: Mapping[Intent, float]) -> float:
    top = max(scores.values())
    weights = {one: exp((score - top) / TEMPERATURE) for one, score in scores.items()}
    return weights[intent] / sum(weights.values())
