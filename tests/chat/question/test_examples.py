"""The example questions that intents are learned from."""

from __future__ import annotations

import json
from collections import Counter
from itertools import product

import pytest

from retrieval.intents import Intent
from taxonomy.tokens import folded
from tests.chat.question.readers import ROOT, default_rows
from zol.languages import LANGUAGES

EXAMPLES = default_rows("chat/defaults/intent_examples.csv")
GOLDEN = (
    "zol/demo/pack/golden.jsonl",
    "tests/packs/mini/golden.jsonl",
    "tests/elsewhere/pack/golden.jsonl",
)
#: Share of words that two questions have in common from which one was written after the other.
COPIED = 0.7
#: Fewer words are shared by chance.
SHORT = 4


def asked(path: str) -> list[str]:
    turns = []
    for line in (ROOT / path).read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        turns += row.get("turns") or [row["question"]]
    return [turn if isinstance(turn, str) else turn["question"] for turn in turns]


@pytest.mark.parametrize("path", GOLDEN)
def test_no_golden_question_was_copied_into_the_examples(path):
    golden = [(frozenset(folded(text)), text) for text in asked(path)]
    examples = [(frozenset(folded(row["text"])), row["text"]) for row in EXAMPLES]

    copied = [
        (example, question)
        for (words, example), (others, question) in product(examples, golden)
        if len(words & others) >= COPIED * len(words | others)
        and (min(len(words), len(others)) >= SHORT or words == others)
    ]

    assert copied == []


@pytest.mark.parametrize("intent", list(Intent))
def test_every_intent_has_examples_in_every_language(intent):
    known = Counter(row["language"] for row in EXAMPLES if row["intent"] == intent)

    assert min(known[code] for code in LANGUAGES) >= 15


def test_no_example_says_two_things():
    meanings = Counter((row["language"], " ".join(folded(row["text"]))) for row in EXAMPLES)

    assert [text for text, times in meanings.items() if times > 1] == []
