"""Train and measure whether a message follows another, by the encoder's vector of it alone.

    VENV/bin/python -m lab.needs.follows measure [FILE]   languages held out, or FILE
    VENV/bin/python -m lab.needs.follows ship            chat/defaults/follows.npz

VENV is that of `train.py`. Learned from are `follows.jsonl` beside this file, the conversations of
exams that are spent, and the questions over pages of `lab/reading`, which stand alone.
Reading takes two minutes on one processor, fitting half a minute.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.neural_network import MLPClassifier

from chat.question.networks import FOLLOWS, Follows
from lab.paths import EXAMS, READING
from retrieval.embedding import get_encoder

HERE = Path(__file__).parent
#: Hidden units, how near weights are held to zero, rounds, and the beginning of chance.
HIDDEN, DECAY, ROUNDS, SEED = 128, 0.3, 30, 1
#: How many of the questions over pages are read: one in so many.
EVERY = 2


def lines(path: Path) -> Iterator[dict[str, Any]]:
    return map(json.loads, path.open(encoding="utf-8"))


def told() -> Iterator[tuple[str, str, bool]]:
    """Yield text, language, and whether it needs the message before it."""
    for row in lines(HERE / "follows.jsonl"):
        yield row["text"], row["language"], row["follows"]
    for path in sorted(EXAMS.glob("*.jsonl")):
        asked = () if path.name.startswith(("graded", "sealed")) else lines(path)
        for row in asked:
            for at, turn in enumerate(row.get("turns") or [row]):
                text = turn if isinstance(turn, str) else turn["question"]
                yield text, row["language"], at > 0
    for row in list(lines(READING / "questions.jsonl"))[::EVERY]:
        yield row["question"], row["language"], False


def fitted(rows: Any, follows: Any) -> Follows:
    """Return a network that was fitted to vectors and what follows."""
    model = MLPClassifier(
        (HIDDEN,), alpha=DECAY, max_iter=ROUNDS, random_state=SEED, n_iter_no_change=ROUNDS
    )
    model.fit(rows, follows)
    (hidden, out), (bias, last) = model.coefs_, model.intercepts_
    return Follows(*(np.asarray(each, np.float16) for each in (hidden, bias, out[:, 0], last)))


def table(chances: Any, follows: Any) -> None:
    """Print what is caught, and what is taken for it, from different chances on."""
    print("from: messages that follow caught, others taken for one")
    for least in (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7):
        caught, taken = chances[follows] >= least, chances[~follows] >= least
        print(least, f"{caught.sum()} of {caught.size}, {taken.sum()} of {taken.size}")


def main() -> None:
    """Read the command line and do one step."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("step", choices=["measure", "ship"])
    parser.add_argument("file", nargs="?", type=Path, help="messages to measure what ships by")
    options = parser.parse_args()
    if options.file:
        messages = list(lines(options.file))
        chances = [
            Follows.of_file().chance(get_encoder().embed_message(m["text"])) for m in messages
        ]
        table(np.array(chances), np.array([m["follows"] for m in messages]))
        return
    texts, languages, follows = map(np.array, zip(*told(), strict=True))
    rows = np.array([get_encoder().embed_message(text) for text in texts.tolist()])
    if options.step == "ship":
        made = fitted(rows, follows)
        np.savez_compressed(FOLLOWS, **{name: getattr(made, name) for name in Follows.__slots__})
        return
    chances = np.zeros(len(rows))
    for language in sorted(set(languages)):
        held = languages == language
        known = fitted(rows[~held], follows[~held])
        chances[held] = [known.chance(row) for row in rows[held]]
    table(chances, follows)


if __name__ == "__main__":
    main()
