"""From a message and its classification, by whichever engine, to what the turn takes it for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from chat.question.classification import (
    COUNTS_AS,
    SURELY,
    Classification,
    MessageKind,
    OwnClassification,
)
from chat.question.networks import need_chances
from chat.question.reading import MessageReader, MessageReading, topic_of
from chat.turn import Turn, Understanding
from retrieval.embedding import get_hearer
from retrieval.intents import Intent
from taxonomy.needs import intents
from taxonomy.resolvers import resolve
from taxonomy.resolvers.entries import Match
from taxonomy.tokens import folded
from taxonomy.vocabulary import Thing
from zol.languages import LANGUAGES

#: Messages that ask the hospital nothing, by the kinds of their texts.
GREETED: Mapping[MessageKind, str] = {
    "greeting": "greeting", "thanks": "thanks", "goodbye": "goodbye", "person_wanted": "person",
    "identity": "identity",
}  # fmt: skip
#: How sure code must be of a language for a model not to be believed.
OWN_LANGUAGE = 0.55


def understood(said: Classification, turn: Turn, reader: MessageReader) -> Understanding:
    """Return what a message means.

    Names never come from a model: resolvers find them in the visitor's words, in the rewritten
    question, and in what the model says was mentioned.
    """
    read = reader.of_turn(turn)
    intent, topic = meant_by(said, read)
    spoken = language_of(said, read)
    if read.detected.is_foreign and spoken == read.detected.language:
        spoken = read.detected.written
    is_offered = spoken in {turn.language, *reader.offered}
    is_own = isinstance(said, OwnClassification)
    if isinstance(said, OwnClassification):
        matches, topic = said.matches, topic or said.topic
    else:
        matches = named(said, read, reader)
        topic = topic or topic_of(needs_of(said, read, reader))
    wants = said.parts[0].wants if said.parts else "other"
    return Understanding(
        intent=intent,
        confidence=said.confidence,
        language=spoken if is_offered else turn.language,
        detected=spoken,
        is_offered=is_offered,
        query=said.rewritten or read.text,
        terms=terms_of(said, read, reader),
        topic=topic,
        matches=matches,
        is_followup=bool(turn.history) and said.follows,
        wants=wants,
        wants_list=wants == "all",
        parts=tuple(part.text for part in said.parts) if len(said.parts) > 1 else (),
        greeting=GREETED.get(said.kind, "") if intent is Intent.VAGUE_INPUT else "",
        classification=said,
        by_model=not is_own,
        evidence=said.evidence if isinstance(said, OwnClassification) else {},
    )


def meant_by(said: Classification, read: MessageReading) -> tuple[Intent, str]:
    """Return the intent, and the topic that belongs to it.

    Where advice is suspected but not surely asked for, the likeliest need tells the intent.
    """
    if said.is_personal:
        return Intent.OUT_OF_SCOPE_MEDICAL_ADVICE, ""
    if said.kind == "unclear" or (said.kind in GREETED and said.confidence >= SURELY):
        return Intent.VAGUE_INPUT, ""
    intent, topic = COUNTS_AS.get(said.intent, (said.intent, ""))
    if intent == Intent.OUT_OF_SCOPE_MEDICAL_ADVICE:
        intent = Intent(intents()[max(read.needs, key=read.needs.__getitem__)])
    return Intent(intent), topic


def language_of(said: Classification, read: MessageReading) -> str:
    """Return the language to answer in: a model decides where code is hardly sure."""
    is_sure = read.detected.confidence >= OWN_LANGUAGE
    return read.detected.language if is_sure or said.language not in LANGUAGES else said.language


def named(said: Classification, read: MessageReading, reader: MessageReader) -> tuple[Match, ...]:
    """Return what is meant, each once: the things of the rewritten question first, with their place
    in the visitor's words where they stand there."""
    own, language = reader.index.language, read.detected.language
    rewritten = resolve(said.rewritten, reader.index, own) if said.rewritten else ()
    mentioned = (m for each in said.entities for m in resolve(each.said, reader.index, language))
    # On its own, what a later question names is less than what it asks about.
    known: dict[Thing, Match] = {match.thing: match for match in read.matches}
    for match in (*rewritten, *mentioned):
        known.setdefault(match.thing, replace(match, start=0, end=0))
    first = [known[match.thing] for match in rewritten]
    return tuple(dict.fromkeys((*first, *known.values())))


def needs_of(
    said: Classification, read: MessageReading, reader: MessageReader
) -> Mapping[str, float]:
    """Return how likely each need is, by the question that is complete without the conversation."""
    if not (said.follows and said.rewritten):
        return read.needs
    uses = reader.lexicon.read(folded(said.rewritten), reader.index.language)
    return need_chances(get_hearer().heard(said.rewritten), [use.concepts[0].name for use in uses])


def terms_of(said: Classification, read: MessageReading, reader: MessageReader) -> tuple[str, ...]:
    """Return the content words in the pages' language, of a question that a model has put into it
    those of its wording."""
    if isinstance(said, OwnClassification):
        return said.terms
    if not said.rewritten:
        return read.terms
    return reader.terms(folded(said.rewritten), reader.index.language)
