"""What rules and what was learned say of one message, and what that comes to.

The strongest verdict wins: what either hears is an emergency, and nothing takes a crisis or a
poisoning away. Only in a story, of which rules read each sentence by itself, other words of an
emergency give way where the whole is unlikely to tell of one: a film, a course in first aid, what
happened last year. Giving way earlier silences emergencies told between other questions: below
0.1 one of 96, a cook who does not breathe, which four false alarms of 200 spared do not outweigh.
(Messages that the weights had not learned; the card of what was learned has other chances.)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from chat.safety.phrases import sentences
from chat.safety.red_flags import RedFlag, RedFlags
from chat.safety.rows import Emergency

#: Sorts of emergencies with words and telephone lines of their own; all others share one text.
SUICIDE, POISON = "emergency_suicide", "emergency_poison"
OWN_WORDS: dict[str, str] = {
    Emergency.SUICIDE: SUICIDE,
    Emergency.SELF_HARM: SUICIDE,
    Emergency.CRISIS_AFTER_BIRTH: SUICIDE,
    Emergency.OVERDOSE: POISON,
    Emergency.TOOK_PILLS: POISON,
    Emergency.GAS: POISON,
    Emergency.CHEMICAL_IN_EYE: POISON,
    Emergency.SWALLOWED_OBJECT: POISON,
    Emergency.MAGNETS: POISON,
}
#: The chance from which it is one, and from which a crisis is (emergencies.md has the table); right
#: after one, less will do.
FROM, CRISIS_FROM, AFTER_ONE = 0.55, 0.4, 0.4
#: The chance below which a story tells of none, whatever words are in it.
UNLIKELY = 0.05
#: The chance from which what somebody took, or did to themselves, is spoken of beside the other.
BESIDE = 0.15
#: An emergency of which no more is known.
EMERGENCY = "emergency"


class Danger(StrEnum):
    """What a message is told apart by."""

    NONE = "none"
    NOW = "emergency"
    CRISIS = "crisis"
    POISON = "poison"


#: Which sort of danger is told of where rules and meaning differ: the graver one.
GRAVITY = {Danger.NONE: 0, Danger.POISON: 1, Danger.NOW: 2, Danger.CRISIS: 3}
#: What rules hear of these is never taken back.
FLOOR = frozenset({Danger.CRISIS, Danger.POISON})


@dataclass(frozen=True, slots=True)
class Alarm:
    """How likely a message tells of an emergency, what sort of one, and why."""

    #: The sort that it is most like; empty where nothing was learned.
    kind: str = ""
    chance: float = 0.0
    danger: Danger = Danger.NONE
    #: The example that is most like it.
    like: str = ""
    #: How likely it tells of each sort of danger.
    reasons: tuple[tuple[str, float], ...] = ()
    #: The chance from which it is one.
    least: float = FROM
    #: How likely it goes on about an emergency that was told just before it.
    goes_on: float = 0.0

    def __bool__(self) -> bool:
        return bool(self.kind) and self.chance >= self.least

    def speaks_of(self, danger: Danger) -> bool:
        """Tell whether a danger is in it beside the one that it tells of."""
        return dict(self.reasons).get(danger, 0.0) >= BESIDE


def emergency_text(kind: str) -> str:
    """Return the name of the fixed text for a sort of emergency."""
    return OWN_WORDS.get(kind, EMERGENCY)


def danger_of(kind: str) -> Danger:
    """Return what a sort of emergency counts as."""
    return {SUICIDE: Danger.CRISIS, POISON: Danger.POISON}.get(emergency_text(kind), Danger.NOW)


def verdict(
    flags: RedFlags,
    alarm: Alarm,
    question: str,
    *,
    follows: bool = False,
    is_spoken: Callable[[], bool] = lambda: True,
) -> RedFlag:
    """Return the emergency that a message tells of by itself, or as it `follows` another.

    What was learned takes nothing away in a language that is not spoken here: it never read any.
    """
    signs = flags.signs(question)
    if signs and alarm.kind and alarm.chance < UNLIKELY and sentences(question) and is_spoken():
        signs = tuple(sign for sign in signs if danger_of(sign.kind) in FLOOR)
    urgent = (sign for sign in signs if danger_of(sign.kind) is Danger.CRISIS and not sign.asks)
    crisis = next(urgent, None)
    found = crisis or next(iter(signs), RedFlag())
    is_heard = alarm or (follows and alarm.kind and alarm.chance >= AFTER_ONE)
    if is_heard and _outranks(alarm.danger, found):
        # A sign that asks for nothing is not made a question by what the message is about.
        asks = (not found or found.asks) and flags.asks_beside(alarm.kind, question)
        return RedFlag(alarm.kind, found.phrase or alarm.like, asks=asks)
    return found


def _outranks(danger: Danger, found: RedFlag) -> bool:
    """Tell whether what a message means is graver than what rules found in it."""
    if not found:
        return True
    by_rules = danger_of(found.kind)
    return danger is not by_rules if found.asks else GRAVITY[danger] > GRAVITY[by_rules]


def texts_for(flags: RedFlags, found: RedFlag, alarm: Alarm, question: str) -> tuple[str, ...]:
    """Return the names of the texts to say: who took something to die needs both lines."""
    text = emergency_text(found.kind)
    if text == SUICIDE:
        is_taken = any(danger_of(sign.kind) is Danger.POISON for sign in flags.signs(question))
        return (text, POISON) if is_taken or alarm.speaks_of(Danger.POISON) else (text,)
    return (SUICIDE, text) if text == POISON and alarm.speaks_of(Danger.CRISIS) else (text,)
