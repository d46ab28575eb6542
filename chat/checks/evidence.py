"""What an answer may rest on: numbered documents, and facts of the published taxonomy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from chat.checks.figures import Figures
from chat.turn import Citation
from zol.text import words

#: Statements of a document that are read together: a row with the one above and below it.
NEIGHBOURS = 1


@dataclass(frozen=True, slots=True)
class Exhibit:
    """One document as the answer may cite it."""

    citation: Citation
    #: What was read of it, with its title and headings.
    text: str
    #: Its sentences and rows, each with the words above it.
    statements: tuple[str, ...] = ()

    @property
    def n(self) -> int:
        return self.citation.n

    def windows(self) -> tuple[str, ...]:
        """Return each statement with its neighbours, as one text."""
        said = self.statements
        return tuple(
            "\n".join(said[max(0, at - NEIGHBOURS) : at + NEIGHBOURS + 1])
            for at in range(len(said))
        )


@dataclass(frozen=True)
class Evidence:
    """All that an answer may rest on. Immutable; what is read off it is remembered."""

    exhibits: tuple[Exhibit, ...] = ()
    facts: tuple[str, ...] = ()
    figures: Figures = field(default_factory=Figures)
    _read: dict[str, frozenset[str]] = field(default_factory=dict, compare=False, repr=False)

    @property
    def by_number(self) -> Mapping[int, Exhibit]:
        return {exhibit.n: exhibit for exhibit in self.exhibits}

    def texts(self, numbers: Sequence[int]) -> tuple[str, ...]:
        """Return the facts, and what was read of the documents with these numbers."""
        known = self.by_number
        return (*self.facts, *(known[n].text for n in numbers if n in known))

    def figures_in(self, text: str) -> frozenset[str]:
        if text not in self._read:
            self._read[text] = self.figures.readings(text)
        return self._read[text]

    def words_of(self, numbers: Sequence[int]) -> frozenset[str]:
        """Return the folded words of the facts and of these documents."""
        return frozenset(word for text in self.texts(numbers) for word in words(text))
