"""The sorts of emergencies that code knows by name; all others are rows alone.

A system check finds a name here that no default row has. Of what rules hear, a hospital cannot lose
one: what its rows lack is as it comes (`chat.safety.rows`). Of what only examples tell it can.
"""

from __future__ import annotations

from enum import StrEnum

from chat.safety.rows import PARTS, defaults

#: Roles whose rows speak of an emergency.
SPEAKING = PARTS | {"example"}


class Emergency(StrEnum):
    """A sort of emergency that has a text of its own, or is denied in words of its own."""

    SUICIDE = "suicide"
    SELF_HARM = "self_harm"
    CRISIS_AFTER_BIRTH = "after_birth_crisis"
    OVERDOSE = "overdose_poison"
    TOOK_PILLS = "took_pills"
    GAS = "gas_inhaled"
    CHEMICAL_IN_EYE = "chemical_eye"
    SWALLOWED_OBJECT = "swallowed_object"
    MAGNETS = "magnets"


def unknown() -> list[str]:
    """Return the names that no default row speaks of."""
    known = {row["kind"] for row in defaults("red_flags") if row["role"] in SPEAKING}
    return sorted(set(Emergency) - known)
