"""The kinds of values, and the one way in: a line of text, or its parts, becomes a value."""

from __future__ import annotations

from collections.abc import Mapping

from taxonomy.facts.amounts import Duration, Money
from taxonomy.facts.hours import Hours
from taxonomy.facts.parts import Value, read_line
from taxonomy.facts.places import Contact, Place
from taxonomy.facts.texts import Items, Text, YesNo

KINDS: Mapping[str, type[Value]] = {
    kind.KIND: kind for kind in (Hours, Money, Duration, Place, Contact, Items, Text, YesNo)
}


def read_value(said: str | Mapping[str, str], kind: str, language: str) -> Value:
    """Return the value that a line, or its parts, say; what is wrong is a `WrongPart`."""
    of_kind = KINDS[kind]
    return of_kind.parse(read_line(said, of_kind, language) if isinstance(said, str) else said)
