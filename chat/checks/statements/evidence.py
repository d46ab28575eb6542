"""What an answer may rest on: numbered documents, and facts of the published taxonomy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from chat.checks.statements.figures import Figure, Figures
from chat.turn import Citation
from zol.text import words


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence or row of a document, with the words above it."""

    text: str
    is_row: bool = False


@dataclass(frozen=True, slots=True)
class Exhibit:
    """One document as the answer may cite it."""

    citation: Citation
    #: What was read of it, with its title and headings.
    text: str
    statements: tuple[Said, ...] = ()

    @property
    def n(self) -> int:
        return self.citation.n

    def windows(self) -> Iterator[str]:
        """Yield what belongs together: a row by itself, a sentence with the one before it."""
        before = ""
        for said in self.statements:
            if said.is_row:
                yield said.text
            else:
                yield f"{before}\n{said.text}"
            before = "" if said.is_row else said.text


@dataclass(frozen=True)
class Evidence:
    """All that an answer may rest on. Immutable; what is read off it is remembered."""

    exhibits: tuple[Exhibit, ...] = ()
    facts: tuple[str, ...] = ()
    #: What the hospital publishes of itself, told or not: its numbers.
    own: tuple[str, ...] = ()
    #: The language of the facts.
    language: str = "nl"
    figures: Figures = field(default_factory=Figures)
    _read: dict[tuple[str, str], tuple[Figure, ...]] = field(
        default_factory=dict, compare=False, repr=False
    )

    @property
    def by_number(self) -> Mapping[int, Exhibit]:
        return {exhibit.n: exhibit for exhibit in self.exhibits}

    def cited(self, numbers: Sequence[int]) -> tuple[Exhibit, ...]:
        known = self.by_number
        return tuple(known[n] for n in numbers if n in known)

    def texts(self, numbers: Sequence[int]) -> tuple[str, ...]:
        """Return the facts, and what was read of the documents with these numbers."""
        return (*self.facts, *self.own, *(exhibit.text for exhibit in self.cited(numbers)))

    def figures_of(self, numbers: Sequence[int]) -> tuple[Figure, ...]:
        """Return the figures of the facts and of these documents, each in its language."""
        told = [(text, self.language) for text in (*self.facts, *self.own)]
        told += [(exhibit.text, exhibit.citation.language) for exhibit in self.cited(numbers)]
        return tuple(
            figure for text, language in told for figure in self.figures_in(text, language)
        )

    def figures_in(self, text: str, language: str) -> tuple[Figure, ...]:
        if (text, language) not in self._read:
            self._read[text, language] = self.figures.read(text, language)
        return self._read[text, language]

    def words_of(self, numbers: Sequence[int]) -> frozenset[str]:
        """Return the folded words of the facts and of these documents."""
        return frozenset(word for text in self.texts(numbers) for word in words(text))
