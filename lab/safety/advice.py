"""Train and measure which messages ask for personal medical advice: `chat/defaults/advice.npz`.

    .venv/bin/python -m lab.safety.advice read WORK    numbers and concepts of every message
    VENV/bin/python -m lab.safety.advice measure WORK  refused and needless, each set held out
    VENV/bin/python -m lab.safety.advice ship WORK     chat/defaults/advice.npz

VENV is that of `train.py`. Learned from are the examples of intents and needs (those of the product
and those in `lab/data`), `lab/needs/phrases.jsonl`, `lab/needs/training-advice.jsonl`, exams,
complaints that lead to a department and a third of the questions over pages. Golden questions, the
last exam and the spent intents are only measured.

Tried and left out: networks of 24 and 48 hidden units, frames of requests and their harmless twins
filled with words of the lexicon, and the scores of intents beside the chance. All refused as many
at the same number of needless refusals.
"""

from __future__ import annotations

import argparse
import csv
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from lab.paths import (
    DROPPED_EXAMPLES,
    EXAMS,
    INTENT_EXAMPLES,
    LAB,
    LEXICON,
    NEED_EXAMPLES,
    READING,
    ROOT,
    SAFETY,
)  # fmt: skip

LATEST = EXAMS / "three-hospitals-2026-11-30.jsonl"
MEASURED = {
    "intents": LAB / "needs" / "spent-intents-2026-11-28.jsonl",
    "golden": ROOT / "zol" / "demo" / "pack" / "golden.jsonl",
    "golden elsewhere": ROOT / "tests" / "elsewhere" / "pack" / "golden.jsonl",
    "exam": LATEST,
    "whom to see": SAFETY / "spent-whom-to-see-2026-11-28.jsonl",
    "whom to see, sealed": SAFETY / "spent-whom-sealed-2026-11-28.jsonl",
}
WEIGHTS = ROOT / "chat" / "defaults" / "advice.npz"
ADVICE = "out_of_scope_medical_advice"
#: Golden questions that something stops before anybody asks whether they want advice.
STOPPED = {"emergency", "adversarial_gcg", "indirect_injection"}
#: What stands for a name that is masked in an example.
STANDING_FOR = {
    "doctor": "doctor", "department": "cardiology", "condition": "diabetes",
    "treatment": "surgery", "examination": "mri", "campus": "campus",
}  # fmt: skip
#: What an exam calls a question that asks for advice; one that may be urgent; ideal answers to
#: doubtful ones, which nothing is learned from.
ASKING, URGENT = {"refuse", "advice"}, {"near_urgent", "urgent", "emergency"}
DOUBTFUL = re.compile(
    r"[Nn]o (dose|diagnos|personal)|cannot decide|may be given|\b(mg|ml|kg|kilo)\b"
)
#: Where an exam says what should be answered; sets of fewer messages are held out whole.
IDEALS = ("ideal", "expects", "expect", "answer")
SMALL, SEED = 600, 1
#: One question over pages in so many; concepts that count occur so often; what requests and
#: their harmless twins weigh beside any other message; freedom of the regression; parts that are
#: held out in turn; thresholds.
EVERY, SEEN, WEIGHT, FREEDOM, FOLDS = 3, 5, 3, 2.0, 4
THRESHOLDS = (0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5)
#: Text, language, whether it asks for advice, and set.
Row = tuple[str, str, bool, str]


def rows_of(path: Path) -> list[dict[str, Any]]:
    """Return the rows of a file of JSON lines or of comma-separated values."""
    with path.open(encoding="utf-8", newline="") as file:
        if path.suffix == ".csv":
            return list(csv.DictReader(file))
        return [json.loads(line) for line in file if line.strip()]


def learned_from() -> Iterator[Row]:
    """Yield the messages that the weights learn from, each text once."""
    seen: set[str] = set()
    for row in chain(_of_examples(), _of_sets(), _of_care()):
        if row[0] not in seen:
            yield row
        seen.add(row[0])


def _of_examples() -> Iterator[Row]:
    for path in (INTENT_EXAMPLES, DROPPED_EXAMPLES):
        rows = rows_of(path)
        for row, text in zip(rows, spoken_examples(rows), strict=True):
            yield text, row["language"], row["intent"] == ADVICE, "examples"
    for row in rows_of(NEED_EXAMPLES):
        yield row["example"], row["language"], False, "needs"


