"""Measure the alarm on labelled messages: needless ones, missed ones, and the curve."""

from __future__ import annotations

import gzip
import json
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from chat.question.networks import read_message
from chat.safety.emergencies.alarm import Alarm, Danger, Detector, situations_of
from chat.safety.emergencies.phrases import red_flags_of
from taxonomy.snapshot import Snapshot
from zol.languages import LANGUAGES

#: What the curves move, one while the others stay, and the chances at which they are read.
THRESHOLDS = ("line_from", "crisis_from", "text_from")
CHANCES = (0.3, 0.4, 0.48, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 0.97, 0.99)
#: The danger that a label stands for, where it is called otherwise.
DANGERS = {"labour": "emergency"}


@dataclass(frozen=True, slots=True)
class LabelledMessage:
    """A message with the one before it, and what it tells of (`none` of nothing)."""

    language: str
    turns: tuple[str, ...]
    expect: str

    @property
    def is_real(self) -> bool:
        return self.expect != Danger.NONE


Measured = Sequence[tuple[LabelledMessage, Alarm]]


class Command(BaseCommand):
    help = "Measure the product's alarm on files of {language, text or turns, expect}."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", type=Path)
        parser.add_argument("--curve", action="store_true", help="at other chances as well")
        parser.add_argument("--misses", action="store_true", help="print each miss, and false one")

    def handle(self, *args: Any, **options: Any) -> None:
        empty = Snapshot(0, 0)
        flags, situations = empty.derived(red_flags_of), empty.derived(situations_of)
        detector = Detector(flags, situations, cache(read_message))
        messages = [message for path in options["files"] for message in messages_of(path)]
        found = measured(detector, messages)
        self.stdout.write(f"all     {line(found)}")
        for code in LANGUAGES:
            self.stdout.write(
                f"{code:<7} {line([one for one in found if one[0].language == code])}"
            )
        for name in THRESHOLDS if options["curve"] else ():
            self.stdout.write(f"{name}, now {getattr(detector, name)}:")
            for chance in CHANCES:
                moved: dict[str, Any] = {name: chance}
                at = measured(replace(detector, **moved), messages)
                self.stdout.write(f"{chance:<7} {line(at)}")
        for message, shown in found if options["misses"] else ():
            if message.is_real != bool(shown):
                name = "MISSED" if message.is_real else "NEEDLESS"
                why = f"{shown.strength} {shown.kind} {shown.phrase} {shown.chance}"
                said = " // ".join(message.turns)
                self.stdout.write(f"{name} {message.language} {message.expect} {why} | {said}")


def messages_of(path: Path) -> Iterator[LabelledMessage]:
    """Yield the messages of a file of JSON lines, packed or not."""
    data = path.read_bytes()
    text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode()
    for row in map(json.loads, filter(str.strip, text.splitlines())):
        turns = row.get("turns") or [row["text"]]
        expect = row.get("expect", str(Danger.NONE))
        yield LabelledMessage(row.get("language") or row["lang"], tuple(turns), expect)


def measured(detector: Detector, messages: Sequence[LabelledMessage]) -> Measured:
    """Return each message with its alarm."""
    return [(one, detector.alarm(one.turns[-1], *one.turns[-2:-1])) for one in messages]


def line(found: Measured) -> str:
    """Return counts: needless stops, texts and lines, and what was heard of each danger."""
    ways = Counter(str(shown.strength) for one, shown in found if not one.is_real)
    real = [(one, shown) for one, shown in found if one.is_real]
    said = [
        f"{name} {sum(map(bool, mine))}/{len(mine)} (right {sum(rights)})"
        for name in sorted({one.expect for one, _shown in real})
        for mine in ([shown for one, shown in real if one.expect == name],)
        for rights in ([shown.danger == DANGERS.get(name, name) and bool(shown) for shown in mine],)
    ]
    ordinary = len(found) - len(real)
    heard = sum(bool(shown) for _one, shown in real)
    needless = f"stops {ways['stop']} texts {ways['text']} lines {ways['line']}"
    return f"of {ordinary} ordinary: {needless} | heard {heard}/{len(real)}: {', '.join(said)}"
