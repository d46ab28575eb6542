"""Classify a message with a model: one structured call, validated by code."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime

from chat.phrases import prompts_of
from chat.question.classification import (
    MOST_ENTITIES,
    MOST_PARTS,
    PART,
    REWRITTEN,
    SAID,
    Classification,
    MeantMoment,
    Mention,
    written,
)
from chat.question.content_words import stop_words_of, without_marks
from chat.sources.numbered import conversation_of
from chat.tools import Tools
from chat.turn import Turn
from taxonomy.language.lexicon import FUNCTION, lexicon_of
from taxonomy.resolvers import resolve, resolver_index
from zol.errors import LLMError, UnusableReply
from zol.languages import LANGUAGES
from zol.llm.base import Message, structured_call
from zol.text import fold, spaced, squash, storable, words

logger = logging.getLogger(__name__)
PROMPT = "classify"
#: Minimum letters of a content word, and of one that may match inside another word.
SHORTEST, LONG = 3, 4
#: Cosine threshold for two questions without a common word or concept to mean the same. Of 1,488
#: pairs of examples of one curated answer in two languages 57 % share one, of pairs of different
#: answers 2 %; 95 % of the latter have a cosine below .36 to .47.
ALIKE = 0.45


def classify(turn: Turn, tools: Tools) -> Classification | None:
    """Return the standard tier's classification of a message, after validation; on failure note
    the reason for the trace and leave the message to code."""
    try:
        if tools.models.tier is None:
            raise UnusableReply("No model is configured")
        classified = structured_call(
            tools.models.tier("standard"),
            messages_for(turn, tools),
            Classification,
            name=PROMPT,
            attempts=1,
            limits=tools.models.classify,
            meter=tools.models.meter,
        )
    except LLMError as error:
        logger.warning("Classification failed; falling back", exc_info=True)
        tools.models.failures.append(repr(error))
        return None
    return validated(classified, turn, tools)


def messages_for(turn: Turn, tools: Tools) -> list[Message]:
    """Return the rules that all turns share (for prompt caching), then what changes."""
    profile = tools.snapshot.profile
    values = {"short_name": profile.short_name, "content_language": profile.default_language}
    before = conversation_of(turn, tools)
    sections = (
        f"Now it is {tools.now:%A} {written(tools.now)}. The page is in {turn.language}.",
        f"Conversation:\n{before}" if before else "",
        f"Message: {without_marks(turn.question)}",
    )
    system = tools.snapshot.derived(prompts_of).say(PROMPT, values)
    return [Message("system", system), Message("user", "\n\n".join(filter(None, sections)))]


def validated(classified: Classification, turn: Turn, tools: Tools) -> Classification:
    """Return a classification with values cut to length, without entities, days and a rewritten
    question that the conversation does not support."""
    conversation = "\n".join((turn.question, *(f"{e.question}\n{e.answer}" for e in turn.history)))
    parts = (replace(each, text=cut(each.text, PART)) for each in classified.parts[:MOST_PARTS])
    named = (Mention(cut(each.kind, SAID), cut(each.said, SAID)) for each in classified.entities)
    entities = tuple(each for each in named if occurs(each.said, conversation))[:MOST_ENTITIES]
    classified = replace(
        classified,
        # This order turns NaN into 0.
        confidence=min(max(0.0, classified.confidence), 1.0),
        language=cut(classified.language, SAID),
        rewritten=cut(classified.rewritten, REWRITTEN),
        parts=tuple(part for part in parts if part.text),
        entities=entities,
        moment=moment_of(classified.moment, conversation),
    )
    languages = {turn.language, classified.language} & {*LANGUAGES}
    if is_about(classified.rewritten, conversation, languages, tools):
        return classified
    if tools.corpus.resembles(classified.rewritten, without_marks(turn.question)) >= ALIKE:
        return classified
    return replace(classified, rewritten="", parts=())


def cut(text: str, most: int) -> str:
    return squash(storable(text))[:most].strip()


def occurs(text: str, conversation: str) -> bool:
    """Return whether a text occurs in the conversation; a long one also inside a word."""
    if spaced(text) in spaced(conversation):
        return bool(words(text))
    return len(text) >= LONG and fold(squash(text)) in fold(squash(conversation))


def moment_of(moment: MeantMoment | None, conversation: str) -> MeantMoment | None:
    """Return a moment if it is valid and its words were used; else None."""
    if moment is None or not occurs(moment.said, conversation):
        return None
    try:
        first, last = (datetime.fromisoformat(each) for each in (moment.from_, moment.to))
    except ValueError:
        return None
    if first.tzinfo or last.tzinfo or first >= last:
        return None
    return MeantMoment(written(first), written(last), cut(moment.said, SAID))


def is_about(rewritten: str, conversation: str, languages: Iterable[str], tools: Tools) -> bool:
    """Return whether a rewritten question shares a subject with the conversation."""
    own = tools.snapshot.profile.default_language
    asked = frozenset(subjects(rewritten, own, tools))
    return any(not asked.isdisjoint(subjects(conversation, code, tools)) for code in languages)


def subjects(text: str, language: str, tools: Tools) -> Iterator[str]:
    """Yield the subjects of a text: keys of entities, names of concepts, stems."""
    snapshot = tools.snapshot
    lexicon, stop = snapshot.derived(lexicon_of), stop_words_of(snapshot)
    spelled = words(text)
    for match in resolve(text, snapshot.derived(resolver_index), language):
        yield from (f"{thing.kind}:{thing.key}" for thing in (match.thing, *match.alternatives))
    for use in lexicon.read(spelled, language):
        yield from (concept.name for concept in use.concepts if concept.kind != FUNCTION)
    yield from (
        tools.corpus.stem(word) for word in spelled if len(word) >= SHORTEST and word not in stop
    )
