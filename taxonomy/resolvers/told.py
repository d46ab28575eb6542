"""Where a complaint leads that is told in many words: beside what the resolvers recognise.

Not a resolver among the others: emergencies are learned from what those find, and a complaint that
is told in yet another way must change nothing about what is heard as one.
"""

from __future__ import annotations

from collections.abc import Sequence

from taxonomy.kinds import Kind
from taxonomy.lexicon import Lexicon, Use
from taxonomy.phrases import Told
from taxonomy.resolvers.complaints import route
from taxonomy.resolvers.entries import Match
from taxonomy.resolvers.index import ResolverIndex
from taxonomy.resolvers.loose import BODY, department_from_condition
from taxonomy.tokens import Token

FOLLOWS = department_from_condition.__name__
#: Who names one of these needs no complaint to be led by.
NAMED = frozenset(
    {
        Kind.DOCTOR, Kind.CONDITION, Kind.TREATMENT, Kind.EXAMINATION,
        Kind.DEPARTMENT, Kind.SPECIALTY,
    }
)  # fmt: skip


def with_told(
    matches: tuple[Match, ...],
    told: Sequence[Told],
    uses: Sequence[Use],
    words: Sequence[Token],
    index: ResolverIndex,
) -> tuple[Match, ...]:
    """Return what a question names, and the department that complaints told in it lead to; `uses`
    are those of `uses_beside`."""
    kinds = {match.thing.kind for match in matches if match.by != FOLLOWS}
    found = route(uses, index.complaints) if told and NAMED.isdisjoint(kinds) else None
    if found is None:
        return matches
    start, end = words[found.start].start, words[found.end - 1].end
    text = " ".join(word.text for word in words[found.start : found.end])
    thing, *others = found.departments
    kept = (match for match in matches if match.by != FOLLOWS)
    return (*kept, Match(thing, text, FOLLOWS, BODY, tuple(others), start, end))


def uses_beside(told: Sequence[Told], uses: Sequence[Use], lexicon: Lexicon) -> tuple[Use, ...]:
    """Return what words stand for: complaints that are told first, then what the rest says."""
    taken = {at for one in told for at in one.at}
    complaints = (
        Use(one.at[0], one.at[-1] + 1, (lexicon.concepts[one.complaint],))
        for one in told
        if one.complaint in lexicon.concepts
    )
    rest = (use for use in uses if taken.isdisjoint(range(use.start, use.end)))
    return (*complaints, *rest)