def _of_sets() -> Iterator[Row]:
    for row in rows_of(LAB / "needs" / "phrases.jsonl"):
        yield row["text"], row["language"], row["expect"] == "advice", row["set"]
    for row in rows_of(LAB / "needs" / "training-advice.jsonl"):
        yield row["text"], row["language"], row["advice"], "rules and own cases"
    for path in sorted(EXAMS.glob("*.jsonl")):
        if path != LATEST and not path.name.startswith(("graded", "doctors")):
            yield from asked_in(path, "exams")


def _of_care() -> Iterator[Row]:
    for name in ("training-whom-to-see", "training-whom-to-see-2", "spent-body-2026-11-28"):
        for row in rows_of(SAFETY / f"{name}.jsonl"):
            if row.get("specialty") or row.get("label") == "question":
                yield row["text"], row["language"], False, "care"
    for row in rows_of(READING / "questions.jsonl")[::EVERY]:
        yield row["question"], row["language"], False, "reading"


def asked_in(exam: Path, name: str) -> Iterator[Row]:
    """Yield the first questions of an exam, but for urgent and doubtful ones."""
    for row in rows_of(exam):
        first = (row.get("turns") or [row])[0]
        told = {"question": first} if isinstance(first, str) else first
        kind = row.get("expect") or row.get("kind")
        ideal = " ".join(str(one.get(key, "")) for one in (row, told) for key in IDEALS)
        is_asked = kind in ASKING
        if kind not in URGENT and (is_asked or not DOUBTFUL.search(told["question"] + ideal)):
            yield told["question"], row.get("language") or row["lang"], is_asked, name


def spoken_examples(rows: Iterable[dict[str, Any]]) -> Iterator[str]:
    """Yield the text of each example, with a usual word for each masked name."""
    concepts = {row["concept"]: row for row in rows_of(LEXICON)}
    for row in rows:
        text: str = row["text"]
        for slot, concept in STANDING_FOR.items():
            text = text.replace(f"{{{slot}}}", concepts[concept][row["language"]].split("|")[0])
        yield text


def measured() -> Iterator[Row]:
    """Yield the messages that nothing is learned from."""
    for name, path in MEASURED.items():
        if path == LATEST:
            yield from asked_in(path, name)
            continue
        for row in rows_of(path):
            text, is_asked = row.get("text") or row.get("question", ""), _is_asked(row)
            if is_asked is not None:
                yield text, row["language"], is_asked, name


def _is_asked(row: dict[str, Any]) -> bool | None:
    """Tell whether a measured message asks for advice; None where judges may differ."""
    if "alternatives" in row:
        labels = {row["intent"], *row["alternatives"]}
        return None if ADVICE in labels and len(labels) > 1 else ADVICE in labels
    if "question" in row:
        return None if row["category"] in STOPPED else row["expect"] == "refuse_medical"
    return False if row.get("specialty") else None


def read(work: Path) -> None:
    """Keep numbers and concepts of all messages."""
    import os  # noqa: PLC0415

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "zol.settings")
    import django  # noqa: PLC0415

    django.setup()
    from chat.question.networks import advice_row, need_chances  # noqa: PLC0415
    from chat.safety.advice import advice_cues_of  # noqa: PLC0415
    from retrieval.embedding import get_encoder  # noqa: PLC0415
    from taxonomy.language.lexicon import Lexicon  # noqa: PLC0415
    from taxonomy.language.tokens import folded  # noqa: PLC0415
    from taxonomy.snapshot import Snapshot  # noqa: PLC0415

    lexicon, cues = Lexicon(rows_of(LEXICON)), Snapshot(0, 0).derived(advice_cues_of)
    texts, concepts, numbers = [], [], []
    for text, language, _, _ in (*learned_from(), *measured()):
        names = [use.concepts[0].name for use in lexicon.read(folded(text), language)]
        needs = need_chances(get_encoder().embed_message(text), names)
        is_named = cues.check(text).is_of_medicine
        numbers.append(advice_row(text, needs, names_medicine=is_named).astype(np.float16))
        texts.append(text)
        concepts.append(" ".join(names))
    np.savez(work / "advice.npz", texts=texts, concepts=concepts, numbers=np.array(numbers))


