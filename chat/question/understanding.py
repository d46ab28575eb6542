"""Read a message (language, words, concepts, names) and understand it by its classification.

Both engines share what is read; the classification is that of either engine.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from chat.question.classification import (
    COUNTS_AS,
    SURELY,
    Classification,
    MessageKind,
    OwnClassification,
)
from chat.question.content_words import without_marks
from chat.question.language import LanguageVerdict, detect
from chat.question.networks import need_chances, read_message
from chat.turn import Turn, Understanding
from retrieval.embedding import get_encoder
from retrieval.intents import Intent
from retrieval.vectors import Matrix
from taxonomy.facts.needs import intents, topics
from taxonomy.language.lexicon import Lexicon, Use, lexicon_of
from taxonomy.language.tokens import folded, join, normalise
from taxonomy.publishing.snapshot import Snapshot
from taxonomy.resolvers import Match, ResolverIndex, resolve, resolver_index, with_led
from taxonomy.vocabulary import Thing
from zol.languages import LANGUAGES

#: Minimum total probability of a topic's needs.
LIKELY = 0.5
#: Cached messages per version: a turn and the next one need the same.
REMEMBERED = 512


@dataclass(frozen=True, slots=True, eq=False)
class MessageReading:
    """A message that was read but not classified."""

    text: str
    detected: LanguageVerdict
    #: Folded words, and their uses in the lexicon.
    words: tuple[str, ...]
    uses: tuple[Use, ...]
    #: Named entities, or the inferred department if none is named.
    matches: tuple[Match, ...]
    #: Content words in the pages' language.
    terms: tuple[str, ...]
    #: The encoder's vector, and the probability of each need.
    vector: Matrix
    needs: Mapping[str, float]

    @property
    def concepts(self) -> tuple[str, ...]:
        return tuple(use.concepts[0].name for use in self.uses)

    @property
    def topic(self) -> str:
        """Return the topic of the likeliest needs; empty if none is likely."""
        return topic_of(self.needs)


class MessageReader:
    """Reads messages to one hospital, with a cache."""

    def __init__(
        self, index: ResolverIndex, lexicon: Lexicon, us: frozenset[str], offered: Collection[str]
    ) -> None:
        self.index, self.lexicon, self._us = index, lexicon, us
        #: The languages that the hospital answers in.
        self.offered = offered
        self._read = lru_cache(maxsize=REMEMBERED)(self._anew)

    def read(self, question: str, language: str) -> MessageReading:
        """Read a message; `language` is the expected one."""
        return self._read(normalise(without_marks(question)), language)

    def of_turn(self, turn: Turn) -> MessageReading:
        """Read a turn's question; the language of the previous question is expected."""
        expected = turn.language
        for earlier in turn.history[-1:]:
            expected = detect(earlier.question, turn.language, self.index).language
        return self.read(turn.question, expected)

    def terms(self, words: Sequence[str], language: str) -> tuple[str, ...]:
        """Return the content words in the pages' language, each once."""
        own = [word for word in words if word not in self._us]
        return tuple(dict.fromkeys(self.lexicon.translate(own, language, self.index.language)))

    def _anew(self, text: str, expected: str) -> MessageReading:
        detected = detect(text, expected, self.index)
        language, words = detected.language, folded(text)
        specialties = read_message(text).specialties if text else {}
        matches = resolve(text, self.index, language)
        uses = self.lexicon.read(words, language)
        vector = get_encoder().embed_message(text)
        return MessageReading(
            text,
            detected,
            tuple(words),
            uses,
            with_led(matches, specialties, self.index) if specialties else matches,
            self.terms(words, language),
            vector,
            need_chances(vector, [use.concepts[0].name for use in uses]),
        )


def message_reader_of(snapshot: Snapshot) -> MessageReader:
    """Return a version's reader; use it through `snapshot.derived`."""
    profile = snapshot.profile
    us = frozenset(join(folded(name)) for name in (profile.short_name, profile.name) if name)
    offered = profile.languages or LANGUAGES
    index, lexicon = snapshot.derived(resolver_index), snapshot.derived(lexicon_of)
    return MessageReader(index, lexicon, us, offered)


