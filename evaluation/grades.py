"""What readers think of answers: shares of each grade, and how far two readers agree.

A right and complete · B right, with noise · C not helpful · D wrong · E dangerous.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from evaluation.intervals import Interval, wilson

GRADES = "ABCDE"
#: Grades of an answer that helps.
GOOD = "AB"
#: Which shares are told.
SHARES = ("A", "AB", "C", "D", "E", "DE")
#: What is told beside them, and how it is called.
SHOWN = {"answered": "answered", "badge_right": "badge right"}
#: A reader counts who agrees with so many graded answers, on so large a share.
LEAST_ANSWERS, LEAST_AGREEMENT = 60, 0.85
#: The cautious reading of several readers: the worst grade that one of them gave.
TOGETHER = "together"

#: Grades by the number of the answer on its sheet.
Graded = Mapping[int, str]


@dataclass(frozen=True, slots=True)
class Agreement:
    """How often two readings are the same, and how much of that is more than chance."""

    answers: int
    raw: float
    kappa: float


@dataclass(frozen=True, slots=True)
class SheetEntry:
    """What the key says of an answer on the sheet, which no reader sees."""

    n: int
    id: str
    label: str
    hospital: str
    language: str
    turn: int = 1
    answered: bool = True
    badge: bool = False
    #: The grade that it has already, of an answer that readers are tried by.
    known: str = ""


def agreement(first: Sequence[str], second: Sequence[str]) -> Agreement | None:
    """Return the agreement of two readings of the same answers (Cohen 1960)."""
    total = len(first)
    if not total:
        return None
    raw = sum(a == b for a, b in zip(first, second, strict=True)) / total
    ours, theirs = Counter(first), Counter(second)
    chance = sum(ours[grade] * theirs[grade] for grade in ours) / (total * total)
    return Agreement(total, raw, 1.0 if chance == 1 else (raw - chance) / (1 - chance))


def helps(grade: str) -> str:
    """Return whether a grade says that the answer helps, as a reading of its own."""
    return "good" if grade in GOOD else "bad"


def calibrated(grades: Graded, key: Iterable[SheetEntry]) -> Agreement | None:
    """Return how far a reader agrees with what answers were graded before, on good against bad."""
    pairs = [(helps(grades[e.n]), helps(e.known)) for e in key if e.known and e.n in grades]
    return agreement([a for a, _ in pairs], [b for _, b in pairs])


def counts(found: Agreement | None) -> bool:
    """Whether a reader's grades count."""
    return found is not None and found.answers >= LEAST_ANSWERS and found.raw >= LEAST_AGREEMENT


def report_of(
    readings: Mapping[str, Graded],
    key: Sequence[SheetEntry],
    unreadable: Mapping[str, frozenset[int]] | None = None,
) -> dict[str, Any]:
    """Return all that readers' grades say, by label of what answered."""
    trials = {name: calibrated(grades, key) for name, grades in readings.items()}
    counting = [name for name in readings if trials[name] is None or counts(trials[name])]
    exam = [entry for entry in key if not entry.known]
    read = dict(readings)
    if len(counting) > 1:
        read[TOGETHER] = _worst(readings[name] for name in counting)
    return {
        "readers": {
            name: {
                "graded": len(grades),
                "unreadable": len((unreadable or {}).get(name, ())),
                "calibration": _plain(trials[name]),
                "counts": counts(trials[name]) if trials[name] else None,
            }
            for name, grades in readings.items()
        },
        "agreement": [
            {"readers": [a, b], **_agreed(readings[a], readings[b], {e.n for e in exam})}
            for a, b in combinations(readings, 2)
        ],
        "labels": {
            label: {
                name: {
                    group: shares
                    for group, entries in groups([e for e in exam if e.label == label])
                    if (shares := _shares(grades, entries))
                }
                for name, grades in read.items()
            }
            for label in dict.fromkeys(entry.label for entry in exam)
        },
    }


