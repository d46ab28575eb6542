"""A statement with its cited lines and the question: the input of every check."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property

from chat.checking.base import Claim, Line, LineKind, NumberedEvidence
from chat.checking.figures import Figure
from chat.checking.knowledge import Knowledge, key_of
from taxonomy.language.dictionary import likely_languages
from zol.text import word_set, words


@dataclass(frozen=True, slots=True)
class Asked:
    """The question, as far as statements are checked against it."""

    question: str = ""
    #: The visitor's questions: their own statements may be repeated.
    texts: tuple[str, ...] = ()
    #: Language of the answer, and of the hospital's pages.
    language: str = "nl"
    content_language: str = "nl"
    #: The second language of an answer in two.
    others: tuple[str, ...] = ()
    #: Whether code detects a request for advice, so that every statement counts as risky.
    is_risky: bool = False
    #: The moments meant, as texts in the answer's language.
    moments: tuple[str, ...] = ()
    today: date | None = None

    @property
    def told(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((self.question, *self.texts)))

    def answered_by(self, text: str) -> Asked:
        """Return this question with the language of one statement of a bilingual answer."""
        if not self.others:
            return self
        likely = likely_languages(words(text))
        spoken = (code for code in (self.language, *self.others) if code in likely)
        return replace(self, language=next(spoken, self.language))


@dataclass(frozen=True)
class CitedClaim:
    """A claim with its lines. Immutable; derived values are cached."""

    claim: Claim
    #: Its text without clauses that need no line.
    text: str
    lines: tuple[Line, ...]
    evidence: NumberedEvidence
    asked: Asked
    known: Knowledge

    @property
    def language(self) -> str:
        return self.asked.language

    @cached_property
    def told(self) -> tuple[tuple[str, str], ...]:
        """Return the texts of its lines with headings and page titles, each with its language."""
        titles = [(self.evidence.source_of(line).citation.title, line) for line in self.lines]
        return (
            *((line.told, line.language) for line in self.lines),
            *dict.fromkeys((title, line.language) for title, line in titles if title),
        )

    @cached_property
    def now(self) -> tuple[tuple[str, str], ...]:
        """Return the current state, and the moments meant."""
        lines = (line for source in self.evidence.sources for line in source.lines)
        moment = ((each.text, each.language) for each in lines if each.kind is LineKind.MOMENT)
        return (*moment, *((text, self.language) for text in self.asked.moments))

    @cached_property
    def words(self) -> tuple[str, ...]:
        return words(self.text)

    @cached_property
    def figures(self) -> tuple[Figure, ...]:
        return self.known.figures.read(self.text, self.language)

    @cached_property
    def line_figures(self) -> tuple[Figure, ...]:
        return self.figures_in(self.told)

    @cached_property
    def asked_figures(self) -> tuple[Figure, ...]:
        return self.figures_in((text, self.language) for text in self.asked.told)

    def figures_in(self, texts: Iterable[tuple[str, str]]) -> tuple[Figure, ...]:
        read = self.known.figures.read
        return tuple(figure for text, language in texts for figure in read(text, language))

    @cached_property
    def borne(self) -> frozenset[str]:
        """Return the folded words of its lines."""
        return frozenset().union(*(word_set(text) for text, _ in self.told))

    @cached_property
    def asked_words(self) -> frozenset[str]:
        return frozenset().union(*map(word_set, self.asked.told))

    @cached_property
    def named(self) -> frozenset[str]:
        """Return the keys of the departments and doctors that it names."""
        return frozenset(self.known.named(self.words))

    @cached_property
    def named_above(self) -> frozenset[str]:
        """Return the keys of the entities that its lines name or describe."""
        owners = {owner for line in self.lines for owner in line.owners}
        return frozenset(owners.union(*(self.known.named(words(text)) for text, _ in self.told)))

    def campuses_in(self, *texts: str) -> frozenset[str]:
        found = (self.known.campuses.find(words(text)) for text in texts)
        return frozenset(key_of(each.meaning) for matches in found for each in matches)
