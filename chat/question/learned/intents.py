"""Which of the twelve intents a question has, and how sure that is.

Examples and what the words resolve to are added up. The four blocked intents need more than
the highest score: refusing a question that could be answered is the worse mistake, except where
medical advice is asked for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import exp, log

from chat.question.cues import GREETINGS, CueMatches
from chat.question.learned.examples import Similar
from chat.question.off_topic import Signs
from chat.safety.advice import Advice
from retrieval.intents import Intent
from taxonomy.kinds import Kind
from taxonomy.resolvers import Match

#: What counts for how much: examples that are alike, what was learned (as the logarithm of a
#: probability), and things that are named. Fitted on examples understood by what the others teach.
ALIKE, LEARNED, NAMED = 0.64, 0.08, 0.5
#: The least that probabilities are told apart by.
LEAST, FLOOR = 1e-6, -7.0
#: Steepness of the confidence: a lead of this much is about three to one.
TEMPERATURE = 0.09
#: The lead of an example that says too little, from which a question is vague.
LEAD = 0.1
#: Words up to which a question that is like nothing else is vague.
BARE = 2
#: Letters from which a word is hardly ever one that says too little.
COMPOUND = 14
#: Words up to which "I do not feel well" is all that is said.
SHORT = 6
#: From here on a question and an example are the same but for their spelling.
THE_SAME = 0.9

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
#: A practical matter that is asked about makes a practical question likelier.
PRACTICAL = frozenset({"parking", "visiting", "admission", "accessibility", "route", "facilities"})
TOPIC_PRIOR = 0.07
#: Costs and rights are practical matters, whatever examination or treatment they are about.
FORMAL = frozenset({"billing", "legal"})
FORMAL_PRIOR = 0.1
PROFESSION_PRIOR = 0.15
#: A complaint is told before an explanation of it is asked for.
COMPLAINT_PRIOR = 0.06
#: So is one that leads to a department as a whole.
LED_PRIOR = 0.2


@dataclass(frozen=True, slots=True)
class IntentSigns:
    """All that the choice is made from."""

    said: CueMatches
    similar: Similar
    #: The probability of each intent, by what was learned from the examples.
    learned: Mapping[Intent, float]
    #: The logarithm of the odds of being about everyday life, by the encoder's vector alone.
    everyday: float
    matches: Sequence[Match]
    advice: Advice
    #: Whether another hospital is asked about.
    is_elsewhere: bool
    #: Content words, and how many of them the lexicon knows as matters of a hospital.
    content: Sequence[str]
    hospital_words: int
    #: The topic of the likeliest needs; empty where none is likely.
    topic: str = ""
    #: How many are about the body and what is done for it, alone or as half of a word.
    medical_words: int = 0
    #: All words of the question.
    size: int = 0
    #: Whether one of the hospital's titles or headings has the question's words.
    is_titled: bool = False
    #: Whether a profession is named.
    names_profession: bool = False
    has_history: bool = False
    #: Whether the few words say, in another language, what an example says that says too little.
    says_too_little: bool = False
    #: Whether a complaint is told.
    tells_complaint: bool = False
    #: How likely the whole leads to a department, where nothing is named.
    leads: float = 0.0

    @property
    def is_certain(self) -> bool:
        """Whether something of the hospital is named exactly."""
        return any(m.thing.kind is not Kind.CAMPUS and m.confidence >= 0.95 for m in self.matches)

    @property
    def is_specific(self) -> bool:
        """Whether a word is so long that it names a matter: "kinesistvoorschrift"."""
        return any(len(word) >= COMPOUND for word in self.content)

    @property
    def is_of_a_campus(self) -> bool:
        """Whether a campus is named beside a hospital's matter, of which the weather is none."""
        is_practical = self.hospital_words > 0 and bool(self.topic)
        return is_practical and any(m.thing.kind is Kind.CAMPUS for m in self.matches)

    @property
    def signs(self) -> Signs:
        """What speaks for the question being about everyday life."""
        return Signs(
            vector=self.everyday,
            learned=self.learned,
            likeness=_lead(Intent.OFF_TOPIC, self.similar.scores),
            is_practical=bool(self.topic),
            is_certain=self.is_certain or self.is_of_a_campus,
            is_titled=self.is_titled,
            has_history=self.has_history,
        )


@dataclass(frozen=True, slots=True)
class Choice:
    intent: Intent
    confidence: float
    scores: Mapping[str, float]
    #: What spoke for and against its being about everyday life.
    signs: Mapping[str, float] = field(default_factory=dict)