class Lessons:
    """Messages as numbers, and the regression over them."""

    def __init__(self, work: Path) -> None:
        with np.load(work / "advice.npz") as kept:
            self._texts = {text: at for at, text in enumerate(kept["texts"].tolist())}
            self._names = [names.split() for names in kept["concepts"].tolist()]
            self._numbers = kept["numbers"].astype(np.float32)
        self.rows = list(learned_from())
        seen = Counter(name for text, *_ in self.rows for name in set(self._spoken(text)))
        self.concepts = sorted(name for name, times in seen.items() if times >= SEEN)
        self.asks = np.array([is_asked for _, _, is_asked, _ in self.rows])
        # The states of pieces have a mean far from zero, which the bias takes up.
        self.mean = self.numbers(self.rows).mean(axis=0)

    def _spoken(self, text: str) -> list[str]:
        return self._names[self._texts[text]]

    def numbers(self, rows: Iterable[Row]) -> Any:
        """Return a row of numbers for each message, concepts last."""
        from chat.question.networks import OF_ADVICE, concept_row  # noqa: PLC0415

        places = {name: at for at, name in enumerate(self.concepts)}
        return np.array(
            [
                np.concatenate(
                    [
                        self._numbers[self._texts[text]],
                        concept_row(self._spoken(text), places, OF_ADVICE),
                    ]
                )
                for text, *_ in rows
            ]
        )

    def fitted(self, chosen: Any) -> Any:
        """Return the regression over the chosen messages."""
        from sklearn.linear_model import LogisticRegression  # noqa: PLC0415

        close = {name for *_, is_asked, name in self.rows if is_asked} - {"examples", "exams"}
        weights = [WEIGHT if row[2] or row[3] in close else 1 for row in self.rows]
        model = LogisticRegression(C=FREEDOM, max_iter=300)
        rows = self.numbers(self.rows)[chosen] - self.mean
        return model.fit(rows, self.asks[chosen], sample_weight=np.array(weights)[chosen])


def measure(work: Path) -> None:
    """Print what each threshold refuses, rightly and needlessly, by the weights alone.

    Of what is learned from, each set is held out in turn, the large ones in parts.
    """
    lessons = Lessons(work)
    sets = np.array([name for *_, name in lessons.rows])
    part = np.random.default_rng(SEED).integers(FOLDS, size=len(sets))
    small = sorted({name for name in sets if (sets == name).sum() < SMALL})
    for at, name in enumerate(small):
        part[sets == name] = at % FOLDS
    chances = np.zeros(len(sets))
    for fold in range(FOLDS):
        held = part == fold
        model = lessons.fitted(~held)
        rows = lessons.numbers(lessons.rows)[held] - lessons.mean
        chances[held] = model.predict_proba(rows)[:, 1]
    others = list(measured())
    model = lessons.fitted(np.ones(len(sets), dtype=bool))
    found = model.predict_proba(lessons.numbers(others) - lessons.mean)[:, 1]
    every = [*zip(lessons.rows, chances, strict=True), *zip(others, found, strict=True)]
    print(f"{'':30}" + "".join(f"{least:>16}" for least in THRESHOLDS))
    for by, title in ((3, "set"), (1, "language")):
        for name in dict.fromkeys(row[by] for row, _ in every):
            print(f"{title} {name:24}{_line([each for each in every if each[0][by] == name])}")


def _line(rows: list[tuple[Row, float]]) -> str:
    """Return for each threshold how many requests and how many others are refused."""
    asks = np.array([row[2] for row, _ in rows])
    chances = np.array([chance for _, chance in rows])
    told = [
        " ".join(f"{(chances[of] >= least).sum()}/{of.sum()}" for of in (asks, ~asks))
        for least in THRESHOLDS
    ]
    return "".join(f"{each:>16}" for each in told)


def ship(work: Path) -> None:
    """Write the weights; the mean of what was learned from goes into the bias."""
    from chat.question.networks import GENERAL, PERSONAL  # noqa: PLC0415

    lessons = Lessons(work)
    model = lessons.fitted(np.ones(len(lessons.rows), dtype=bool))
    weights = model.coef_[0].astype(np.float16)
    bias = model.intercept_[0] - lessons.mean @ weights.astype(np.float32)
    np.savez_compressed(
        WEIGHTS,
        keys=[GENERAL, PERSONAL],
        concepts=lessons.concepts,
        weights=np.stack([np.zeros_like(weights), weights], axis=1),
        bias=np.array([0, bias], dtype=np.float32),
    )


def main() -> None:
    """Read the command line and do one step."""
    parser = argparse.ArgumentParser(description=__doc__)
    steps = {"read": read, "measure": measure, "ship": ship}
    parser.add_argument("step", choices=steps)
    parser.add_argument("work", type=Path)
    options = parser.parse_args()
    steps[options.step](options.work)


if __name__ == "__main__":
    main()
