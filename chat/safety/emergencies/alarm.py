"""Detect alarms in a visitor's last two messages, and decide how prominently to show them.

A red-flag phrase stops the turn. The trained network never does: above one threshold it adds a line
with the telephone number to call, above a higher one the full text of the situation. No alarm is
stored: that of the previous message is repeated as a line only if this message continues it ("can I
give her water meanwhile?").
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from chat.safety.emergencies.phrases import RedFlags, Sign
from chat.safety.phrases import defaults
from taxonomy.snapshot import Snapshot

ROWS, FILE = "chat.emergencysituation", "situations"
#: Probability thresholds of danger for a line, for a line on a crisis, for the full text, and for
#: two messages read together. Curves: chat/defaults/emergencies.md.
LINE_FROM, CRISIS_FROM, TEXT_FROM, TOGETHER_FROM = 0.7, 0.48, 0.97, 0.8
#: Probability threshold for a message to continue the previous alarm.
GOES_ON_FROM = 0.8
#: Probability from which a crisis or poisoning text joins that of another danger.
BESIDE = 0.15
#: Probability of a specialty from which its situation is shown, and from which it is shown alone:
#: below that, a head injury ("one pupil looks bigger") was sent to the eye clinic.
LEADS, SURELY_LEADS = 0.5, 0.8


class Danger(StrEnum):
    """The dangers, as the API and golden questions name them (`warning`)."""

    NONE = "none"
    NOW = "emergency"
    CRISIS = "crisis"
    POISON = "poison"

    @property
    def gravity(self) -> int:
        """Return the rank among several texts: the most lethal first."""
        return (Danger.NOW, Danger.CRISIS, Danger.POISON, Danger.NONE).index(self)


@dataclass(frozen=True, slots=True)
class Situation:
    """A kind of emergency."""

    kind: str
    danger: Danger = Danger.NOW
    #: Suffix of its texts' kinds: `alarm_<text>` in full, `notice_<text>` as a line.
    text: str = Danger.NOW.value
    #: Lexicon concepts whose department is called instead of the emergency number.
    specialties: tuple[str, ...] = ()
    #: The hospital's desk and its number, which take precedence over the department's.
    desk: str = ""
    phone: str = ""


class Situations:
    """All situations by code. Immutable."""

    def __init__(self, rows: Iterable[Mapping[str, Any]] = ()) -> None:
        self._known = {str(row["kind"]): _situation(row) for row in rows}

    def __iter__(self) -> Iterator[Situation]:
        return iter(self._known.values())

    def of(self, kind: str) -> Situation:
        """Return a situation; unknown codes, added by a hospital, are emergencies."""
        return self._known.get(kind) or Situation(kind)

    def general(self, danger: Danger) -> Situation:
        """Return the general situation of a danger."""
        return Situation(danger.value, danger, danger.value)

    def led(self, danger: Danger, specialties: Mapping[str, float], least: float) -> Situation:
        """Return the situation of a danger whose specialties are likely, else the general one."""
        for each in self._known.values():
            share = sum(specialties.get(name, 0.0) for name in each.specialties)
            if each.danger is danger and share >= least:
                return each
        return self.general(danger)


def _situation(row: Mapping[str, Any]) -> Situation:
    return Situation(
        kind=str(row["kind"]),
        danger=Danger(row["danger"]),
        text=str(row["text"]) or str(row["danger"]),
        specialties=tuple(filter(None, str(row["specialties"] or "").split("|"))),
        desk=str(row.get("desk") or ""),
        phone=str(row.get("phone") or ""),
    )


def situations_of(snapshot: Snapshot) -> Situations:
    """Return a version's situations, with the product's for those it lacks; use it through
    `snapshot.derived`."""
    return Situations((*defaults(FILE), *snapshot.rows_of(ROWS)))


class Strength(StrEnum):
    """How prominently an alarm is shown."""

    NONE = "none"
    #: One line with the right number above the answer.
    LINE = "line"
    #: The whole text of the situation above the answer.
    TEXT = "text"
    #: The text alone: the turn stops.
    STOP = "stop"


@dataclass(frozen=True, slots=True)
class Reading:
    """The network's reading of a message."""

    #: Probability of each danger, `NONE` included; they add up to 1.
    dangers: Mapping[Danger, float]
    #: Probability of each specialty, by its concept in the lexicon.
    specialties: Mapping[str, float]
    #: Probability that it continues an emergency of the message before.
    goes_on: float = 0.0


