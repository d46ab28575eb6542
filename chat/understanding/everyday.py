"""Whether a question is about everyday life rather than about anything that a hospital deals with.

What is said for it and against it is added up: what the examples teach (words and meaning), which
examples it is like, cues for everyday matters and orders, and against them whatever belongs to a
hospital. The weights were fitted on the example questions, each understood by what the others
teach, and on titles of pages (`FITTED`); no question of any test is among them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log

from chat.understanding.cues import INTENT, OFFTOPIC, TOPIC, Cue, Said
from retrieval.intents import Intent

#: A cue of this weight names something outright; one of the other stands out.
OUTRIGHT, CLEAR = 3.0, 2.0
#: The nearest that a probability comes to none or to all.
LEAST = 1e-4
#: What each sign counts for, as fitted: the logarithm of the odds that it adds. Examples mask most
#: medical words and know no titles, so those were raised (medical words from -0.5): in questions
#: they are seldom there by chance, and to refuse what could be answered is the worse mistake.
FITTED: Mapping[str, float] = {
    "learned": 1.65,
    "like everyday examples": 5.8,
    "everyday matter": 2.25,
    "everyday matter, outright": 0.7,
    "order": 1.25,
    "medical word": -2.0,
    "hospital's words": -1.2,
    "practical matter, outright": -0.55,
    "thing of the hospital": -1.4,
    "words of a title": -9.0,
    "word of a title": -0.5,
    "intent": -0.8,
    "nothing said": -1.0,
    "beforehand": 1.8,
}
#: The sum from which a question is not answered; those that follow others mean those.
FROM, FOLLOWING = -0.3, 2.3


@dataclass(frozen=True, slots=True)
class Signs:
    """What speaks for and against a question being everyday."""

    said: Said
    learned: Mapping[Intent, float]
    #: By how much it is more like an everyday example than like one that is answered.
    likeness: float
    #: Words that only a hospital is asked about.
    hospital_words: int
    #: Words about the body and what is done for it.
    medical_words: int
    #: Whether something of the hospital is named exactly.
    is_certain: bool
    #: Whether one of the hospital's titles or headings has the question's words.
    is_titled: bool
    #: Whether one of them has a word of the question.
    in_title: bool
    has_history: bool
    #: The words that say something.
    content: Sequence[str] = ()

    @property
    def weights(self) -> dict[str, float]:
        """Return what each sign that was seen adds."""
        seen = {
            "learned": _odds(self.learned.get(Intent.OFF_TOPIC, 0.0)),
            "like everyday examples": self.likeness,
            "everyday matter": float(self._matter >= CLEAR),
            "everyday matter, outright": float(self._matter >= OUTRIGHT),
            "order": float(any(cue.target for cue in self._everyday)),
            "medical word": float(self.medical_words > 0),
            "hospital's words": float(self.hospital_words > 1),
            "practical matter, outright": float(self._practical >= OUTRIGHT),
            "thing of the hospital": float(self.is_certain),
            "words of a title": float(self.is_titled),
            "word of a title": float(self.in_title),
            "intent": float(_heaviest(self._intents) >= CLEAR),
            "nothing said": float(not self.content),
            "beforehand": 1.0,
        }
        return {name: round(FITTED[name] * value, 3) for name, value in seen.items() if value}

    @property
    def is_everyday(self) -> bool:
        return sum(self.weights.values()) > (FOLLOWING if self.has_history else FROM)

    @property
    def _matter(self) -> float:
        """The weight of the strongest cue that names an everyday matter."""
        return max((cue.weight for cue in self._everyday if not cue.target), default=0.0)

    @property
    def _everyday(self) -> tuple[Cue, ...]:
        """The cues for everyday matters that are no part of a longer one of the hospital's: who
        needs "someone to translate" orders no translation."""
        practical = self.said.of(TOPIC)
        return tuple(
            cue
            for cue in self.said.of(OFFTOPIC)
            if not any(longer.holds(cue) for longer in practical)
        )

    @property
    def _practical(self) -> float:
        """The weight of the strongest cue for a matter of the hospital, outside everyday ones."""
        return self.said.without(OFFTOPIC).weight(TOPIC)

    @property
    def _intents(self) -> dict[str, float]:
        weights = self.said.weights(INTENT)
        return {target: weights[target] for target in weights if target != Intent.OFF_TOPIC}


def _odds(chance: float) -> float:
    chance = min(max(chance, LEAST), 1 - LEAST)
    return log(chance / (1 - chance))


def _heaviest(weights: Mapping[str, float]) -> float:
    return max(weights.values(), default=0.0)