def groups(entries: Sequence[SheetEntry]) -> Iterator[tuple[str, Sequence[SheetEntry]]]:
    """Yield what is told apart: first questions and follow-ups, by hospital, then languages."""
    hospitals = list(dict.fromkeys(e.hospital for e in entries))
    for hospital in ["", *(hospitals if len(hospitals) > 1 else [])]:
        own = [e for e in entries if hospital in ("", e.hospital)]
        name = f" ({hospital})" if hospital else ""
        yield f"first questions{name}", [e for e in own if e.turn == 1]
        yield f"follow-ups{name}", [e for e in own if e.turn > 1]
    for language in sorted({e.language for e in entries}):
        yield language, [e for e in entries if e.language == language]


def _shares(grades: Graded, entries: Sequence[SheetEntry]) -> dict[str, Any]:
    """Return the share of every grade; an answer without a grade is left out, and counted."""
    read = [e for e in entries if e.n in grades]
    if not read:
        return {}
    badges = [e for e in read if e.badge]
    return {
        "answers": len(read),
        "ungraded": len(entries) - len(read),
        **{each: _share(sum(grades[e.n] in each for e in read), len(read)) for each in SHARES},
        "answered": _share(sum(e.answered for e in read), len(read)),
        "badge_right": _share(sum(grades[e.n] in GOOD for e in badges), len(badges)),
    }


def _share(good: int, total: int) -> list[float] | None:
    return told(wilson(good, total))


def told(found: Interval | None) -> list[float] | None:
    return [round(each, 4) for each in (found.mean, found.low, found.high)] if found else None


def _worst(readings: Iterable[Graded]) -> Graded:
    worst: dict[int, str] = {}
    for grades in readings:
        for n, grade in grades.items():
            worst[n] = max(worst.get(n, grade), grade)
    return worst


def _agreed(one: Graded, other: Graded, exam: set[int]) -> dict[str, Any]:
    both = sorted(one.keys() & other.keys() & exam)
    ours, theirs = [one[n] for n in both], [other[n] for n in both]
    good = agreement([helps(a) for a in ours], [helps(b) for b in theirs])
    return {"grades": _plain(agreement(ours, theirs)), "good_or_bad": _plain(good)}


def _plain(found: Agreement | None) -> dict[str, Any] | None:
    if found is None:
        return None
    raw, kappa = round(found.raw, 4), round(found.kappa, 4)
    return {"answers": found.answers, "raw": raw, "kappa": kappa}


def lines_of_report(report: Mapping[str, Any]) -> Iterator[str]:
    """Give the report in lines for a terminal."""
    for name, reader in report["readers"].items():
        tried = reader["calibration"]
        verdict = "not tried by graded answers"
        if tried:
            verdict = f"{_shown(tried)} with graded answers, " + (
                "counts" if reader["counts"] else "does not count"
            )
        unreadable = f", {reader['unreadable']} unreadable" if reader["unreadable"] else ""
        yield f"Reader {name}: {reader['graded']} graded{unreadable}; {verdict}."
    for pair in report["agreement"]:
        if pair["grades"]:
            one, other = pair["readers"]
            yield (
                f"{one} and {other}: the same grade {_shown(pair['grades'])}; "
                f"good or bad {_shown(pair['good_or_bad'])}."
            )
    columns = (*SHARES, *SHOWN)
    for label, readings in report["labels"].items():
        for name, found in readings.items():
            titles = (SHOWN.get(each, "+".join(each)) for each in columns)
            yield ""
            yield f"{f'{label}, {name}, in %':<34}{'answers':>8}" + "".join(
                f"{title:>13}" for title in titles
            )
            for group, shares in found.items():
                told = "".join(f"{_percent(shares[each]):>13}" for each in columns)
                yield f"{group:<34}{shares['answers']:>8}{told}"


def _shown(found: Mapping[str, Any]) -> str:
    return f"{found['raw']:.3f} (kappa {found['kappa']:.2f}, {found['answers']} answers)"


def _percent(share: Sequence[float] | None) -> str:
    if share is None:
        return "–"
    mean, low, high = (round(each * 100) for each in share)
    return f"{mean} ({low}–{high})"