@dataclass(frozen=True, slots=True)
class Alarm:
    """A danger with its situations (the first leads) and evidence; false if there is none."""

    danger: Danger = Danger.NONE
    situations: tuple[Situation, ...] = ()
    strength: Strength = Strength.NONE
    #: The red-flag phrase; empty if only the network raised the alarm.
    phrase: str = ""
    #: The network's probability of any danger.
    chance: float = 0.0

    def __bool__(self) -> bool:
        return self.strength is not Strength.NONE

    @property
    def stops(self) -> bool:
        return self.strength is Strength.STOP

    @property
    def kind(self) -> str:
        """Return the code of the leading situation."""
        return self.situations[0].kind if self.situations else ""


Read = Callable[[str], Reading]


@dataclass(frozen=True, slots=True)
class Detector:
    """Red-flag phrases, situations, and the network."""

    flags: RedFlags
    situations: Situations
    read: Read
    line_from: float = LINE_FROM
    crisis_from: float = CRISIS_FROM
    text_from: float = TEXT_FROM

    def alarm(self, message: str, before: str = "") -> Alarm:
        """Return the alarm of a message, read together with the one before it.

        The combined reading counts only if neither message raises an alarm alone: past alarms are
        not repeated, and a crisis described in two messages is found.
        """
        if found := self.stop(message, before):
            return found
        alone = self._alone(message)
        if alone or not before:
            return alone
        if earlier := self._alone(before):
            is_on = self.read(message).goes_on >= GOES_ON_FROM
            line = replace(earlier, strength=Strength.LINE, phrase="", chance=alone.chance)
            return line if is_on else alone
        return self._of_reading(self.read(f"{before}\n{message}"), together=True) or alone

    def stop(self, message: str, before: str = "") -> Alarm:
        """Return the alarm of a red-flag phrase, which stops the turn."""
        signs = self.flags.signs(message)
        if not signs and before and not self.flags.signs(before):
            signs = self.flags.signs(message, before)
        return self._of_signs(signs, self.read(message)) if signs else Alarm()

    def _alone(self, message: str) -> Alarm:
        return self.stop(message) or self._of_reading(self.read(message))

    def _of_signs(self, signs: tuple[Sign, ...], reading: Reading) -> Alarm:
        named = [self.situations.of(sign.kind) for sign in signs]
        found = self._with_related(named, reading)
        return Alarm(found[0].danger, found, Strength.STOP, signs[0].phrase, chance_of(reading))

    def _of_reading(self, reading: Reading, *, together: bool = False) -> Alarm:
        chance = chance_of(reading)
        dangers = (danger for danger in Danger if danger is not Danger.NONE)
        danger = max(dangers, key=lambda each: reading.dangers.get(each, 0.0))
        alone = self.crisis_from if danger is Danger.CRISIS else self.line_from
        if chance < (TOGETHER_FROM if together else alone):
            return Alarm(chance=chance)
        led = self.situations.led(danger, reading.specialties, LEADS)
        sure = self.situations.led(danger, reading.specialties, SURELY_LEADS)
        found = self._with_related(list(dict.fromkeys((sure, led))), reading)
        strength = Strength.TEXT if chance >= self.text_from else Strength.LINE
        return Alarm(danger, found, strength, chance=chance)

    def _with_related(self, situations: list[Situation], reading: Reading) -> tuple[Situation, ...]:
        """Return one situation for each text, the gravest first.

        After an intended overdose, people need the texts on both poisoning and crisis.
        """
        dangers = {each.danger for each in situations}
        beside = {Danger.CRISIS: Danger.POISON, Danger.POISON: Danger.CRISIS}
        for danger, other in beside.items():
            if danger in dangers and reading.dangers.get(other, 0.0) >= BESIDE:
                situations = [*situations, self.situations.general(other)]
        return each_text_once(situations)


def each_text_once(situations: Sequence[Situation]) -> tuple[Situation, ...]:
    """Return the first situation of each text, the gravest first."""
    by_text = {each.text: each for each in reversed(situations)}
    first_seen = sorted(by_text.values(), key=situations.index)
    return tuple(sorted(first_seen, key=lambda each: each.danger.gravity))


def chance_of(reading: Reading) -> float:
    """Return the probability of any danger."""
    return round(1 - reading.dangers.get(Danger.NONE, 1.0), 3)
