"""Questions that only mean something after the one before: "en de kosten?".

And which of several that were offered somebody means: "Nele", "die van de kinderen", "de tweede".

Whether one goes on was learned from messages of conversations in eight languages, over the vector
that the search makes of a question anyway (`lab/needs/follows.py` is the training,
`chat/defaults/follows.md` the card). What it takes over is decided by what it names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Self, TypeAlias

import numpy as np
from scipy.special import expit

from chat.question.cues import FOLLOWUP, ONE, SOME, CueMatches
from chat.question.reader import Reader
from chat.question.words import QuestionWords
from chat.turn import Understanding
from retrieval.intents import Intent
from retrieval.vectors import Matrix
from taxonomy.kinds import Kind
from taxonomy.lexicon import FUNCTION
from taxonomy.resolvers import Match
from taxonomy.tokens import folded, stem
from taxonomy.vocabulary import Thing

FILE = Path(__file__).parent.parent / "defaults" / "follows.npz"
#: How likely a message has to need the one before it to be read with it (the card has the table).
FOLLOWS = 0.2
#: What somebody is helped with.
CARE = frozenset({Kind.CONDITION, Kind.TREATMENT, Kind.EXAMINATION})
#: Intents that ask who helps, after which some of those may be meant; and what has doctors.
ASKS_WHO = frozenset(
    {
        Intent.DOCTOR_LOOKUP,
        Intent.DEPARTMENT_OR_SERVICE_LOOKUP,
        Intent.AMBIGUOUS_SYMPTOM_DESCRIPTION,
    }
)
HAVE_DOCTORS = frozenset({Kind.DOCTOR, Kind.DEPARTMENT, Kind.SPECIALTY, *CARE})
#: Matters of a place: where one was spoken of, its own are meant.
OF_A_PLACE = frozenset({"visiting", "hours", "contact", "appointment", "route"})
VISITING = "visiting"
#: Kinds that are a place, or are done at one.
PLACES = frozenset({Kind.DEPARTMENT, Kind.CAMPUS, Kind.EXAMINATION})
#: What may be asked of anything; asked after a subject, it is that subject's.
ASPECTS = frozenset({"billing", "hours"})
#: Words besides names up to which a follow-up only changes the subject: "en in Genk?".
BESIDES = 2
#: How sure the intent of a follow-up must be to replace the one before.
OWN_INTENT = 0.45
#: Kinds that answer the same need, so that a new one replaces an old one.
SAME_NEED = (
    CARE,
    frozenset({Kind.DEPARTMENT, Kind.SPECIALTY, Kind.DOCTOR}),
    frozenset({Kind.CAMPUS}),
)


#: How the question before was understood. Most questions stand alone, and never ask.
Before: TypeAlias = Callable[[], Understanding]
#: Concepts that count what was offered.
ORDINALS: Mapping[str, int] = {
    "ordinal_first": 0, "ordinal_second": 1, "ordinal_third": 2, "ordinal_last": -1,
}  # fmt: skip
#: Fields that tell one doctor from another of the same name.
TELLING = ("first_name", "specialty")


@dataclass(frozen=True, slots=True, eq=False)
class Follows:
    """A small network over the vector of a message. Immutable."""

    hidden: Matrix
    bias: Matrix
    out: Matrix
    last: Matrix

    @classmethod
    @cache
    def of_file(cls, path: Path = FILE) -> Self:
        """Return what was learned."""
        with np.load(path) as file:
            return cls(*(file[name].astype(np.float32) for name in cls.__slots__))

    def chance(self, vector: Matrix) -> float:
        """Return how likely a message needs the one before it."""
        hidden = np.maximum(vector @ self.hidden + self.bias, 0)
        return float(expit(hidden @ self.out + self.last[0]))


@dataclass(frozen=True, slots=True)
class CarriedContext:
    """What a follow-up takes over from the question before it."""

    intent: Intent
    matches: tuple[Match, ...]
    topic: str


def only_names(found: Understanding, before: Before, unnamed: int) -> bool:
    """Tell whether nothing is said but another name: "Sint-Barbara?" after the hours of a campus.

    Names answer the need of the ones before them; a campus may be asked about in anything.
    """
    own = {match.thing.kind for match in found.matches}
    if unnamed or not own or before().intent.is_blocked:
        return False
    asked = {match.thing.kind for match in before().matches}
    return own == {Kind.CAMPUS} or any(need & own and need & asked for need in SAME_NEED)


def is_of_the_place(found: Understanding, subjects: int, before: Before) -> bool:
    """Tell whether hours, visits and the like are asked of the place that was spoken of."""
    if found.topic not in OF_A_PLACE or subjects or found.matches:
        return False
    if found.topic == VISITING and before().intent is Intent.DOCTOR_LOOKUP:
        return False  # The doctors of a department were asked for; nobody visits those.
    kinds = {match.thing.kind for match in before().matches}
    return not kinds.isdisjoint(PLACES) and kinds <= PLACES


def of_told(said: CueMatches, matches: Sequence[Match], before: Before) -> str:
    """Tell whether doctors who were told are meant: some, "een van hen", or one, "zijn nummer".

    Whoever names a person or something to be treated speaks of that.
    """
    targets = {cue.target for cue in said.of(FOLLOWUP)} & {SOME, ONE}
    if not targets or any(match.thing.kind in (Kind.DOCTOR, *CARE) for match in matches):
        return ""
    earlier = before()
    if HAVE_DOCTORS.isdisjoint(match.thing.kind for match in earlier.matches):
        return ""
    if SOME in targets and earlier.intent in ASKS_WHO:
        return SOME
    is_one = earlier.intent is Intent.DOCTOR_LOOKUP or earlier.matched(Kind.DOCTOR)
    return ONE if ONE in targets and is_one else ""


def carry_told(before: Understanding, own: Understanding) -> CarriedContext:
    """Ask for doctors of what was told, at the campus that is named now."""
    campuses = tuple(match for match in own.matches if match.thing.kind is Kind.CAMPUS)
    kept = (
        match for match in before.matches if not campuses or match.thing.kind is not Kind.CAMPUS
    )
    return CarriedContext(Intent.DOCTOR_LOOKUP, (*campuses, *kept), own.topic)


def carry(
    before: Understanding, own: Understanding, words: int, said: CueMatches
) -> CarriedContext:
    """Complete a follow-up's intent, things and topic with those of the question before."""
    matches = own.matches
    taken = {kind for need in SAME_NEED for kind in need if need & {m.thing.kind for m in matches}}
    kept = tuple(match for match in before.matches if match.thing.kind not in taken)
    return CarriedContext(
        _intent(before, own, words, said), (*matches, *kept), _topic(before.topic, own.topic)
    )


