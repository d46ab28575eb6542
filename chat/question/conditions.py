"""What limits an answer, as far as it is said in so many words."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from chat.lookup.filters import Filters
from taxonomy.kinds import Kind
from taxonomy.resolvers.entries import Match

#: Concepts of a moment, counted from the one at which it is asked.
MOMENTS = frozenset(
    {"now", "today", "tonight", "tomorrow", "day_after_tomorrow", "weekend", "this_week", "holiday"}
)
#: Concepts of somebody who stays overnight, and of somebody who goes home the same day.
STAYS = frozenset({"admission", "length_of_stay", "admission_date"})
GOES_HOME = frozenset({"day_hospital", "day_surgery", "consultation"})


@dataclass(frozen=True, slots=True)
class Conditions:
    """Each is empty where nothing was said of it."""

    #: Keys of the campuses named.
    campuses: tuple[str, ...] = ()
    #: Days of the week from 1 for Monday: those asked for, and those that do not suit.
    days: frozenset[int] = frozenset()
    without: frozenset[int] = frozenset()
    #: Names of `MOMENTS`.
    moments: frozenset[str] = frozenset()
    #: Codes of the languages asked for.
    languages: frozenset[str] = frozenset()
    #: In years.
    age: int | None = None
    #: None also where it is asked from which age something holds.
    is_child: bool | None = None
    is_inpatient: bool | None = None


def conditions_of(
    matches: Iterable[Match],
    concepts: Collection[str],
    filters: Filters,
    *,
    age: int | None,
    is_child: bool | None,
) -> Conditions:
    """Return what the readers of names, days, languages and ages found, as one value."""
    places = (match.thing.key for match in matches if match.thing.kind is Kind.CAMPUS)
    stays, goes_home = (not each.isdisjoint(concepts) for each in (STAYS, GOES_HOME))
    return Conditions(
        campuses=tuple(dict.fromkeys(places)),
        days=filters.days,
        without=filters.without,
        moments=MOMENTS.intersection(concepts),
        languages=filters.languages,
        age=age,
        is_child=is_child,
        is_inpatient=stays if stays != goes_home else None,
    )
