"""Read the figures of a text, normalised and with their units.

"14u30" and "2:30 pm" are the same time, "1,20" and "1.20" the same amount; "11 ml" differs from
"11 years" in any language.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from zol import phones
from zol.text import fold

#: Numbers to ignore: citation marks and list numbers, also quoted or bold.
_IDLE = re.compile(r"\[\d+\]|^[\s>*#-]*\d{1,2}[.)]\s+", re.MULTILINE)
_TOKEN = re.compile(
    r"""(?P<time>(?<![\d.,])(?:[01]?\d|2[0-4])\s?(?:[:hu.]\s?[0-5]\d(?![.,:]?\d)(?:\s?[ap]\.?m\b)?|(?:h|u|[ap]\.?m)\b))
    |(?P<number>\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?!\d)(?:,\d+)?|\d+(?:[.,:]\d+)*|[½¼¾])
    |(?P<word>[^\W\d_]+)
    |(?P<sign>[€%°])
    |(?P<end>[·;()|\n]|[,.:!?](?=\s|$))""",
    re.VERBOSE | re.IGNORECASE,
)
_CLOCK = re.compile(r"(\d+)\s?(?:([:hu.])\s?(\d\d))?(.*)", re.IGNORECASE)
_HOURS, _DECIMAL = re.compile(r"(\d{1,2}):(\d\d)"), re.compile(r"\d*\.?\d+")
_THOUSANDS = re.compile(r"(?<=\d)[\s.](?=\d{3}(?!\d))")
_ZEROS = re.compile(r"\.?0+$")
_FRACTIONS = {"½": ".5", "¼": ".25", "¾": ".75"}
#: Units of telephone numbers, prices and times; the words of other units are `measure` rows.
PHONE, EURO, HOUR = "phone", "euro", "hour"
#: Units whose amounts may be added, subtracted or converted, in the smallest unit.
DURATIONS = {"minute": 1, HOUR: 60, "day": 1440, "week": 10080, "month": 43200, "year": 525600}
HALF_DAY = 12
#: Maximum words between a figure and its unit: "11 à 12 keer".
REACH = 2


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure as written, with its possible values and unit."""

    written: str
    readings: frozenset[str]
    #: Unit such as year, ml, euro; empty if unknown.
    unit: str = ""

    @property
    def numbers(self) -> Iterator[float]:
        """Yield its values as numbers; a time as hours."""
        for read in self.readings:
            if clock := _HOURS.fullmatch(read):
                yield round(int(clock[1]) + int(clock[2]) / 60, 2)
            elif _DECIMAL.fullmatch(read):
                yield float(read)

    def is_supported_by(self, *others: Figure) -> bool:
        """Return whether one of a source's figures has the same value, and the same unit if any."""
        return any(
            not self.readings.isdisjoint(other.readings)
            and (not self.unit or not other.unit or self.unit == other.unit)
            for other in others
        )


