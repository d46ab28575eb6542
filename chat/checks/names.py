"""Doctors and departments are only named when the source or the taxonomy's facts name them; nobody
is told that they have an illness."""

from __future__ import annotations

from chat.checks.evidence import Evidence
from chat.checks.knowledge import Knowledge
from chat.checks.statement import Fault, Statement
from zol.text import words


def published_names_are_meant(
    said: Statement, evidence: Evidence, known: Knowledge
) -> Fault | None:
    """Find a department or doctor of this hospital whom the sources do not speak of."""
    named = known.named(said.words)
    if not named:
        return None
    borne: set[str] = set()
    for text in evidence.texts(said.cited):
        borne |= known.named(words(text)).keys()
    strange = [thing.name for key, thing in named.items() if key not in borne]
    return Fault("names", f"not in the source: {strange[0]}") if strange else None


def titled_people_exist(said: Statement, evidence: Evidence, known: Knowledge) -> Fault | None:
    """Find somebody with a title of whose name a part stands in no source and in no fact."""
    names = known.titled(said.plain)
    borne = evidence.called | evidence.words_of(said.cited) if names else frozenset()
    strangers = [name for name in names if not borne.issuperset(capitals(name))]
    return Fault("names", f"nobody here is called {', '.join(strangers)}") if strangers else None


def places_exist(said: Statement, evidence: Evidence, known: Knowledge) -> Fault | None:
    """Find a department of which neither the taxonomy nor a source has any word.

    Behind its name another capital may follow: German writes all nouns with one.
    """
    names = [found["name"] for found in known.places.finditer(said.plain)]
    borne = known.called | evidence.words_of(said.cited) if names else frozenset()
    nowhere = [name for name in names if borne.isdisjoint(capitals(name))]
    return Fault("names", f"no place here is called {', '.join(nowhere)}") if nowhere else None


def capitals(name: str) -> tuple[str, ...]:
    """Return the words of a name that begin with a capital: not "van", not "en"."""
    return tuple(word for part in name.split() if not part[0].islower() for word in words(part))


def no_diagnosis(said: Statement, evidence: Evidence, known: Knowledge) -> Fault | None:
    """Find a diagnosis or a personal instruction about medication."""
    found = next(iter(known.diagnoses.find(said.words)), None)
    return Fault("claims", found.text) if found else None
