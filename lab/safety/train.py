"""Train what emergencies sound like: `collect`, `read`, `fit`, `ship`, each from the files before.

    .venv/bin/python -m lab.safety.train collect WORK   texts, with mixtures of them
    .venv/bin/python -m lab.safety.train read WORK      the encoder's states of each
    VENV/bin/python -m lab.safety.train fit WORK PART   PART: upper, small, vector
    VENV/bin/python -m lab.safety.train ship WORK FILE  one graph for onnxruntime

The last two need `../requirements.txt` in an environment of their own. A part that
was fitted is kept; an epoch that was cut off is done again. `--held spent,exam` leaves sources out,
to measure on them. `--further FILE --new training-told,…` begins `upper` and `small` with a graph
that was shipped: few epochs over all of what is new and a part of the rest; `ship` takes the mean
of both. On one core reading takes 7 minutes, an epoch of `upper` 17, or 4 with `--further`.
"""

from __future__ import annotations

import argparse
import csv
import json
import random
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from lab.paths import DROPPED_EXAMPLES, EXAMS, INTENT_EXAMPLES, LAB, LEXICON, READING, SAFETY

DANGERS = ("none", "emergency", "crisis", "poison")
SEED = 23
#: Exam questions that readers would call urgent, or nearly: neither is learned from them.
UNCLEAR = {"e1-11", "e2-03", "e2-c3", "e3-05", "e5-10"}
#: Mixtures of ordinary questions in each language.
MIXED = 150
#: What leads to no department, the intents of which that is sure, and what other specialties that
#: an information desk would name count together.
NOWHERE, OTHERS = "", 0.3
PRACTICAL = {"off_topic", "navigation_or_practical_info", "vague_input", "unknown",
             "treatment_or_exam_information"}  # fmt: skip
#: Needs of questions that may lead to a department as a whole.
WHOM = {"which_department", "department", "doctor", "person", "emergency", "warning_signs", "child",
        "pain", "second_opinion", "offered", "vaccination"}  # fmt: skip
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
    for path in sorted(SAFETY.glob("*.jsonl")):
        for row in rows_of(path):
            yield _message(row, path.stem)
    for path in sorted(EXAMS.glob("spent-*.jsonl")):
        for row in rows_of(path):
            if row["id"] not in UNCLEAR:
                for turn in row.get("turns") or [row]:
                    yield _message({**row, "text": turn["question"]}, "exam")
    for path in (INTENT_EXAMPLES, DROPPED_EXAMPLES):
        yield from _examples(path)
    yield from _words(LAB / "data" / "complaint_routes.csv", LEXICON)
    yield from _asked(READING / "questions.jsonl")


def _asked(file: Path) -> Iterator[dict[str, Any]]:
    """Give questions about pages, which lead to no department as a whole."""
    for row in rows_of(file):
        if row["need"] not in WHOM:
            asked = {"language": row["language"], "text": row["question"], "expect": ""}
            yield {**_message(asked, "asked"), "leads": {NOWHERE: 1.0}}


def _examples(path: Path) -> Iterator[dict[str, Any]]:
    for row in rows_of(path):
        if "{" not in row["text"]:
            yield _message(row, "ordinary")


def _message(row: dict[str, Any], source: str) -> dict[str, Any]:
    if "text" not in row and "turns" in row:
        # A real one may be told by the last two messages together; an ordinary one by its own.
        last = row["turns"][-1 if row["expect"] == "none" else -2 :]
        expect = {"labour": "emergency"}.get(row["expect"], row["expect"])
        row = {**row, "text": "\n".join(last), "expect": expect}
    if "second" in row:
        goes_on = row["label"] == "meanwhile"
        row = {**row, "text": row["second"], "expect": "", "goes_on": goes_on}
    return {
        "source": source, "language": row["language"], "text": row["text"],
        "expect": row.get("expect", "none"), "is_story": bool(row.get("story")), "is_mixed": False,
        "leads": _leads(row), "goes_on": row.get("goes_on"),
    }  # fmt: skip


def _leads(row: Mapping[str, Any]) -> dict[str, float] | None:
    """Return how much each specialty is meant; nothing where a message does not say."""
    if named := row.get("specialty"):
        also = [each for each in row["also"] if each != named]
        share = OTHERS / len(also) if also else 0.0
        return {named: 1 - share * len(also), **dict.fromkeys(also, share)}
    return {NOWHERE: 1.0} if row.get("intent") in PRACTICAL else None


def _words(routed: Path, lexicon: Path) -> Iterator[dict[str, Any]]:
    """Give the words for each complaint of the lexicon, and where it leads."""
    from zol.languages import LANGUAGES  # noqa: PLC0415

    routes: dict[str, dict[str, float]] = defaultdict(dict)
    for row in rows_of(routed):
        routes[row["complaint"]][row["specialty"]] = float(row["weight"])
    for row in rows_of(lexicon):
        leads = routes.get(row["concept"], {})
        leads = {to: share / sum(leads.values()) for to, share in leads.items()}
        if row["kind"] == "specialty":
            leads = {row["concept"]: 1.0}
        for language in LANGUAGES if leads else ():
            for text in filter(None, row[language].split("|")):
                said = {"language": language, "text": text, "expect": ""}
                yield {**_message(said, "words"), "leads": leads}


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
        leads = None if one["source"] == "ordinary" else one["leads"]
        text = " ".join(_ended(each, chance) for each in said)
        return {**one, "text": text, "is_mixed": True, "leads": leads}

    plain = [one for one in found if not one["is_story"] and one["goes_on"] is None
             and one["source"].startswith(("train", "spent"))]  # fmt: skip
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
    from retrieval.embedding.e5.encoder import Encoder, load  # noqa: PLC0415
    from retrieval.embedding.e5.encoder import read as numbers  # noqa: PLC0415

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
    parser.add_argument(
        "--held", default="", help="beginnings of the names of sources that are not learned from"
    )
    parser.add_argument("--further", type=Path, help="a shipped graph to begin with")
    parser.add_argument(
        "--new", default="", help="beginnings of the names of sources it has not learned"
    )
    options = parser.parse_args()
    if options.step in {"collect", "read"}:
        {"collect": collect, "read": read}[options.step](options.work)
        return
    from lab.safety import networks  # noqa: PLC0415 - needs torch

    held, new = (tuple(filter(None, each.split(","))) for each in (options.held, options.new))
    further = networks.Further(options.further, new)
    if options.step == "fit":
        networks.fit(options.work, options.what, held, further)
    else:
        networks.ship(options.work, Path(options.what), held, further)


if __name__ == "__main__":
    main()