def _intent(before: Understanding, own: Understanding, words: int, said: CueMatches) -> Intent:
    named = sum(len(match.text.split()) for match in own.matches)
    joining = {at for cue in said.of(FOLLOWUP) for at in range(cue.start, cue.end)}
    is_elsewhere = named and {match.thing.kind for match in own.matches} == {Kind.CAMPUS}
    changes_subject = is_elsewhere or (named and words - named - len(joining) <= BESIDES)
    sure = own.confidence >= OWN_INTENT and own.intent is not Intent.UNKNOWN
    sure = sure and not changes_subject
    chosen = own.intent if sure and not own.intent.is_blocked else before.intent
    if not chosen.is_blocked:
        return chosen
    return Intent.UNKNOWN if own.intent.is_blocked else own.intent


def _topic(before: str, own: str) -> str:
    """Keep the subject: the costs that are asked about after parking are those of parking."""
    return before if before and own in ("", *ASPECTS) and before not in ASPECTS else own or before


def choice_of(read: QuestionWords, earlier: Understanding, reader: Reader) -> dict[str, Any]:
    """Return what was asked before, of the one of several that a message means; nothing where it
    leaves more than one."""
    offered = next((match for match in earlier.matches if match.is_ambiguous), None)
    if offered is None:
        return {}
    options = (offered.thing, *offered.alternatives)
    left = options
    for fit in _signs(options, read, reader):
        left = tuple(each for each in left if each in fit) or left
    if len(left) > 1:
        return {}
    match = Match(left[0], offered.text, "chosen")
    matches = tuple(match if each is offered else each for each in earlier.matches)
    asked = {name: getattr(earlier, name) for name in ("intent", "topic", "terms", "wants_list")}
    return {**asked, "confidence": 1.0, "matches": matches}


def _signs(
    options: Sequence[Thing], read: QuestionWords, reader: Reader
) -> Iterator[Sequence[Thing]]:
    """Yield whom each thing that is said fits: a place in the list, a day, a language, what is
    named, and words by which only some of them are called."""
    vocabulary = reader.index.vocabulary
    for concept in ORDINALS.keys() & set(read.concepts):
        yield options[ORDINALS[concept] :][:1]
    filters = reader.filters(read.text, read.detected.language)
    if filters:
        yield filters.keep(options, vocabulary)
    named = {match.thing for match in read.matches}
    campuses = {thing for thing in named if thing.kind is Kind.CAMPUS}
    places = {place for thing in named for place in vocabulary.departments_of(thing)}
    yield [each for each in options if not campuses.isdisjoint(vocabulary.campuses_of(each))]
    yield [each for each in options if not places.isdisjoint(vocabulary.departments_of(each))]
    own, words = reader.language, [word.folded for word in read.words]
    spoken = {stem(word, own) for word in words} | set(read.concepts)
    described = {each: _description(each, reader) for each in options}
    of_all = frozenset.intersection(*described.values())
    yield [each for each in options if not spoken.isdisjoint(described[each] - of_all)]


def _description(thing: Thing, reader: Reader) -> frozenset[str]:
    """Return the stems and concepts of the words by which a thing is told from its namesakes."""
    own, departments = reader.language, reader.index.vocabulary.departments_of(thing)
    called = (alias.text for place in departments for alias in place.aliases)
    texts = (thing.name, *map(thing.get, TELLING), *(d.name for d in departments), *called)
    words = [word for text in texts for word in folded(text)]
    firsts = (use.concepts[0] for use in reader.lexicon.read(words, own))
    joining = reader.lexicon.stop_words(own)
    stems = (stem(word, own) for word in words if word not in joining)
    return frozenset((*stems, *(each.name for each in firsts if each.kind != FUNCTION)))
