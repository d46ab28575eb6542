"""Whoever an answer names exists: in the published taxonomy, or in the source that it cites."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from taxonomy.kinds import Kind
from taxonomy.lexicon import LANGUAGES, Lexicon, lexicon_of
from taxonomy.snapshot import Snapshot
from zol.text import fold, spaced, words

#: Concepts of the lexicon whose words stand before a doctor's or a department's name.
BEFORE_PEOPLE = ("doctor", "specialist")
BEFORE_PLACES = ("department", "ward")
_NEVER = re.compile(r"(?!)(?P<name>)")
_NAME = r"\s+(?P<name>(?:[A-ZÀ-ÞΑ-Ω][\w’'.-]*)(?:[ -](?:[a-z]{2,4} ){0,2}[A-ZÀ-ÞΑ-Ω][\w’'-]*){0,3})"


@dataclass(frozen=True, slots=True)
class NameCheck:
    """Knows the hospital's people and places, and how an answer announces them."""

    people: re.Pattern[str]
    places: re.Pattern[str]
    known: frozenset[str]

    def unknown(self, sentence: str, evidence: str) -> tuple[str, ...]:
        """Return the names in a sentence that neither the taxonomy nor the evidence has."""
        said = spaced(evidence)
        people = (match["name"] for match in self.people.finditer(sentence))
        places = (match["name"] for match in self.places.finditer(sentence))
        strangers = (name for name in people if not all(self._known(capitals(name), said)))
        # Behind a place's name another capital may follow: German writes all nouns with one.
        nowhere = (name for name in places if not any(self._known(capitals(name), said)))
        return (*strangers, *nowhere)

    def _known(self, parts: Iterable[str], said: str) -> Iterable[bool]:
        return (part in self.known or f" {part} " in said for part in parts)


def capitals(name: str) -> tuple[str, ...]:
    """Return the words of a name that begin with a capital: not "van", not "en"."""
    return tuple(word for part in name.split() if not part[0].islower() for word in words(part))


def name_check_of(snapshot: Snapshot) -> NameCheck:
    """Return a version's check; use it through `snapshot.derived(name_check_of)`."""
    lexicon = snapshot.derived(lexicon_of)
    things = snapshot.vocabulary.things
    texts = [text for thing in things for text in (thing.name, *(a.text for a in thing.aliases))]
    known = frozenset(word for text in texts for word in words(text))
    titles = {*titles_of(snapshot), *spoken(lexicon, BEFORE_PEOPLE)}
    # Between two names a title may stand: "Dr. Peeters en Dr. Maes".
    known |= {word for title in titles for word in words(title)}
    return NameCheck(announced(titles), announced(spoken(lexicon, BEFORE_PLACES)), known)


def announced(before: Iterable[str]) -> re.Pattern[str]:
    """Return how names stand behind one of these words."""
    either = "|".join(re.escape(word) for word in sorted(before, key=lambda word: -len(word)))
    return re.compile(rf"\b(?i:{either})\.?{_NAME}") if either else _NEVER


def titles_of(snapshot: Snapshot) -> Iterable[str]:
    """Return the titles that the hospital's doctors bear: "Dr.", "Prof. dr."."""
    titles = {
        doctor.get("title").rstrip(".") for doctor in snapshot.vocabulary.of_kind(Kind.DOCTOR)
    }
    return {title for title in titles if title} | {"Dr", "Prof"}


def spoken(lexicon: Lexicon, concepts: Iterable[str]) -> Iterable[str]:
    for name in concepts:
        if concept := lexicon.concepts.get(name):
            for language in LANGUAGES:
                yield from (word for word in concept.words.get(language, ()) if fold(word))
