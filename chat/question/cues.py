"""Words and phrases that give something away about a question: rows that staff edit."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from chat.safety.phrases import PhraseBook, PhraseMatch
from taxonomy.snapshot import SharedValue, Snapshot

ROWS = "chat.cue"
FOLLOWUP = "followup"
GREETINGS = ("greeting", "thanks", "goodbye")
#: Targets of follow-up phrases that are about doctors who were just told: some of them, "van hen",
#: or the one, "zijn nummer".
SOME, ONE = "some", "one"
#: What asks for a human, and who or what it is that answers.
PERSONAL = ("person", "identity")
OTHER_HOSPITAL = "other_hospital_marker"
#: Names of hospitals are the same in every language.
EVERYWHERE = frozenset({OTHER_HOSPITAL})
#: Kinds that this reader looks for; other kinds belong to the safety checks.
READ = frozenset({FOLLOWUP, OTHER_HOSPITAL, *GREETINGS, *PERSONAL})
#: Kind, target, weight and text.
Meaning = tuple[str, str, float, str]


@dataclass(frozen=True, slots=True)
class Cue:
    """A phrase that occurs in a question, from which word up to which."""

    kind: str
    target: str
    text: str
    weight: float
    start: int
    end: int

    def holds(self, other: Cue) -> bool:
        """Tell whether this is longer than another and has its words."""
        is_longer = self.end - self.start > other.end - other.start
        return is_longer and self.start <= other.start and other.end <= self.end


@dataclass(frozen=True, slots=True)
class CueMatches:
    """All cues of a question."""

    cues: tuple[Cue, ...] = ()

    def of(self, *kinds: str) -> tuple[Cue, ...]:
        return tuple(cue for cue in self.cues if cue.kind in kinds)

    def weight(self, *kinds: str) -> float:
        """Return the weight of the strongest cue of some kinds."""
        return max((cue.weight for cue in self.of(*kinds)), default=0.0)


class CueBook:
    """The cues of all languages. Immutable once built."""

    def __init__(self, rows: Iterable[Mapping[str, Any]] = ()) -> None:
        phrases: dict[str, list[tuple[str, Meaning]]] = defaultdict(list)
        for row in rows:
            kind, language, text = str(row["kind"]), str(row["language"]), str(row["text"])
            meaning = (kind, str(row["target"]), float(row["weight"]), text)
            if kind in READ:
                phrases["" if kind in EVERYWHERE else language].append((text, meaning))
        self._books = {language: PhraseBook(found) for language, found in phrases.items()}

    def read(self, words: Sequence[str], *languages: str) -> CueMatches:
        """Return the cues in folded words; a phrase within a longer one does not count again."""
        found = [
            _cue(phrase)
            for language in ("", *dict.fromkeys(languages))
            if language in self._books
            for phrase in self._books[language].find(words)
        ]
        return CueMatches(
            tuple(cue for cue in found if not any(_holds(other, cue) for other in found))
        )


def cue_book_of(snapshot: Snapshot) -> CueBook:
    """Return a version's cues; use it through `snapshot.derived(cue_book_of)`."""
    return _cue_books.of(snapshot.rows_of(ROWS))


_cue_books = SharedValue(CueBook)


def _cue(spoken: PhraseMatch[Meaning]) -> Cue:
    kind, target, weight, text = spoken.meaning
    return Cue(kind, target, text, weight, spoken.start, spoken.end)


def _holds(other: Cue, cue: Cue) -> bool:
    return (other.kind, other.target) == (cue.kind, cue.target) and other.holds(cue)
