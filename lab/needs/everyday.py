"""Train and measure whether a question is about everyday life, by the encoder's vector alone.

    VENV/bin/python -m lab.needs.everyday measure DATA   by sites and topics held out
    VENV/bin/python -m lab.needs.everyday ship DATA      chat/defaults/everyday.npz

VENV is that of `train.py`. Learned from are the labelled questions of `lab/reading` and
their twins, the examples of intents, and of DATA, a folder: `offtopic/*.jsonl` (orders to a voice
assistant: text, language, intent) and `reading*/*.questions.jsonl` (questions over articles of an
encyclopaedia). Reading takes two minutes on one processor.
"""

from __future__ import annotations

import argparse
import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold

from chat.question.off_topic import FILE
from lab.needs.train import EVERYWHERE
from lab.paths import DROPPED_EXAMPLES, INTENT_EXAMPLES, READING
from retrieval.embedding import get_hearer

#: Weights of an example, which may be one of hundreds made alike, and of a question over an
#: article, which nobody asks a hospital: beside 1 of any other.
OF_EXAMPLE, OF_ARTICLE = 0.7, 0.25
#: Of the questions over articles, one in so many is read.
EVERY = 6
FREEDOM, FOLDS = 10.0, 6
#: Folders of DATA with questions over articles, and the one file of the second that is read.
ARTICLES = (("reading", "*.questions.jsonl"), ("reading_more", "fr-piaf.questions.jsonl"))


def lines(path: Path) -> Iterator[dict[str, Any]]:
    return map(json.loads, path.open(encoding="utf-8"))


Question = tuple[str, bool, str, float]


def asked() -> Iterator[Question]:
    """Yield text, False, site and weight of what is asked a hospital and its like."""
    sites = {page["id"]: page["site"] for page in lines(READING / "pages.jsonl")}
    for each in lines(READING / "questions.jsonl"):
        for text in filter(None, (each["question"], each.get("twin"))):
            yield text, False, sites[each["page"]], 1.0


def exemplified() -> Iterator[Question]:
    """Yield the examples of intents, which belong to no site."""
    for path in (INTENT_EXAMPLES, DROPPED_EXAMPLES):
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                yield row["text"], row["intent"] == "off_topic", EVERYWHERE, OF_EXAMPLE


def everyday(data: Path) -> Iterator[Question]:
    """Yield text, True, topic and weight of what nobody asks a hospital."""
    for path in sorted((data / "offtopic").glob("*.jsonl")):
        for each in lines(path):
            yield each["text"], True, f"order: {each['intent']}", 1.0
    for folder, pattern in ARTICLES:
        for path in sorted((data / folder).glob(pattern)):
            for each in list(lines(path))[::EVERY]:
                yield each["question"], True, f"article: {each.get('article')}", OF_ARTICLE


def main() -> None:
    """Read the command line and do one step."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("step", choices=["measure", "ship"])
    parser.add_argument("data", type=Path)
    options = parser.parse_args()
    every = (*asked(), *exemplified(), *everyday(options.data))
    texts, told, groups, weights = map(np.array, zip(*every, strict=True))
    rows = np.array([get_hearer().heard(text) for text in texts.tolist()])

    def fitted(which: Any) -> LogisticRegression:
        model = LogisticRegression(C=FREEDOM, max_iter=400)
        return model.fit(rows[which], told[which], sample_weight=weights[which])

    if options.step == "ship":
        model = fitted(np.arange(len(rows)))
        np.savez(FILE, weights=model.coef_[0].astype(np.float32), bias=model.intercept_[0])
        return
    odds = np.zeros(len(rows))
    for _, held in GroupKFold(FOLDS).split(rows, groups=groups):
        others = ~np.isin(groups, list(set(groups[held]) - {EVERYWHERE}))
        odds[held] = fitted(others).decision_function(rows[held])
    is_order = np.char.startswith(groups, "order: ")
    is_article = np.char.startswith(groups, "article: ")
    is_asked = ~is_order & ~is_article & (groups != EVERYWHERE)
    print("odds from: labelled questions refused, orders and questions over articles caught")
    for least in (-1, 0, 1, 2):
        shares = (100 * (odds[which] > least).mean() for which in (is_asked, is_order, is_article))
        print(least, *(f"{share:.1f} %" for share in shares))


if __name__ == "__main__":
    main()
