"""What lets a model's words through to the patient: whole statements, each checked first.

Words are held back until their statement is complete. So nothing unsafe is ever seen, not even for
the moment that a retraction takes; the price is one sentence's delay.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from chat.checks.evidence import Evidence
from chat.checks.faults import faults_of, opens
from chat.checks.knowledge import Knowledge
from chat.checks.statement import Fault, Statement

#: A sentence ends here, with its citations: white space follows and something new begins.
_END = re.compile(r"(?<=[.!?…])((?:\s*\[\d+\])*)\s+(?=[^\s\[])|(?<=\])[.!?]?\s+(?=[^\s\[])")
#: Full stops that end no sentence: titles, initials, abbreviations of one to three letters.
_ABBREVIATION = re.compile(
    r"(?:^|[\s(])(?:[^\W\d_]{1,2}|[Pp]rof|[Tt]el|[Dd]ott|[Nn]r|bijv|bv|ca|max|min)\.$"
)


@dataclass(frozen=True, slots=True)
class Removed:
    """A statement that did not reach the patient, and why."""

    text: str
    fault: Fault


class Sieve:
    """Takes pieces of an answer, gives back what may be shown. One answer, one sieve."""

    def __init__(self, evidence: Evidence, knowledge: Knowledge, language: str) -> None:
        self._evidence, self._known, self._language = evidence, knowledge, language
        self._buffer = ""
        #: Sentences of this paragraph that still wait for a citation.
        self._waiting: list[Statement] = []
        #: A heading or lead-in is shown with what it opens, or not at all.
        self._opening: list[str] = []
        self._separator = ""
        self.removed: list[Removed] = []
        self.kept: list[str] = []

    @property
    def text(self) -> str:
        return "".join(self.kept)

    def feed(self, piece: str) -> Iterator[str]:
        """Take a piece; yield what has become safe to show."""
        self._buffer += piece
        while "\n" in self._buffer:
            line, self._buffer = self._buffer.split("\n", 1)
            yield from self._end_line(line)
        *whole, self._buffer = sentences(self._buffer)
        for sentence in whole:
            yield from self._take(sentence)

    def finish(self) -> Iterator[str]:
        """Take what is left at the end of the answer."""
        line, self._buffer = self._buffer, ""
        yield from self._end_line(line)

    def _end_line(self, line: str) -> Iterator[str]:
        for sentence in sentences(line):
            yield from self._take(sentence)
        yield from self._settle(())
        if line.strip() or self.kept:
            self._separator = "\n\n" if not line.strip() else self._separator or "\n"

    def _take(self, sentence: str) -> Iterator[str]:
        said = Statement(sentence.strip(), language=self._language)
        if not said.text:
            return
        if opens(said):
            yield from self._settle(())
            self._opening.append(self._separator + said.text)
            self._separator = "\n" if said.text.startswith("#") else " "
            return
        self._waiting.append(said)
        if said.marks:
            yield from self._settle(said.marks)

    def _settle(self, marks: tuple[int, ...]) -> Iterator[str]:
        """Judge the sentences that waited: those without a citation lean on the next one's."""
        waiting, self._waiting = self._waiting, []
        for said in waiting:
            fault = self._fault(said, marks)
            if fault:
                self.removed.append(Removed(said.text, fault))
                continue
            shown = "".join((*self._opening, self._separator, said.text))
            self._opening, self._separator = [], " "
            shown = shown if self.kept else shown.lstrip()
            self.kept.append(shown)
            yield shown

    def _fault(self, said: Statement, marks: tuple[int, ...]) -> Fault | None:
        """Judge by its own citations, or by nothing but the facts, or by the next one's."""
        # What stands above a statement belongs to it: "Kinderen van 11 jaar:" and then a dose.
        whole = replace(said, text="\n".join((*map(str.strip, self._opening), said.text)))
        faults = faults_of(whole, self._evidence, self._known)
        fault = next(faults, None)
        if fault and marks and not said.marks:
            faults = faults_of(replace(whole, inherited=marks), self._evidence, self._known)
            fault = next(faults, None)
        return fault


def sentences(text: str) -> list[str]:
    """Return the sentences of a line, each with its citations; the last may be unfinished."""
    found, start = [], 0
    for end in _END.finditer(text):
        so_far = text[start : end.start()]
        if _ABBREVIATION.search(so_far):
            continue
        found.append(text[start : end.end()].rstrip())
        start = end.end()
    return [*found, text[start:]]
