"""What the signs of a curated answer count together: `python -m evaluation.lab.curated.fit SLUG`.

Fitted on `wordings.jsonl` (questions that are no examples: fresh ones of an answer, and near ones
that none fits) and, a fiftieth each, on examples held out of their answers and on examples of
answers that are held out. Prints what held-out fifths hit; `--write` keeps the weights.
Needs scikit-learn, and a loaded hospital with curated answers.
"""

from __future__ import annotations

import csv
import json
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

import django
import numpy as np
from sklearn.linear_model import LogisticRegression

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "zol.settings")
django.setup()

from chat.live import read_by_code  # noqa: E402 - after the settings
from chat.sources.curated import ROWS, SURE, WEIGHTS, Candidate, Curated, weights  # noqa: E402
from chat.sources.hearing import asked_in, hear  # noqa: E402
from chat.sources.records import CuratedAnswer  # noqa: E402
from chat.turn import Context, Turn  # noqa: E402
from taxonomy.lexicon import lexicon_of  # noqa: E402
from taxonomy.selectors import live_snapshot  # noqa: E402
from taxonomy.snapshot import Snapshot  # noqa: E402
from zol.commands import chosen_hospital  # noqa: E402
from zol.tenancy import serving  # noqa: E402

WORDINGS = Path(__file__).parent / "wordings.jsonl"
#: What an example counts beside a wording, and how strongly weights are held back.
SHARE, HELD_BACK = 0.02, 0.3
FOLDS = 5
TODAY = date(2026, 11, 26)


@dataclass(frozen=True, slots=True)
class Case:
    """A candidate for a question: its signs, and whether it is the answer."""

    question: str
    is_wording: bool
    expected: str
    candidate: Candidate

    @property
    def is_right(self) -> bool:
        return bool(self.candidate.answer.key == self.expected)

    @property
    def fold(self) -> int:
        return sum(map(ord, self.question)) % FOLDS


class Bench:
    """The curated answers of a version, whole and with something held out."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._answers = [CuratedAnswer.frozen(row) for row in snapshot.rows_of(ROWS)]
        self._asked = [
            (answer, code, place, text)
            for answer in self._answers
            for code, said in answer.examples.items()
            for place, text in enumerate(said)
        ]
        self._heard = {text: hear(text, code) for _, code, _, text in self._asked}

    def cases(self) -> Iterator[Case]:
        """Yield every candidate that nothing stands in the way of."""
        whole = self._index(self._answers)
        for line in wordings():
            yield from self._of(whole, line["question"], line["language"], line["answer"])
        for fold in range(FOLDS):
            rest = self._index([_without(answer, fold) for answer in self._answers])
            for answer, code, place, text in self._asked:
                if place % FOLDS == fold:
                    yield from self._of(rest, text, code, answer.key)
        for answer in self._answers:
            rest = self._index([other for other in self._answers if other != answer])
            for own, code, _, text in self._asked:
                if own == answer:
                    yield from self._of(rest, text, code, "")

    def _index(self, answers: Sequence[CuratedAnswer]) -> Curated:
        snapshot = self._snapshot
        lexicon = snapshot.derived(lexicon_of)
        return Curated(answers, self._heard, lexicon, snapshot.vocabulary)

    def _of(self, index: Curated, text: str, code: str, expected: str) -> Iterator[Case]:
        turn = Turn(text, language=code)
        meant = read_by_code(turn, self._snapshot)
        asked = asked_in(Context(turn, text, understanding=meant))
        for near in index.nearest(replace(asked, answered_in=code), TODAY):
            if not near.against:
                yield Case(text, text not in self._heard, expected, near)


def _without(answer: CuratedAnswer, fold: int) -> CuratedAnswer:
    """Return an answer without every fifth of its examples."""
    kept = {
        code: tuple(text for at, text in enumerate(said) if at % FOLDS != fold)
        for code, said in answer.examples.items()
    }
    return replace(answer, examples=kept)


def wordings() -> list[dict[str, str]]:
    return [json.loads(line) for line in WORDINGS.read_text(encoding="utf-8").splitlines()]


def fitted(names: Sequence[str], found: Sequence[Case]) -> tuple[np.ndarray, float]:
    """Return the weight of each sign, and the constant."""
    rows = np.array([[case.candidate.signs[name] for name in names] for case in found])
    middle, spread = rows.mean(axis=0), rows.std(axis=0) + 1e-9
    worth = [1.0 if case.is_wording else SHARE for case in found]
    model = LogisticRegression(C=HELD_BACK, max_iter=3_000)
    model.fit((rows - middle) / spread, [case.is_right for case in found], sample_weight=worth)
    weights = model.coef_[0] / spread
    return weights, float(model.intercept_[0] - weights @ middle)


def held_out(names: Sequence[str], found: Sequence[Case]) -> list[tuple[float, Case]]:
    """Return the likeliest candidate of each wording, by weights that were fitted without it."""
    best: dict[str, tuple[float, Case]] = {}
    for fold in range(FOLDS):
        counts, constant = fitted(names, [case for case in found if case.fold != fold])
        for case in (each for each in found if each.is_wording and each.fold == fold):
            odds = constant + sum(
                count * case.candidate.signs[name]
                for name, count in zip(names, counts, strict=True)
            )
            if case.question not in best or best[case.question][0] < odds:
                best[case.question] = (float(odds), case)
    return list(best.values())


def report(best: Sequence[tuple[float, Case]]) -> None:
    fresh = sum(bool(each["answer"]) for each in wordings())
    for chance in (0.5, 0.6, weights()[SURE], 0.8, 0.9):
        hits = [case for odds, case in best if 1 / (1 + np.exp(-odds)) >= chance]
        right = sum(case.is_right for case in hits)
        near = sum(not case.expected for case in hits)
        told = f"fresh {right / fresh:.3f}, near {near / (len(wordings()) - fresh):.3f}"
        print(f"from {chance:.3f}: {told}, another answer {len(hits) - right - near}")


def write(names: Sequence[str], found: Sequence[Case]) -> None:
    counts, constant = fitted(names, found)
    rows = [("constant", constant), *zip(names, counts, strict=True), (SURE, weights()[SURE])]
    with WEIGHTS.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("sign", "weight"))
        writer.writerows((name, f"{weight:.3f}") for name, weight in rows)


if __name__ == "__main__":
    with serving(chosen_hospital(sys.argv[1])):
        known = list(Bench(live_snapshot()).cases())
    signs = list(known[0].candidate.signs)
    report(held_out(signs, known))
    if "--write" in sys.argv:
        write(signs, known)