@dataclass(frozen=True, slots=True)
class Token:
    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class FigureReader:
    """Reader of figures; number words and units are rows that staff edit."""

    #: Language → folded word → number, such as "nl" → "drie" → "3".
    words: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    #: Ambiguous words by language, numbers only before a unit: "neuf ml", "sei ore".
    ambiguous: frozenset[tuple[str, str]] = frozenset()
    #: Folded word or sign → unit, such as "jaar" → "year".
    units: Mapping[str, str] = field(default_factory=dict)
    #: Country of the hospital, for national telephone numbers.
    home: str = ""

    def read(self, text: str, language: str) -> tuple[Figure, ...]:
        """Return the figures of a text, without citation marks and list numbers.

        Number words are read in the text's language ("onze" is eleven in French, ours in Dutch);
        without a language, not at all.
        """
        tokens = list(_tokens(_IDLE.sub(" ", text), self.home))
        return tuple(
            figure for at in range(len(tokens)) for figure in self._at(tokens, at, language)
        )

    def _at(self, tokens: Sequence[Token], at: int, language: str) -> Iterator[Figure]:
        token = tokens[at]
        if token.kind == PHONE:
            yield Figure(token.text, frozenset((phones.dialled(token.text, self.home),)), PHONE)
        elif token.kind == "time":
            yield self._time(tokens, at)
        elif token.kind == "number":
            readings = frozenset((amount(token.text),))
            yield Figure(token.text, readings, self._unit(tokens, at))
        elif number := self.words.get(language, {}).get(word := fold(token.text)):
            unit = self._unit(tokens, at)
            is_clear = (language, word) not in self.ambiguous
            if is_clear or (unit and self._is_before_unit(tokens, at, language)):
                yield Figure(token.text, frozenset((amount(number),)), unit)

    def _is_before_unit(self, tokens: Sequence[Token], at: int, language: str) -> bool:
        """Return whether a unit follows a word directly or behind another number: "sei o sette
        ore" counts hours, "sei una persona" no persons."""
        after = [fold(token.text) for token in tokens[at + 1 : at + REACH + 2]]
        step = next((step for step, text in enumerate(after) if text in self.units), 0)
        before = after[step - 1] if step else ""
        return not before or before.isdecimal() or before in self.words.get(language, {})

    def _time(self, tokens: Sequence[Token], at: int) -> Figure:
        written = tokens[at].text.strip()
        hour, separator, minutes, half = _CLOCK.fullmatch(written).groups()  # type: ignore[union-attr]
        readings = {_clock(int(hour), minutes or "00", half)}
        unit = HOUR
        if separator == "." and not half.strip():
            # 2.50 is a time in one sentence and an amount in another.
            readings.add(amount(re.sub(r"\s", "", written)))
            unit = self._unit(tokens, at)
        return Figure(written, frozenset(readings), unit)

    def _unit(self, tokens: Sequence[Token], at: int) -> str:
        """Return the unit after a figure, or the sign before it: "€ 5", "7 tot 10 jaar"."""
        if at and tokens[at - 1].kind == "sign":
            return self.units.get(tokens[at - 1].text, "")
        for step, token in enumerate(tokens[at + 1 : at + REACH + 2]):
            # "four nights € 112": the sign belongs to the figure after it.
            is_of_next = token.kind == "sign" and [t.kind for t in tokens[at + step + 2 :][:1]] == [
                "number"
            ]
            if token.kind == "end" or is_of_next:
                return ""
            if unit := self.units.get(fold(token.text)):
                return unit
            is_range = step == 1 and token.kind == "number"
            if token.kind in {PHONE, "time", "number"} and not is_range:
                return ""
        return ""


def _tokens(text: str, home: str) -> Iterator[Token]:
    """Yield a text's telephone numbers and the tokens between them, in order."""

    def between(start: int, end: int | None) -> Iterator[Token]:
        found = _TOKEN.finditer(text[start:end])
        return (Token(str(each.lastgroup), each[0]) for each in found)

    at = 0
    for phone in phones.find(text, home):
        yield from between(at, phone.start)
        yield Token(PHONE, text[phone.start : phone.end])
        at = phone.end
    yield from between(at, None)


def _clock(hour: int, minutes: str, half: str) -> str:
    is_later = fold(half).strip().startswith("p") and hour < HALF_DAY
    hour += HALF_DAY if is_later else 0
    return str(hour) if minutes == "00" else f"{hour}:{minutes}"


def amount(written: str) -> str:
    """Return a normalised number: "1.250,50" as 1250.5, "3 450" as 3450, "07" as 7.

    Three digits after a full stop are thousands, after a comma decimals.
    """
    plain = re.sub(r"[,:]", ".", _THOUSANDS.sub("", written))
    whole = _ZEROS.sub("", plain) if "." in plain else plain
    return _FRACTIONS.get(written) or whole.lstrip("0") or "0"
