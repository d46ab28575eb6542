"""What must hold before an answer counts, by code, whoever wrote it (spec 05).

To add a check, write a function of the shape of `Check` and list it here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

from chat.checks.citations import cites_what_exists, quotes_a_page, rests_on_something
from chat.checks.evidence import Evidence
from chat.checks.knowledge import Knowledge
from chat.checks.names import (
    no_diagnosis,
    places_exist,
    published_names_are_meant,
    titled_people_exist,
)
from chat.checks.numbers import dose_stands_together, figures_stand_in_a_source, phone_belongs
from chat.checks.statement import Fault, Statement

Check: TypeAlias = Callable[[Statement, Evidence, Knowledge], Fault | None]

#: Of each statement of a model, while it is written and before anybody sees it.
OF_A_MODEL: tuple[Check, ...] = (
    cites_what_exists,
    no_diagnosis,
    figures_stand_in_a_source,
    dose_stands_together,
    phone_belongs,
    published_names_are_meant,
    titled_people_exist,
    places_exist,
    rests_on_something,
)
#: Of each sentence of a whole answer, whoever wrote it.
OF_ANYBODY: tuple[Check, ...] = (
    quotes_a_page,
    figures_stand_in_a_source,
    titled_people_exist,
    places_exist,
)


def faults_of(
    said: Statement, evidence: Evidence, known: Knowledge, checks: Iterable[Check] = OF_A_MODEL
) -> Iterator[Fault]:
    """Yield what is wrong with a statement; nothing when it may be shown."""
    return (fault for check in checks if (fault := check(said, evidence, known)))
