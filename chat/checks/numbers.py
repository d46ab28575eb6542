"""Every figure stands in a cited source; a dose with everything that belongs to it in one place.

A dose was once extrapolated for a child from a table that ended below its age. So where a statement
speaks of a dose, all its figures (age, weight, amount, times a day) must stand together.
"""

from __future__ import annotations

from collections.abc import Mapping

from chat.checks.evidence import Evidence
from chat.checks.figures import are_borne, unborne
from chat.checks.knowledge import Knowledge
from chat.checks.statement import Fault, Statement
from taxonomy.vocabulary import Thing
from zol import phones
from zol.text import fold


def figures_stand_in_a_source(
    said: Statement, evidence: Evidence, known: Knowledge
) -> Fault | None:
    """Find a figure that no cited source and no fact contains."""
    figures = known.figures.read(said.text, said.written_in)
    invented = unborne(figures, evidence.figures_of(said.cited)) if figures else ()
    return Fault("numbers", f"not in the source: {', '.join(invented)}") if invented else None


def dose_stands_together(said: Statement, evidence: Evidence, known: Knowledge) -> Fault | None:
    """Find a dose whose figures come from different rows or sentences."""
    figures = known.figures.read(said.text, said.written_in)
    if not any(figure.unit in known.dose_units for figure in figures):
        return None
    windows = (
        evidence.figures_in(window, exhibit.citation.language)
        for exhibit in evidence.cited(said.cited)
        for window in exhibit.windows()
    )
    if any(are_borne(figures, window) for window in windows):
        return None
    return Fault("numbers", "the dose does not stand so in one place of the source")


def phone_belongs(said: Statement, evidence: Evidence, known: Knowledge) -> Fault | None:
    """Find a telephone number of one department or doctor given for another."""
    named = known.named(said.words)
    if not named:
        return None
    for phone in phones.numbers(said.plain):
        owners = known.by_phone.get(phone, frozenset())
        if owners and owners.isdisjoint(named) and not stand_together(phone, named, evidence, said):
            return Fault("numbers", f"{phone} is another's telephone number")
    return None


def stand_together(
    phone: str, named: Mapping[str, Thing], evidence: Evidence, said: Statement
) -> bool:
    """Whether a cited page itself gives this number beside one of these names."""
    beside = [
        fold(statement.text)
        for exhibit in evidence.cited(said.cited)
        for statement in exhibit.statements
        if phone in phones.numbers(statement.text)
    ]
    return any(fold(thing.name) in statement for statement in beside for thing in named.values())
