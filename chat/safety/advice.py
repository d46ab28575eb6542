"""Detect requests for personal medical advice, names of medicines, and other hospitals.

Phrases are rows that staff edit. A small network scores all other messages (`advice_chance` in
`chat/question/networks.py`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from chat.safety.phrases import PhraseBook, read, rows_of, rows_of_kind
from taxonomy.language.lexicon import lexicon_of
from taxonomy.language.tokens import folded
from taxonomy.snapshot import Snapshot
from taxonomy.vocabulary import Kind

ROWS, FILE = "chat.advicephrase", "advice"
#: Row kinds: whole phrases of a request, and names of medicines.
PHRASE, MEDICINE = "advice", "med"
#: Maximum gap in a phrase.
GAP = 2
#: Cues of other hospitals: their names, and by target the words around a name.
CUES, CUE_FILE, MARKER, AROUND = "chat.cue", "cues", "other_hospital_marker", "hospital_word"
NAME, NOUN, TOWN, YOURS = "", "noun", "town", "yours"
#: Weight below which a name is ambiguous; maximum words between a hospital and its town; minimum
#: letters of a place.
SURE, NEAR, SHORTEST = 3.0, 4, 4


@dataclass(frozen=True, slots=True)
class Advice:
    """The phrase of a message that asks for advice, and whether it names a medicine."""

    phrase: str = ""
    is_of_medicine: bool = False


@dataclass(frozen=True)
class AdviceCues:
    """The phrases that ask for advice, and the names of medicines."""

    phrases: PhraseBook[str]
    medicines: PhraseBook[str]

    def check(self, text: str) -> Advice:
        """Return the first phrase that asks for advice, and whether a medicine is named."""
        words = read(text).words
        found = next(iter(self.phrases.find(words)), None)
        phrase = " ".join(words[found.start : found.end]) if found else ""
        return Advice(phrase, any(self.medicines.find(words)))


def advice_cues_of(snapshot: Snapshot) -> AdviceCues:
    """Return a version's phrases; use it through `snapshot.derived(advice_cues_of)`."""
    rows = [(str(row["text"]), row) for row in rows_of(snapshot, ROWS, FILE)]
    phrases = [(text, text) for text, row in rows if row["role"] == "phrase"]
    return AdviceCues(
        PhraseBook(phrases, gap=GAP),
        PhraseBook((text, text) for text, row in rows if row["kind"] == MEDICINE),
    )


@dataclass(frozen=True)
class Elsewhere:
    """Names of other hospitals, words for hospitals, towns, and our own names and places."""

    cues: PhraseBook[str]
    short: frozenset[str]
    full: frozenset[str]
    places: frozenset[str]

    def check(self, text: str) -> bool:
        """Return whether a question is about another hospital."""
        words = folded(text)
        found = list(self.cues.find(words))
        named, towns = (
            [m for m in found if m.meaning == sort and not self._is_ours(words[m.start : m.end])]
            for sort in (NAME, TOWN)
        )
        inside = {at for m in named for at in range(m.start, m.end)}
        if named:
            return not any(w in self.short for at, w in enumerate(words) if at not in inside)
        nouns, yours = ([m for m in found if m.meaning == sort] for sort in (NOUN, YOURS))
        is_here = bool(yours) or not (self.short | self.places).isdisjoint(words)
        near = (max(n.start, t.start) - min(n.end, t.end) <= NEAR for n in nouns for t in towns)
        return not is_here and any(near)

    def _is_ours(self, words: Iterable[str]) -> bool:
        named = frozenset(words)
        return named <= self.full or named <= self.short | self.places


def elsewhere_of(snapshot: Snapshot) -> Elsewhere:
    """Return the detector of other hospitals; use it through `snapshot.derived(elsewhere_of)`."""
    cues = [
        (str(row["text"]), str(row["target"]) or (NAME if float(row["weight"]) >= SURE else NOUN))
        for kind in (MARKER, AROUND)
        for row in rows_of_kind(snapshot, CUES, CUE_FILE, kind=kind)
    ]
    profile, lexicon = snapshot.profile, snapshot.derived(lexicon_of)
    general = {word for text, sort in cues if sort in (NOUN, YOURS) for word in folded(text)}
    campuses = [t for t in snapshot.vocabulary.things if t.kind is Kind.CAMPUS]
    own = [profile.address, *(text for t in campuses for text in (t.name, t.get("city")))]
    own += (alias.text for thing in campuses for alias in thing.aliases)
    places = {word for text in own for word in folded(text)} - general
    return Elsewhere(
        PhraseBook(cues),
        frozenset(folded(profile.short_name)),
        frozenset(folded(f"{profile.name} {profile.short_name}")),
        frozenset(w for w in places if len(w) >= SHORTEST and w.isalpha() and not lexicon.knows(w)),
    )
