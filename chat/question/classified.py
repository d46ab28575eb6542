"""From what code or a model said of a message to what the turn takes it for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from typing import TypeAlias

from chat.question.classification import (
    COUNTS_AS,
    PART,
    REWRITTEN,
    SURELY,
    Classification,
    MeantMoment,
    Mention,
    MessageKind,
    Part,
)
from chat.turn import Turn, Understanding
from retrieval.intents import Intent
from taxonomy.dates.reading import Moment
from taxonomy.resolvers.entries import Match
from taxonomy.vocabulary import Thing
from zol.languages import LANGUAGES
from zol.text import words

#: What a message is that asks the hospital nothing, as its texts are named.
GREETED: dict[MessageKind, str] = {
    "greeting": "greeting", "thanks": "thanks", "goodbye": "goodbye", "person_wanted": "person",
    "identity": "identity",
}  # fmt: skip
KINDS = {text: kind for kind, text in GREETED.items()}
#: How sure code must be of a language for a model not to be believed.
OWN_LANGUAGE = 0.55

#: A question in some language, read by code.
Read: TypeAlias = Callable[[Turn], Understanding]
Resolve: TypeAlias = Callable[[str], Sequence[Match]]


def classification_of(heard: Understanding) -> Classification:
    """Return what code's reading of a message amounts to."""
    is_unclear = heard.intent is Intent.VAGUE_INPUT
    is_advice = heard.intent is Intent.OUT_OF_SCOPE_MEDICAL_ADVICE
    asked = heard.parts or (heard.query,)
    wants = "people" if heard.wants_list else "other"
    return Classification(
        urgency="none",
        kind=KINDS.get(heard.greeting, "unclear" if is_unclear else "question"),
        intent=heard.intent,
        confidence=heard.confidence,
        advice="personal" if is_advice else "none",
        language=heard.language,
        follows=heard.is_followup,
        rewritten=heard.query[:REWRITTEN],
        parts=tuple(Part(text[:PART], wants) for text in asked),  # type: ignore[arg-type]
        entities=tuple(Mention(str(m.thing.kind), m.text) for m in heard.matches if m.text),
        moment=None,
    )


def understood(
    heard: Understanding, said: Classification, turn: Turn, read: Read, resolve: Resolve
) -> Understanding:
    """Return what a message means: code's own reading, or that with what a model said of it.

    The words that a model gives are read by the same code as any question in the pages' language,
    and what was named is resolved by the resolvers: names never come from a model.
    """
    if said == classification_of(heard):
        return replace(heard, classification=said)
    if heard.is_followup and not said.follows:
        heard = read(replace(turn, history=()))
    found = read(replace(turn, question=said.rewritten, history=())) if said.rewritten else heard
    intent, topic = meant_by(said, (found.intent, heard.intent))
    language = language_of(said, heard)
    return replace(
        found,
        intent=intent,
        confidence=said.confidence,
        language=language,
        detected=heard.detected if language == heard.language else language,
        topic=topic or heard.topic or found.topic,
        matches=named(said, found.matches, heard.matches, resolve),
        concepts=heard.concepts,
        is_followup=bool(turn.history) and said.follows,
        of_told=heard.of_told,
        wants_list=heard.wants_list or found.wants_list,
        parts=tuple(part.text for part in said.parts) if len(said.parts) > 1 else (),
        greeting=GREETED.get(said.kind, "") if intent is Intent.VAGUE_INPUT else "",
        classification=said,
        by_model=True,
        evidence=heard.evidence,
    )


def meant_by(said: Classification, read: Iterable[Intent]) -> tuple[Intent, str]:
    """Return the intent and topic that a model's word amounts to.

    Where it finds advice of which the intent does not hold, that of code's readings does.
    """
    if said.is_personal:
        return Intent.OUT_OF_SCOPE_MEDICAL_ADVICE, ""
    if said.kind == "unclear" or (said.kind in GREETED and said.confidence >= SURELY):
        return Intent.VAGUE_INPUT, ""
    intent, topic = COUNTS_AS.get(said.intent, (said.intent, ""))
    if intent is Intent.OUT_OF_SCOPE_MEDICAL_ADVICE:
        intent = next((each for each in read if not each.is_blocked), Intent.UNKNOWN)
    return Intent(intent), topic


def language_of(said: Classification, heard: Understanding) -> str:
    """Return the language to answer in: a model's word counts where code is hardly sure."""
    is_sure = heard.evidence.get("language_confidence", 1.0) >= OWN_LANGUAGE
    return heard.language if is_sure or said.language not in LANGUAGES else said.language


def named(
    said: Classification, found: Iterable[Match], heard: Iterable[Match], resolve: Resolve
) -> tuple[Match, ...]:
    """Return what is named, each once: what code hears in the visitor's words, with its place
    there, then what the mentions and the rewritten question name."""
    mentioned = (match for mention in said.entities for match in resolve(mention.said))
    known: dict[Thing, Match] = {match.thing: match for match in heard}
    for match in (*found, *mentioned):
        known.setdefault(match.thing, replace(match, start=0, end=0))
    # What the rewritten question is about comes first: it has been put right.
    first = [known[match.thing] for match in found]
    return tuple(dict.fromkeys((*first, *known.values())))


def moments_meant(said: MeantMoment | None, read: Sequence[Moment]) -> tuple[MeantMoment, ...]:
    """Return the days and times meant: code's where it has read every word of the expression, else
    also the model's where that is another."""
    own = tuple(map(meant_moment, read))
    if said is None or any((each.from_, each.to) == (said.from_, said.to) for each in own):
        return own
    if own and set(words(said.said)) <= {word for each in own for word in words(each.said)}:
        return own
    return (*own, said)


def meant_moment(moment: Moment) -> MeantMoment:
    """Return a moment as code reads it, its end exclusive; a point in time is a minute."""
    first = at(moment.first, moment.start or 0)
    if moment.start is None:
        last = at(moment.last, 0) + timedelta(days=1)
    else:
        last = max(at(moment.last, moment.end or moment.start), first + timedelta(minutes=1))
    return MeantMoment(written(first), written(last), moment.said)


def at(day: date, minutes: int) -> datetime:
    return datetime.combine(day, time()) + timedelta(minutes=minutes)


def written(moment: datetime) -> str:
    return moment.isoformat(timespec="minutes")