def topic_of(needs: Mapping[str, float]) -> str:
    """Return the topic whose needs are likely together; empty if none is."""
    chances: dict[str, float] = {}
    for need, chance in needs.items():
        if topic := topics().get(need):
            chances[topic] = chances.get(topic, 0.0) + chance
    best = max(chances, key=chances.__getitem__, default="")
    return best if chances.get(best, 0.0) >= LIKELY else ""


#: Messages without a question, by their text kinds.
GREETED: Mapping[MessageKind, str] = {
    "greeting": "greeting", "thanks": "thanks", "goodbye": "goodbye", "person_wanted": "person",
    "identity": "identity",
}  # fmt: skip
#: Confidence of code from which its language overrides a model's.
OWN_LANGUAGE = 0.55


def understood(said: Classification, turn: Turn, reader: MessageReader) -> Understanding:
    """Return the meaning of a message by its classification.

    Entities never come from a model: resolvers find them in the visitor's words, in the rewritten
    question, and in the model's mentions.
    """
    read = reader.of_turn(turn)
    intent, topic = meant_by(said, read)
    spoken = language_of(said, read)
    if read.detected.is_foreign and spoken == read.detected.language:
        spoken = read.detected.written
    is_offered = spoken in {turn.language, *reader.offered}
    own = said if isinstance(said, OwnClassification) else None
    if own:
        matches, terms, topic = own.matches, own.terms, topic or own.topic
    else:
        matches, terms = named(said, read, reader), read.terms
        if said.rewritten:
            terms = reader.terms(folded(said.rewritten), reader.index.language)
        topic = topic or topic_of(needs_of(said, read, reader))
    wants = said.parts[0].wants if said.parts else "other"
    return Understanding(
        intent=intent,
        confidence=said.confidence,
        language=spoken if is_offered else turn.language,
        detected=spoken,
        is_offered=is_offered,
        query=said.rewritten or read.text,
        terms=terms,
        topic=topic,
        matches=matches,
        is_followup=bool(turn.history) and said.follows,
        wants=wants,
        wants_list=wants == "all",
        parts=tuple(part.text for part in said.parts) if len(said.parts) > 1 else (),
        greeting=GREETED.get(said.kind, "") if intent is Intent.VAGUE_INPUT else "",
        classification=said,
        by_model=own is None,
        evidence=own.evidence if own else {},
    )


def meant_by(said: Classification, read: MessageReading) -> tuple[Intent, str]:
    """Return the intent and its topic.

    If advice is suspected but not certain, the likeliest need decides the intent.
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
    """Return the language to answer in; the model decides if code is unsure."""
    is_sure = read.detected.confidence >= OWN_LANGUAGE
    return read.detected.language if is_sure or said.language not in LANGUAGES else said.language


def named(said: Classification, read: MessageReading, reader: MessageReader) -> tuple[Match, ...]:
    """Return the entities meant, each once: those of the rewritten question first, with their place
    in the visitor's words if they occur there."""
    own, language = reader.index.language, read.detected.language
    rewritten = resolve(said.rewritten, reader.index, own) if said.rewritten else ()
    mentioned = (m for each in said.entities for m in resolve(each.said, reader.index, language))
    # A follow-up's own entities are fewer than the question's.
    known: dict[Thing, Match] = {match.thing: match for match in read.matches}
    for match in (*rewritten, *mentioned):
        known.setdefault(match.thing, replace(match, start=0, end=0))
    first = [known[match.thing] for match in rewritten]
    return tuple(dict.fromkeys((*first, *known.values())))


def needs_of(
    said: Classification, read: MessageReading, reader: MessageReader
) -> Mapping[str, float]:
    """Return the probability of each need, by the self-contained question."""
    if not (said.follows and said.rewritten):
        return read.needs
    uses = reader.lexicon.read(folded(said.rewritten), reader.index.language)
    return need_chances(
        get_encoder().embed_message(said.rewritten), [use.concepts[0].name for use in uses]
    )
