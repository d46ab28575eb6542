"""Whether a message tells of an emergency, and of which sort, in words that no rule has.

Rules hear the situations that somebody wrote down; people fall ill in others, and tell it in the
middle of a question about parking. What that sounds like was learned once from thousands of
messages in eight languages (`chat/defaults/emergencies.md` is the card of what was learned,
`evaluation/lab/safety` the training): small layers read on from where the encoder of passages has
half understood a message. It reads every piece of the whole message, so an emergency in its fourth
sentence is not drowned by the others.

Rows of red flags have the last word. What staff add of the roles *example* and *harmless* is not
what was learned from: a message, or two sentences of one, that means nearly the same is what they
say it is. And the example that a message is most like names its sort.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from chat.question.learned.message_network import REMEMBERED, read_message
from chat.question.learned.sentence_vectors import Meanings, hearing
from chat.safety.phrases import stretches
from chat.safety.red_flags import FILE, ROWS
from chat.safety.rows import rows_of_roles
from chat.safety.verdict import CRISIS_FROM, FROM, Alarm, Danger, danger_of
from retrieval.vectors import unit
from taxonomy.snapshot import Snapshot

#: Roles of rows: an emergency as people tell it, and what only comes near one.
TELLS, HARMLESS = "example", "harmless"
DANGERS = tuple(Danger)
#: The cosines from which a message means what an example of staff does: a whole message has to
#: mean nearly the very same as one that only comes near to be none itself.
SAME = {True: 0.7, False: 0.85}
#: How sure that is then.
SURE = 0.999


@dataclass(frozen=True, slots=True)
class EmergencyExample:
    """An example: what sort of emergency it tells of, or comes near, in whose words."""

    kind: str
    language: str
    text: str
    danger: Danger


class Alarms:
    """What emergencies sound like. Immutable once built."""

    def __init__(self, told: Sequence[EmergencyExample], hearing: Meanings) -> None:
        self._told, self._hearing = told, hearing
        self._meant = unit(hearing.of_texts([one.text for one in told]))
        self._own = [at for at, one in enumerate(told) if not hearing.is_kept(one.text)]
        self.hear = lru_cache(maxsize=REMEMBERED)(self._hear)

    def _hear(self, text: str) -> Alarm:
        """Return how likely a message tells of an emergency, and which one it is most like."""
        read = read_message(text)
        chances = read.dangers
        chance = 1 - chances[Danger.NONE]
        danger = max(DANGERS[1:], key=chances.__getitem__)
        own = self._own_like(text)
        if own and own.danger is Danger.NONE:
            chance = min(chance, 1 - SURE)
        elif own:
            chance, danger = max(chance, SURE), own.danger
        like = self._most_like(text, danger)
        said = tuple((str(each), round(share, 3)) for each, share in chances.items())
        least = CRISIS_FROM if danger is Danger.CRISIS else FROM
        goes_on = round(read.goes_on, 3)
        return Alarm(like.kind, round(chance, 3), danger, like.text, said, least, goes_on)

    def _own_like(self, text: str) -> EmergencyExample | None:
        """Return the example of staff that a message means the same as; an emergency also where
        two sentences of it do."""
        if not self._own:
            return None
        said = [self._hearing.of_text(one) for one in (text, *stretches(text))]
        near = self._meant[self._own] @ unit(np.array(said)).T
        for row in near.max(axis=1).argsort()[::-1]:
            own = self._told[self._own[int(row)]]
            tells = own.danger is not Danger.NONE
            if (near[row].max() if tells else near[row, 0]) >= SAME[tells]:
                return own
        return None

    def _most_like(self, text: str, danger: Danger) -> EmergencyExample:
        """Return the emergency of a sort that means what is most like a message."""
        of_sort = [at for at, one in enumerate(self._told) if one.danger is danger]
        near = self._meant[of_sort] @ self._hearing.of_text(text)
        return self._told[of_sort[int(near.argmax())]]


def alarms_of(snapshot: Snapshot) -> Alarms:
    """Return what a version hears emergencies with; use it through `snapshot.derived`."""
    return Alarms(told_of(snapshot), hearing())


def told_of(snapshot: Snapshot) -> tuple[EmergencyExample, ...]:
    """Return a version's examples; the defaults where it has none of a role."""
    return tuple(
        EmergencyExample(
            str(row["kind"]),
            str(row["language"]),
            str(row["text"]),
            danger_of(str(row["kind"])) if role == TELLS else Danger.NONE,
        )
        for role in (TELLS, HARMLESS)
        for row in rows_of_roles(snapshot, ROWS, FILE, {role})
    )
