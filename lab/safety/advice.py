"""Train and measure which messages ask for personal medical advice: `chat/defaults/advice.npz`.

    .venv/bin/python -m lab.safety.advice read WORK    the encoder's vectors of every message
    VENV/bin/python -m lab.safety.advice measure WORK  refused and needless by threshold
    VENV/bin/python -m lab.safety.advice ship WORK     chat/defaults/advice.npz

VENV is that of `train.py`. Learned from are the examples of intents (those of the product and
those in `lab/data`), `lab/needs/phrases.jsonl`, complaints that lead to a department and a third of
the questions over pages. Golden questions and the spent intents are only measured.

Tried and left out: a network of 24 hidden units, and frames of requests and their harmless twins
filled with words of the lexicon. Both refused as many at the same number of needless refusals.
"""

from __future__ import annotations

import argparse
import csv
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from lab.paths import DROPPED_EXAMPLES, INTENT_EXAMPLES, LAB, LEXICON, READING, ROOT, SAFETY

WEIGHTS = ROOT / "chat" / "defaults" / "advice.npz"
MEASURED = {
    "intents": LAB / "needs" / "spent-intents-2026-11-28.jsonl",
    "golden": ROOT / "zol" / "demo" / "pack" / "golden.jsonl",
    "golden elsewhere": ROOT / "tests" / "elsewhere" / "pack" / "golden.jsonl",
    "whom to see": SAFETY / "spent-whom-to-see-2026-11-28.jsonl",
    "whom to see, sealed": SAFETY / "spent-whom-sealed-2026-11-28.jsonl",
}
ADVICE = "out_of_scope_medical_advice"
#: Golden questions that something stops before anybody asks whether they want advice.
STOPPED = {"emergency", "adversarial_gcg", "indirect_injection"}
#: What stands for a name that is masked in an example.
STANDING_FOR = {
    "doctor": "doctor", "department": "cardiology", "condition": "diabetes",
    "treatment": "surgery", "examination": "mri", "campus": "campus",
}  # fmt: skip
#: One question over pages in so many; what a request weighs beside any other message; freedom of
#: the regression; thresholds that are measured.
EVERY, WEIGHT, FREEDOM = 3, 3, 10.0
THRESHOLDS = (0.2, 0.3, 0.4, 0.5, 0.65, 0.8)
Row = tuple[str, bool, str]


def rows_of(path: Path) -> list[dict[str, Any]]:
    """Return the rows of a file of JSON lines or of comma-separated values."""
    with path.open(encoding="utf-8", newline="") as file:
        if path.suffix == ".csv":
            return list(csv.DictReader(file))
        return [json.loads(line) for line in file if line.strip()]


def learned_from() -> Iterator[Row]:
    """Yield text, whether it asks for advice, and source."""
    for path in (INTENT_EXAMPLES, DROPPED_EXAMPLES):
        rows = rows_of(path)
        for row, text in zip(rows, spoken_examples(rows), strict=True):
            yield text, row["intent"] == ADVICE, "examples"
    for row in rows_of(LAB / "needs" / "phrases.jsonl"):
        yield row["text"], row["expect"] == "advice", "phrases"
    for name in ("training-whom-to-see", "training-whom-to-see-2"):
        for row in rows_of(SAFETY / f"{name}.jsonl"):
            if row.get("specialty"):
                yield row["text"], False, "whom to see"
    for row in rows_of(READING / "questions.jsonl")[::EVERY]:
        yield row["question"], False, "reading"


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
        for row in rows_of(path):
            if "intent" in row and "alternatives" in row:
                labels = {row["intent"], *row["alternatives"]}
                if labels == {ADVICE} or ADVICE not in labels:
                    yield row["text"], ADVICE in labels, name
            elif "question" in row:
                if row["category"] not in STOPPED:
                    yield row["question"], row["expect"] == "refuse_medical", name
            elif row.get("specialty"):
                yield row["text"], False, name


def read(work: Path) -> None:
    """Keep the vectors of all messages."""
    import os  # noqa: PLC0415

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "zol.settings")
    import django  # noqa: PLC0415

    django.setup()
    from chat.safety.advice import vector_of  # noqa: PLC0415

    file = work / "advice.npz"
    known = kept(file) if file.exists() else {}
    texts = list(dict.fromkeys(text for text, _, _ in (*learned_from(), *measured())))
    vectors = [known[text] if text in known else vector_of(text) for text in texts]
    np.savez(file, texts=np.array(texts), vectors=np.array(vectors, dtype=np.float32))


def kept(file: Path) -> dict[str, Any]:
    """Return the vectors that were read before."""
    with np.load(file) as found:
        return dict(zip(found["texts"].tolist(), found["vectors"], strict=True))


def fitted(work: Path) -> tuple[Any, dict[str, Any]]:
    """Return the regression, and the vector of each message."""
    from sklearn.linear_model import LogisticRegression  # noqa: PLC0415

    known = kept(work / "advice.npz")
    rows = list(learned_from())
    vectors = np.array([known[text] for text, _, _ in rows])
    asks = np.array([is_asked for _, is_asked, _ in rows])
    weights = {False: 1, True: WEIGHT}
    model = LogisticRegression(C=FREEDOM, max_iter=600, class_weight=weights)
    return model.fit(vectors / np.sqrt(2), asks), known


def measure(work: Path) -> None:
    """Print what each threshold refuses, rightly and needlessly, by the weights alone."""
    model, known = fitted(work)
    rows = list(measured())
    for name in MEASURED:
        of_set = [row for row in rows if row[2] == name]
        vectors = np.array([known[text] for text, _, _ in of_set]) / np.sqrt(2)
        chances = model.predict_proba(vectors)[:, 1]
        asks = np.array([is_asked for _, is_asked, _ in of_set])
        print(f"{name}: {asks.sum()} requests, {(~asks).sum()} others")
        for least in THRESHOLDS:
            refused = chances >= least
            print(f"  {least:.2f}  refused {(refused & asks).sum()}, needless "
                  f"{(refused & ~asks).sum()}")  # fmt: skip


def ship(work: Path) -> None:
    """Write the weights; vectors come to the product at their own length."""
    model, _ = fitted(work)
    np.savez(
        WEIGHTS,
        weights=(model.coef_[0] / np.sqrt(2)).astype(np.float32),
        bias=np.float32(model.intercept_[0]),
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
