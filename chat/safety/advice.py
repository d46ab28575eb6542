"""Tell requests for personal medical advice, and questions about other hospitals.

Advice is told by whole phrases, which staff edit, and by what was learned from labelled questions
(`chat/defaults/advice.md`): it weighs the encoder's vectors of a message. What a page tells
everybody is no personal advice, whatever medicine or complaint it names.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from math import exp
from pathlib import Path

import numpy as np

from chat.safety.phrases import PhraseBook, read, rows_of, rows_of_kind
from retrieval.embedding import get_hearer
from retrieval.vectors import Matrix
from taxonomy.kinds import Kind
from taxonomy.lexicon import lexicon_of
from taxonomy.publishing.snapshot import Snapshot
from taxonomy.tokens import folded

ROWS, FILE = "chat.advicephrase", "advice"
#: Kinds of rows: whole phrases of a request, and names of medicines.
PHRASE, MEDICINE = "advice", "med"
WEIGHTS = Path(__file__).parent.parent / "defaults" / "advice.npz"
#: The chance from which a question is not answered, and words that may stand in a phrase.
BLOCKS, GAP = 0.35, 2
#: Cues that name other hospitals, and words around them by their target.
CUES, CUE_FILE, MARKER, AROUND = "chat.cue", "cues", "other_hospital_marker", "hospital_word"
NAME, NOUN, TOWN, YOURS = "", "noun", "town", "yours"
#: A name of less weight may be that of several; words between a hospital and its town; the
#: shortest word of a place.
SURE, NEAR, SHORTEST = 3.0, 4, 4


@dataclass(frozen=True, slots=True)
class Advice:
    """The probability that personal advice is asked for, and the phrase that asks."""

    confidence: float = 0.0
    evidence: tuple[str, ...] = ()
    is_of_medicine: bool = False

    @property
    def blocks(self) -> bool:
        return self.confidence >= BLOCKS


@dataclass(frozen=True)
class AdviceCues:
    """The phrases that ask for advice, and the names of medicines."""

    phrases: PhraseBook[str]
    medicines: PhraseBook[str]

    def check(self, text: str) -> Advice:
        """Return how likely a text asks for personal advice."""
        words = read(text).words
        is_of_medicine = any(self.medicines.find(words))
        for phrase in self.phrases.find(words):
            said = " ".join(words[phrase.start : phrase.end])
            return Advice(1.0, (said,), is_of_medicine)
        return Advice(chance_of(text) if words else 0.0, (), is_of_medicine)


def chance_of(text: str) -> float:
    """Return the learned probability that a text asks for personal advice."""
    weights, bias = _learned()
    odds = float(vector_of(text) @ weights) + bias
    return round(1 / (1 + exp(-odds)), 3)


def vector_of(text: str) -> Matrix:
    """Return the features of that probability: the vectors of meaning and of answers."""
    # The encoder reads what is shouted in capitals as names.
    said, encoder = text.lower() if text.isupper() else text, get_hearer()
    return np.concatenate((encoder.heard(said), encoder.embed_query(said)))


@cache
def _learned() -> tuple[Matrix, float]:
    with np.load(WEIGHTS) as file:
        return file["weights"].astype(np.float32), float(file["bias"])


def advice_cues_of(snapshot: Snapshot) -> AdviceCues:
    """Return a version's phrases; use it through `snapshot.derived(advice_cues_of)`."""
    said = [(str(row["text"]), row) for row in rows_of(snapshot, ROWS, FILE)]
    phrases = [(text, text) for text, row in said if row["role"] == "phrase"]
    return AdviceCues(
        PhraseBook(phrases, gap=GAP),
        PhraseBook((text, text) for text, row in said if row["kind"] == MEDICINE),
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
        said = frozenset(words)
        return said <= self.full or said <= self.short | self.places


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
    said = [profile.address, *(text for t in campuses for text in (t.name, t.get("city")))]
    said += (alias.text for thing in campuses for alias in thing.aliases)
    places = {word for text in said for word in folded(text)} - general
    return Elsewhere(
        PhraseBook(cues),
        frozenset(folded(profile.short_name)),
        frozenset(folded(f"{profile.name} {profile.short_name}")),
        frozenset(w for w in places if len(w) >= SHORTEST and w.isalpha() and not lexicon.knows(w)),
    )
