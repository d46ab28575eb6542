"""Train what emergencies sound like: `collect`, `read`, `fit`, `ship`, each from the files before.

    .venv/bin/python evaluation/lab/safety/train.py collect WORK   texts, with mixtures of them
    .venv/bin/python evaluation/lab/safety/train.py read WORK      the encoder's states of each
    VENV/bin/python evaluation/lab/safety/train.py fit WORK PART   PART: upper, small, vector
    VENV/bin/python evaluation/lab/safety/train.py ship WORK FILE  one graph for onnxruntime

The last two need `../requirements.txt` in an environment of their own. A part that
was fitted is kept; an epoch that was cut off is done again. `--held spent,exam` leaves sources out,
to measure on them. On two shared cores reading takes 3 minutes, `upper` 4 to 8 minutes an epoch,
`small` half a minute, `vector` a quarter in all.
"""

from __future__ import annotations

import argparse
import csv
import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

HERE, ROOT = Path(__file__).parent, Path(__file__).parents[3]
sys.path[:0] = [str(HERE), str(ROOT)]

DANGERS = ("none", "emergency", "crisis", "poison")
SEED = 23
#: Exam questions that readers would call urgent, or nearly: neither is learned from them.
UNCLEAR = {"e1-11", "e2-03", "e2-c3", "e3-05", "e5-10"}
#: Mixtures of ordinary questions in each language.
MIXED = 150
#: Pieces of a message that are read.
LONGEST = 256


def rows_of(path: Path) -> list[dict[str, Any]]:
    """Return the rows of a file of JSON lines or of comma-separated values."""
    with path.open(encoding="utf-8", newline="") as file:
        if path.suffix == ".csv":
            return list(csv.DictReader(file))
        return [json.loads(line) for line in file if line.strip()]


def sources() -> Iterator[dict[str, Any]]:
    """Give every message with its language, source and what it tells of."""
    for path in sorted(HERE.glob("*.jsonl")):
        for row in rows_of(path):
            yield _message(row, "spent" if "spent" in path.name else "train")
    for path in sorted((HERE.parent / "exams").glob("spent-*.jsonl")):
        for row in rows_of(path):
            if row["id"] not in UNCLEAR:
                for turn in row.get("turns") or [row]:
                    yield _message({**row, "text": turn["question"]}, "exam")
    yield from _defaults(ROOT / "chat" / "defaults")


def _defaults(folder: Path) -> Iterator[dict[str, Any]]:
    from chat.safety.heard import danger_of  # noqa: PLC0415 - not in the other environment

    for row in rows_of(folder / "red_flags.csv"):
        if row["role"] == "example":
            yield _message({**row, "expect": str(danger_of(row["kind"]))}, "train")
    for row in rows_of(folder / "intent_examples.csv"):
        if "{" not in row["text"]:
            yield _message(row, "ordinary")


def _message(row: dict[str, Any], source: str) -> dict[str, Any]:
    return {
        "source": source, "language": row["language"], "text": row["text"],
        "expect": row.get("expect", "none"), "is_story": bool(row.get("story")), "is_mixed": False,
    }  # fmt: skip


def collect(work: Path) -> None:
    """Write all messages, and each within ordinary questions, where an emergency is told too."""
    chance = random.Random(SEED)  # noqa: S311 - nothing secret
    found = list(sources())
    ordinary: dict[str, list[str]] = {}
    for one in found:
        if one["source"] == "ordinary" and len(one["text"]) > 12:
            ordinary.setdefault(one["language"], []).append(one["text"])

    def mixed(one: dict[str, Any]) -> dict[str, Any]:
        said = chance.choices(ordinary[one["language"]], k=chance.choice([1, 1, 2, 2, 3]))
        said.insert(chance.randrange(len(said) + 1), one["text"])
        return {**one, "text": " ".join(_ended(each, chance) for each in said), "is_mixed": True}

    plain = [one for one in found if one["source"] in {"train", "spent"} and not one["is_story"]]
    asked = [_message({"language": code, "text": chance.choice(texts)}, "ordinary")
             for code, texts in ordinary.items() for _ in range(MIXED)]  # fmt: skip
    found += [mixed(one) for one in (*plain, *asked)]
    (work / "texts.json").write_text(json.dumps(found, ensure_ascii=False), encoding="utf-8")
    print(f"{len(found)} messages")


def _ended(text: str, chance: random.Random) -> str:
    text = text[:1].upper() + text[1:] if chance.random() < 0.6 else text
    return text if text[-1:] in ".!?…" else text + chance.choice([".", ".", "?", " ...", "\n", "!"])


def read(work: Path) -> None:
    """Keep the states of every piece after the middle layer, and the vector of every message."""
    from retrieval.embedding.e5.encoder import Encoder  # noqa: PLC0415
    from retrieval.embedding.e5.weights import load  # noqa: PLC0415
    from retrieval.embedding.e5.weights import read as numbers  # noqa: PLC0415

    encoder, vectors, states = Encoder(), [], []
    for one in json.loads((work / "texts.json").read_text(encoding="utf-8")):
        text = one["text"].lower() if one["text"].isupper() else one["text"]
        vector, middle = encoder.half_read(f"query: {text}")
        vectors.append(vector)
        states.append(middle[:LONGEST].astype(np.float16))
    np.save(work / "vectors.npy", np.array(vectors))
    np.save(work / "ends.npy", np.cumsum([len(each) for each in states]))
    np.save(work / "states.npy", np.concatenate(states))
    stored, upper = load(), {}
    for name in stored.places:
        layer, _, part = name.partition(".")
        if layer in {"l9", "l10", "l11"}:
            width = stored.plain(f"{layer}.fi.b").size if part == "fo.w" else stored.width
            is_matrix = part.endswith(".w") and "ln" not in part
            upper[name] = numbers(stored.blocks(name, width)) if is_matrix else stored.plain(name)
    np.savez(work / "upper.npz", **upper)


def main() -> None:
    """Read the command line and do one step."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("step", choices=["collect", "read", "fit", "ship"])
    parser.add_argument("work", type=Path)
    parser.add_argument("what", nargs="?", default="")
    parser.add_argument("--held", default="", help="sources that are not learned from")
    options = parser.parse_args()
    if options.step in {"collect", "read"}:
        {"collect": collect, "read": read}[options.step](options.work)
        return
    import networks  # noqa: PLC0415 - needs torch

    if options.step == "fit":
        networks.fit(options.work, options.what, set(options.held.split(",")))
    else:
        networks.ship(options.work, Path(options.what))


if __name__ == "__main__":
    main()