def choose(heard: IntentSigns) -> Choice:
    """Return the intent of a question."""
    scores = {intent: _score(intent, heard) for intent in Intent}
    shown = {str(i): round(s, 3) for i, s in sorted(scores.items(), key=lambda item: -item[1])[:4]}
    if blocked := _blocked(heard, scores):
        return Choice(*blocked, shown, heard.signs.weights)
    allowed = {intent: score for intent, score in scores.items() if not intent.is_blocked}
    best = max(allowed, key=lambda intent: allowed[intent])
    return Choice(best, round(_share(best, allowed), 3), shown, heard.signs.weights)


def _score(intent: Intent, heard: IntentSigns) -> float:
    learned = max(log(heard.learned.get(intent, 0.0) + LEAST), FLOOR)
    return (
        ALIKE * heard.similar.scores.get(intent, 0.0)
        + LEARNED * learned
        + NAMED * _prior(intent, heard)
    )


def _prior(intent: Intent, heard: IntentSigns) -> float:
    """Return what the things and matters that are named say about an intent."""
    named = {match.thing.kind for match in heard.matches if match.by != "department_from_condition"}
    prior = max((PRIORS.get(kind, {}).get(intent, 0.0) for kind in named), default=0.0)
    if intent is Intent.NAVIGATION_OR_PRACTICAL_INFO:
        prior += TOPIC_PRIOR * (heard.topic in PRACTICAL) + FORMAL_PRIOR * (heard.topic in FORMAL)
    if intent is Intent.AMBIGUOUS_SYMPTOM_DESCRIPTION:
        prior += COMPLAINT_PRIOR * heard.tells_complaint + LED_PRIOR * heard.leads
    if intent is Intent.DOCTOR_LOOKUP and named & {Kind.DEPARTMENT, Kind.SPECIALTY}:
        prior += PROFESSION_PRIOR * heard.names_profession
    return prior


def _blocked(heard: IntentSigns, scores: Mapping[Intent, float]) -> tuple[Intent, float] | None:
    """Return why a question cannot be answered, if so."""
    if heard.advice.blocks:
        return Intent.OUT_OF_SCOPE_MEDICAL_ADVICE, heard.advice.confidence
    if heard.is_elsewhere:
        return Intent.OTHER_HOSPITAL, 0.9
    if heard.signs.is_everyday and not (_only_greets(heard) or _has_nothing_in_it(heard)):
        return Intent.OFF_TOPIC, 0.85
    if _has_nothing_in_it(heard) or _is_vague(heard, scores):
        return Intent.VAGUE_INPUT, 0.85
    return None


def _only_greets(heard: IntentSigns) -> bool:
    return bool(heard.said.of(*GREETINGS)) and not heard.content and not heard.matches


def _has_nothing_in_it(heard: IntentSigns) -> bool:
    """Tell whether words only join others ("it's that again"): nobody knows yet what about."""
    return not (heard.content or heard.matches or heard.has_history or heard.is_titled)


def _is_vague(heard: IntentSigns, scores: Mapping[Intent, float]) -> bool:
    if _only_greets(heard):
        return True
    if heard.has_history or heard.is_certain:
        return False
    if _is_a_vague_example(heard):
        return True
    if heard.matches or heard.hospital_words or heard.medical_words or heard.is_titled:
        return False
    if heard.topic or heard.is_specific:
        return False
    return _lead(Intent.VAGUE_INPUT, scores) >= LEAD or _says_nothing(heard, scores)


def _is_a_vague_example(heard: IntentSigns) -> bool:
    """Tell whether a few words are one of the examples that say too little: "ziek", "help"."""
    if heard.says_too_little:
        return True
    if heard.size > SHORT or not heard.similar.nearest:
        return False
    example, alike = heard.similar.nearest[0]
    return example.intent is Intent.VAGUE_INPUT and alike >= THE_SAME


def _says_nothing(heard: IntentSigns, scores: Mapping[Intent, float]) -> bool:
    """Tell whether there is too little in a question to do anything with."""
    if heard.hospital_words or heard.size > BARE:
        return False
    best = max(scores, key=lambda intent: scores[intent])
    return not heard.content or best is Intent.VAGUE_INPUT


def _lead(intent: Intent, scores: Mapping[Intent, float]) -> float:
    """Return by how much an intent is ahead of the best that could be answered."""
    answered = (score for one, score in scores.items() if not one.is_blocked)
    return scores.get(intent, 0.0) - max(answered, default=0.0)


def _share(intent: Intent, scores: Mapping[Intent, float]) -> float:
    top = max(scores.values())
    weights = {one: exp((score - top) / TEMPERATURE) for one, score in scores.items()}
    return weights[intent] / sum(weights.values())
