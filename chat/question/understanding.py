"""Read a message (language, words, concepts, entities), and turn a model's classification into its
meaning.

Code classifies by the same reading (`chat.engines.embedded.classify`).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from chat.question.classification import COUNTS_AS, SURELY, Classification, MessageKind
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
from taxonomy.resolvers import Match, ResolverIndex, resolve, resolver_index, with_likely_department
from taxonomy.snapshot import Snapshot
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
            with_likely_department(matches, specialties, self.index) if specialties else matches,
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


#: The kind of reply to a message that asks nothing.
GREETED: Mapping[MessageKind, str] = {
    "greeting": "greeting", "thanks": "thanks", "goodbye": "goodbye", "person_wanted": "person",
    "identity": "identity",
}  # fmt: skip
#: Confidence from which the detected language overrides a model's.
OWN_LANGUAGE = 0.55


def in_language(
    language: str, read: MessageReading, turn: Turn, offered: Collection[str]
) -> Understanding:
    """Return an understanding that only says which language to answer in."""
    if read.detected.is_foreign and language == read.detected.language:
        language = read.detected.written
    is_offered = language in {turn.language, *offered}
    return Understanding(
        language=language if is_offered else turn.language, detected=language, is_offered=is_offered
    )


def understood(classified: Classification, turn: Turn, reader: MessageReader) -> Understanding:
    """Return the meaning of a message by a model's classification.

    Entities never come from a model: resolvers find them in the visitor's words, in the rewritten
    question, and in the model's mentions.
    """
    read = reader.of_turn(turn)
    intent, topic = intent_of(classified, read)
    terms = read.terms
    if classified.rewritten:
        terms = reader.terms(folded(classified.rewritten), reader.index.language)
    wants = classified.parts[0].wants if classified.parts else "other"
    return replace(
        in_language(language_of(classified, read), read, turn, reader.offered),
        intent=intent,
        confidence=classified.confidence,
        query=classified.rewritten or read.text,
        terms=terms,
        topic=topic or topic_of(needs_of(classified, read, reader)),
        matches=entities_of(classified, read, reader),
        is_followup=bool(turn.history) and classified.follows,
        wants=wants,
        wants_list=wants == "all",
        parts=tuple(part.text for part in classified.parts) if len(classified.parts) > 1 else (),
        greeting=GREETED.get(classified.kind, "") if intent is Intent.VAGUE_INPUT else "",
        classification=classified,
        by_model=True,
    )


def intent_of(classified: Classification, read: MessageReading) -> tuple[Intent, str]:
    """Return the intent and its topic.

    If advice is suspected but not certain, the likeliest need decides the intent.
    """
    if classified.is_personal:
        return Intent.OUT_OF_SCOPE_MEDICAL_ADVICE, ""
    if classified.kind == "unclear" or (
        classified.kind in GREETED and classified.confidence >= SURELY
    ):
        return Intent.VAGUE_INPUT, ""
    intent, topic = COUNTS_AS.get(classified.intent, (classified.intent, ""))
    if intent == Intent.OUT_OF_SCOPE_MEDICAL_ADVICE:
        intent = Intent(intents()[max(read.needs, key=read.needs.__getitem__)])
    return Intent(intent), topic


def language_of(classified: Classification, read: MessageReading) -> str:
    """Return the language to answer in; the model decides if code is unsure."""
    is_sure = read.detected.confidence >= OWN_LANGUAGE
    return (
        read.detected.language
        if is_sure or classified.language not in LANGUAGES
        else classified.language
    )


def entities_of(
    classified: Classification, read: MessageReading, reader: MessageReader
) -> tuple[Match, ...]:
    """Return the entities of a message, each once, those of the rewritten question first.

    Their positions are those in the visitor's words; zero for entities not found there.
    """
    own, language = reader.index.language, read.detected.language
    rewritten = resolve(classified.rewritten, reader.index, own) if classified.rewritten else ()
    mentioned = (
        m for each in classified.entities for m in resolve(each.said, reader.index, language)
    )
    known: dict[Thing, Match] = {match.thing: match for match in read.matches}
    for match in (*rewritten, *mentioned):
        known.setdefault(match.thing, replace(match, start=0, end=0))
    first = [known[match.thing] for match in rewritten]
    return tuple(dict.fromkeys((*first, *known.values())))


def needs_of(
    classified: Classification, read: MessageReading, reader: MessageReader
) -> Mapping[str, float]:
    """Return the probability of each need, by the self-contained question."""
    if not (classified.follows and classified.rewritten):
        return read.needs
    uses = reader.lexicon.read(folded(classified.rewritten), reader.index.language)
    return need_chances(
        get_encoder().embed_message(classified.rewritten), [use.concepts[0].name for use in uses]
    )
