"""Whether a question is about another hospital: by its name, or by a town that is not ours. One
without a name ("ik had foto's in een ander ziekenhuis") is where somebody comes from.

"Het ziekenhuis in Lanaken" is ours where a campus is called so or stands there; the same words with
another town are not. Names, nouns, towns and words for "your" are cues, which staff edit.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from chat.safety.rows import rows_of_kind
from chat.safety.slots import SlotBook, SlotMatch
from taxonomy import dictionary
from taxonomy.kinds import Kind
from taxonomy.lexicon import lexicon_of
from taxonomy.snapshot import Snapshot
from taxonomy.tokens import Token, folded, normalise, tokens

ROWS, FILE = "chat.cue", "cues"
#: Cues that name others, and cues of words around them.
MARKER, AROUND = "other_hospital_marker", "hospital_word"
#: What a cue is: the name of a hospital; a word for a hospital; a town; "your".
NAME, NOUN, TOWN, YOURS = "", "noun", "town", "yours"
#: A name of this weight is that of one hospital only.
CERTAIN = 3.0
#: Words between a hospital and its town or name.
NEAR = 4
SHORTEST = 4


@dataclass(frozen=True, slots=True)
class HospitalNames:
    """The words by which the hospital, its campuses and their towns are called."""

    names: frozenset[str]
    places: frozenset[str]
    #: All words of its full and short name: a list of hospitals may well name this one too.
    full_name: frozenset[str] = frozenset()


class Elsewhere:
    """Tells questions about other hospitals. Immutable once built."""

    def __init__(self, rows: Iterable[Mapping[str, Any]], ours: HospitalNames) -> None:
        self._cues = SlotBook((_sort(row), str(row["language"]), str(row["text"])) for row in rows)
        self._ours = ours

    def check(self, text: str) -> bool:
        """Tell whether a question is about a hospital that is not ours."""
        said = tokens(normalise(text))
        words = tuple(token.folded for token in said)
        found = self._cues.find(words)
        named = [
            one
            for one in found
            if one.slot == NAME and not self._is_ours(words[one.start : one.end])
        ]
        if self._names_us(words, named):
            return False
        if named:
            return True
        nouns = [one for one in found if one.slot == NOUN]
        if self._is_about_us(words, nouns, found):
            return False
        towns = [
            one
            for one in found
            if one.slot == TOWN and not self._is_ours(words[one.start : one.end])
        ]
        return any(_is_near(noun, town) for noun in nouns for town in towns) or any(
            self._is_named(noun, said) for noun in nouns
        )

    def _is_ours(self, words: Iterable[str]) -> bool:
        ours = self._ours
        said = frozenset(words)
        return said <= ours.places | ours.names or said <= ours.full_name

    def _names_us(self, words: tuple[str, ...], others: list[SlotMatch]) -> bool:
        inside = {at for one in others for at in range(one.start, one.end)}
        return any(word in self._ours.names for at, word in enumerate(words) if at not in inside)

    def _is_about_us(
        self, words: tuple[str, ...], nouns: list[SlotMatch], found: list[SlotMatch]
    ) -> bool:
        yours = [one for one in found if one.slot == YOURS]
        if any(_is_near(noun, own) for noun in nouns for own in yours):
            return True
        return any(
            word in self._ours.places
            for noun in nouns
            for word in words[max(0, noun.start - 2) : noun.end + NEAR]
        )

    def _is_named(self, noun: SlotMatch, said: tuple[Token, ...]) -> bool:
        """Tell whether a proper name stands beside a word for a hospital: "Jessa Ziekenhuis"."""
        beside = [*said[max(1, noun.start - 1) : noun.start], *said[noun.end : noun.end + 1]]
        return any(
            token.text[0].isupper()
            and not token.text.isupper()
            and not dictionary.has(token.folded)
            and token.folded not in self._ours.places
            for token in beside
        )


def _sort(row: Mapping[str, Any]) -> str:
    """Return what a cue is; a name that could be that of several counts as a word for one."""
    target = str(row["target"] or NAME)
    return NOUN if target == NAME and float(row["weight"]) < CERTAIN else target


def _is_near(one: SlotMatch, other: SlotMatch) -> bool:
    return max(one.start, other.start) - min(one.end, other.end) <= NEAR


def elsewhere_of(snapshot: Snapshot) -> Elsewhere:
    """Return a version's detector; use it through `snapshot.derived(elsewhere_of)`."""
    rows = [
        row for kind in (MARKER, AROUND) for row in rows_of_kind(snapshot, ROWS, FILE, kind=kind)
    ]
    return Elsewhere(rows, _ours(snapshot, rows))


def _ours(snapshot: Snapshot, rows: Iterable[Mapping[str, Any]]) -> HospitalNames:
    profile, lexicon = snapshot.profile, snapshot.derived(lexicon_of)
    general = {
        word for row in rows if row["target"] in (NOUN, YOURS) for word in folded(row["text"])
    }
    places = set(folded(profile.address))
    for thing in snapshot.vocabulary.things:
        if thing.kind is Kind.CAMPUS:
            spoken = (thing.name, thing.get("city"), *(alias.text for alias in thing.aliases))
            places.update(word for text in spoken for word in folded(text))
    return HospitalNames(
        names=frozenset(folded(profile.short_name)),
        full_name=frozenset((*folded(profile.name), *folded(profile.short_name))),
        places=frozenset(
            word
            for word in places - general
            if len(word) >= SHORTEST and not lexicon.knows(word) and not word.isdigit()
        ),
    )
