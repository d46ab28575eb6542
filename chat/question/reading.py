"""A message as code reads it once, for both engines: language, words, concepts and things named."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from chat.question.content_words import without_marks
from chat.question.language import LanguageVerdict, detect
from chat.question.networks import need_chances, read_message
from chat.turn import Turn
from retrieval.embedding import get_hearer
from retrieval.vectors import Matrix
from taxonomy.lexicon import Lexicon, Use, lexicon_of
from taxonomy.needs import topics
from taxonomy.publishing.snapshot import Snapshot
from taxonomy.resolvers import Match, ResolverIndex, resolve, resolver_index, with_led
from taxonomy.tokens import folded, join, normalise

#: The chance of the needs of a topic from which it is what is asked about.
LIKELY = 0.5
#: Messages that a version remembers: a turn and the next one ask for the same.
REMEMBERED = 512


@dataclass(frozen=True, slots=True, eq=False)
class MessageReading:
    """One message, read but not yet classified."""

    text: str
    detected: LanguageVerdict
    #: Folded words, and what of the lexicon they stand for.
    words: tuple[str, ...]
    uses: tuple[Use, ...]
    #: What is named, with the department that the message leads to where none is named.
    matches: tuple[Match, ...]
    #: Content words in the pages' language.
    terms: tuple[str, ...]
    #: The encoder's vector, and the chance of each need.
    vector: Matrix
    needs: Mapping[str, float]

    @property
    def concepts(self) -> tuple[str, ...]:
        return tuple(use.concepts[0].name for use in self.uses)

    @property
    def topic(self) -> str:
        """Return the topic of the likeliest needs; empty where none is likely."""
        return topic_of(self.needs)


class MessageReader:
    """Reads messages to one hospital. Immutable once built, but for what it remembers."""

    def __init__(self, index: ResolverIndex, lexicon: Lexicon, us: frozenset[str]) -> None:
        self.index, self.lexicon, self._us = index, lexicon, us
        self._read = lru_cache(maxsize=REMEMBERED)(self._anew)

    def read(self, question: str, language: str) -> MessageReading:
        """Read a message; `language` is the one expected."""
        return self._read(normalise(without_marks(question)), language)

    def of_turn(self, turn: Turn) -> MessageReading:
        """Read a turn's question; it is expected in the language of the question before."""
        expected = turn.language
        for earlier in turn.history[-1:]:
            expected = detect(earlier.question, turn.language, self.index).language
        return self.read(turn.question, expected)

    def terms(self, words: Sequence[str], language: str) -> tuple[str, ...]:
        """Return the content words of folded words in the pages' language, each once."""
        own = [word for word in words if word not in self._us]
        return tuple(dict.fromkeys(self.lexicon.translate(own, language, self.index.language)))

    def _anew(self, text: str, expected: str) -> MessageReading:
        detected = detect(text, expected, self.index)
        language, words = detected.language, folded(text)
        specialties = read_message(text).specialties if text else {}
        matches = resolve(text, self.index, language)
        uses = self.lexicon.read(words, language)
        vector = get_hearer().heard(text)
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
    return MessageReader(snapshot.derived(resolver_index), snapshot.derived(lexicon_of), us)


def topic_of(needs: Mapping[str, float]) -> str:
    """Return the topic whose needs are likely together; empty where none is."""
    chances: dict[str, float] = {}
    for need, chance in needs.items():
        if topic := topics().get(need):
            chances[topic] = chances.get(topic, 0.0) + chance
    best = max(chances, key=chances.__getitem__, default="")
    return best if chances.get(best, 0.0) >= LIKELY else ""
