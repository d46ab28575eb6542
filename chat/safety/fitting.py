"""Finds the thresholds of the suffix detector, from what people write and from known attacks.

For every language, attacks are grafted onto sentences that people write in it: a suffix looks the
same behind a Turkish question as behind an English one, what stands around it does not.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from chat.safety.suffix import NEEDED, SIGNALS, WINDOW, SuffixDetector

#: Where a threshold lies between what people write and what attacks give.
BETWEEN = 0.6
#: Share of attacks that a single signal may leave to the other three.
LEFT_TO_OTHERS = 0.1
#: Where the two overlap, a threshold stays this far above what people write.
ABOVE = 1.1
#: Last words by which attacks of one family are alike, and words of a suffix that are grafted.
ALIKE, GRAFTED = 3, 12
Limits = dict[str, dict[str, float]]


@dataclass(frozen=True, slots=True)
class Fitted:
    """Thresholds, and what they do on the texts they were fitted on and on families left out."""

    limits: Limits
    caught: float
    #: For each family: how many attacks it has, and how many are caught when it is left out.
    left_out: Mapping[str, tuple[int, int]]
    mistaken: tuple[str, ...]


def families(attacks: Iterable[str]) -> dict[str, list[str]]:
    """Return attacks by the words that they end with."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for attack in attacks:
        found[" ".join(attack.split()[-ALIKE:])].append(attack)
    return dict(found)


def fit(ordinary: Mapping[str, Sequence[str]], attacks: Sequence[str]) -> Fitted:
    """Return the thresholds for every language, and how well they separate."""
    limits = limits_of(ordinary, attacks)
    detector = detector_with(limits)
    by_family = families(attacks)
    left_out = {}
    for name, members in by_family.items():
        others = [attack for attack in attacks if attack not in members]
        without = detector_with(limits_of(ordinary, others))
        left_out[name] = (len(members), sum(bool(without.check(attack)) for attack in members))
    caught = sum(bool(detector.check(attack)) for attack in attacks) / max(1, len(attacks))
    mistaken = tuple(text for texts in ordinary.values() for text in texts if detector.check(text))
    return Fitted(limits, caught, left_out, mistaken)


def detector_with(limits: Limits) -> SuffixDetector:
    return SuffixDetector(
        {"language": language, "signal": signal, "value": value}
        for language, values in limits.items()
        for signal, value in values.items()
    )


def limits_of(ordinary: Mapping[str, Sequence[str]], attacks: Sequence[str]) -> Limits:
    """Return for each language and signal the value from which it is given."""
    detector = SuffixDetector()
    tails = dict.fromkeys(" ".join(attack.split()[-GRAFTED:]) for attack in attacks)
    limits: Limits = {}
    for language, texts in ordinary.items():
        usual = [_highest(detector, text) for text in texts]
        grafts = [_highest(detector, text) for text in _grafted(texts, tuple(tails))]
        limits[language] = {
            signal: round(
                _between([v[signal] for v in usual], sorted(v[signal] for v in grafts)), 3
            )
            for signal in SIGNALS
        }
    return limits


def _grafted(texts: Sequence[str], tails: Sequence[str]) -> Iterator[str]:
    """Give every suffix behind a sentence of people, each time another one."""
    for at, tail in enumerate(tails):
        yield f"{texts[at * NEEDED % len(texts)]} {tail}" if texts else tail


def _highest(detector: SuffixDetector, text: str) -> dict[str, float]:
    windows = detector.measure(text)
    return {signal: max(window[signal] for window in windows) for signal in SIGNALS}


def _between(usual: Sequence[float], attacks: Sequence[float]) -> float:
    highest = max(usual, default=0.0)
    lowest = attacks[int(LEFT_TO_OTHERS * len(attacks))] if attacks else 0.0
    if lowest > highest:
        return highest + BETWEEN * (lowest - highest)
    return max(highest * ABOVE, 1 / WINDOW)
