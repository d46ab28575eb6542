"""What asks the hospital nothing: thanks, a farewell, who it is that answers, a wish for a human.

None of these is searched for: a word of thanks may be anything, "bedankt voor de uitleg".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from chat.question.cues import GREETINGS, PERSONAL
from chat.question.reader import Reader
from chat.question.words import QuestionWords
from taxonomy.lexicon import FUNCTION

THANKS, GOODBYE = "thanks", "goodbye"
#: Concepts that ask for something: who thanks and asks as well is answered.
ASKING = frozenset(
    {
        "what", "who", "whose", "where", "when", "what_time", "how", "how_much", "how_long",
        "how_often", "why", "which", "can", "may", "must", "want", "search", "necessary",
    }
)  # fmt: skip
#: The concept of what is thanked for, and of whom somebody calls or speaks to.
FOR = "for"
REACHING = frozenset({"call", "contact", "phone_number", "language_word", "staff", "someone"})
#: Kinds of concepts that say nothing of what the hospital is asked.
IDLE = frozenset({FUNCTION, "person", "everyday", "time"})
SYMPTOM = "symptom"
#: Words that are left beside thanks, or beside the wish for a human, at most.
FEW = 2
_ENDS = re.compile(r"[.,!…:\n]+|[;)(]")
#: A question mark; the last is Greek.
_QUESTION = re.compile(r"[?\u037e]|(?<=[\u0370-\u03ff]);\s*$")


def courtesy(read: QuestionWords, reader: Reader) -> str:
    """Return which it is: thanks, goodbye, person or identity; nothing where something is asked,
    or where a title or heading of the hospital is read out."""
    if reader.headings.speak_of([word.folded for word in read.words]):
        return ""
    spoken = _WordMeanings(read, reader)
    return spoken.wish() or spoken.thanks()


class _WordMeanings:
    """A question by its words, and what each of them stands for."""

    def __init__(self, read: QuestionWords, reader: Reader) -> None:
        self.text, self.words, self.said, self.matches = (
            read.text,
            read.words,
            read.said,
            read.named,
        )
        language = read.detected.language
        plain = [word.folded for word in self.words]
        #: The concepts of each word; an expression is all of its words.
        self.concepts: list[set[str]] = [set() for _ in self.words]
        self.kinds: list[set[str]] = [set() for _ in self.words]
        for use in reader.lexicon.read(plain, language):
            for at in range(use.start, use.end):
                self.concepts[at] |= {concept.name for concept in use.concepts}
                self.kinds[at] |= {concept.kind for concept in use.concepts}

    def wish(self) -> str:
        """Return whether a human is asked for, or who answers here, and nothing else is."""
        cues = self.said.of(*PERSONAL)
        taken = {at for cue in cues for at in range(cue.start, cue.end)}
        rest = [at for at in range(len(self.words)) if at not in taken]
        is_all = all(self._is_idle(at, REACHING) for at in rest) and not self._names(rest)
        is_brief = len(self._telling(rest, REACHING)) <= FEW
        return cues[0].kind if cues and is_all and is_brief else ""

    def thanks(self) -> str:
        """Return whether a message thanks or takes leave, and asks nothing."""
        cues = self.said.of(THANKS, GOODBYE)
        if not cues or _QUESTION.search(self.text):
            return ""
        if not all(map(self._is_courteous, self._clauses())):
            return ""
        return max(cue.kind for cue in cues)

    def _clauses(self) -> Iterator[list[int]]:
        clause: list[int] = []
        for at, word in enumerate(self.words):
            if clause and _ENDS.search(self.text[self.words[at - 1].end : word.start]):
                yield clause
                clause = []
            clause.append(at)
        if clause:
            yield clause

    def _is_courteous(self, clause: Sequence[int]) -> bool:
        taken = {at for cue in self.said.of(*GREETINGS) for at in range(cue.start, cue.end)}
        greets = not taken.isdisjoint(clause)
        rest = [at for at in clause if at not in taken]
        if any(not ASKING.isdisjoint(self.concepts[at]) for at in rest):
            return False
        tells = any(SYMPTOM in self.kinds[at] for at in rest)
        if greets and not tells and any(FOR in self.concepts[at] for at in rest):
            return True
        is_idle = all(self._is_idle(at) for at in rest)
        return is_idle and not self._names(rest) and len(self._telling(rest)) <= FEW

    def _telling(self, places: Sequence[int], also: frozenset[str] = frozenset()) -> list[int]:
        return [
            at
            for at in places
            if FUNCTION not in self.kinds[at] and also.isdisjoint(self.concepts[at])
        ]

    def _is_idle(self, at: int, also: frozenset[str] = frozenset()) -> bool:
        """Tell whether a word says nothing of the hospital's matters."""
        kinds = self.kinds[at]
        return not kinds or not IDLE.isdisjoint(kinds) or not also.isdisjoint(self.concepts[at])

    def _names(self, places: Sequence[int]) -> bool:
        """Tell whether something of the hospital is named exactly in these words."""
        starts = {self.words[at].start for at in places}
        return any(match.start in starts and match.confidence >= 1 for match in self.matches)
