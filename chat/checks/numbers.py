"""Every figure stands in a cited source; a dose with everything that belongs to it in one place.

A dose was once extrapolated for a child from a table that ended below its age. So where a statement
speaks of a dose, all its figures (age, weight, amount, times a day) must stand together.
"""

from __future__ import annotations

from collections.abc import Mapping

from chat.checks.base import Fault, Statement
from chat.checks.evidence import Evidence
from chat.checks.figures import Figure, phones
from chat.checks.knowledge import Knowledge
from taxonomy.vocabulary import Thing
from zol.text import fold


def figures_stand_in_a_source(
    said: Statement, evidence: Evidence, known: Knowledge
) -> Fault | None:
    """Find a figure that no cited source and no fact contains."""
    figures = known.figures.read(said.text)
    if not figures:
        return None
    texts = evidence.texts(said.cited)
    borne = frozenset().union(*(evidence.figures_in(text) for text in texts))
    invented = [figure.written for figure in figures if not figure.stands_in(borne)]
    return Fault("numbers", f"not in the source: {', '.join(invented)}") if invented else None


def dose_stands_together(said: Statement, evidence: Evidence, known: Knowledge) -> Fault | None:
    """Find a dose whose figures come from different rows or sentences."""
    if known.dose_units.isdisjoint(units_in(said)):
        return None
    figures = known.figures.read(said.text)
    if not figures:
        return None
    cited = [evidence.by_number[n] for n in said.cited if n in evidence.by_number]
    windows = [window for exhibit in cited for window in exhibit.windows()]
    if any(_holds(evidence.figures_in(window), figures) for window in windows):
        return None
    return Fault("numbers", "the dose does not stand so in one place of the source")


def _holds(readings: frozenset[str], figures: tuple[Figure, ...]) -> bool:
    return all(figure.stands_in(readings) for figure in figures)


def units_in(said: Statement) -> frozenset[str]:
    """Return the words of a statement, also those that are written on to a figure: "5ml"."""
    return frozenset(said.words) | {word.lstrip("0123456789.,") for word in said.words}


def phone_belongs(said: Statement, evidence: Evidence, known: Knowledge) -> Fault | None:
    """Find a telephone number of one department or doctor given for another."""
    named = known.named(said.words)
    if not named:
        return None
    for phone in phones(said.plain):
        owners = known.by_phone.get(phone, frozenset())
        if owners and owners.isdisjoint(named) and not stand_together(phone, named, evidence, said):
            return Fault("numbers", f"{phone} is another's telephone number")
    return None


def stand_together(
    phone: str, named: Mapping[str, Thing], evidence: Evidence, said: Statement
) -> bool:
    """Whether a cited page itself gives this number beside one of these names."""
    cited = (evidence.by_number[n] for n in said.cited if n in evidence.by_number)
    beside = [
        fold(statement)
        for exhibit in cited
        for statement in exhibit.statements
        if phone in phones(statement)
    ]
    return any(fold(thing.name) in statement for statement in beside for thing in named.values())
