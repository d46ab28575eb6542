"""Train and measure which intent a message has.

    STATE_DIR=.state-lab VENV/bin/python -m lab.needs.intents measure   examples held out, strangers
    STATE_DIR=.state-lab VENV/bin/python -m lab.needs.intents ship      chat/defaults/intents.npz

VENV is that of `train.py`; STATE_DIR holds the demonstration, whose things are resolved in the
texts (`python -m lab floors` loads it). Learned from are the examples of intents, those that came
with the product before, the examples of needs and the labelled questions of `lab/reading` by the
intents of their needs. Reading takes five minutes on one processor, fitting five seconds.
"""

from __future__ import annotations

import argparse
import csv
import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import django
import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold

from chat.question.examples import Example, filled
from chat.question.networks import INTENTS, LED, OF_INTENTS, concept_row, intent_row, need_chances
from lab.paths import DROPPED_EXAMPLES, INTENT_EXAMPLES, NEED_EXAMPLES, READING
from retrieval.embedding import get_encoder
from retrieval.intents import Intent
from taxonomy.facts.needs import intents
from taxonomy.language.lexicon import lexicon_of
from taxonomy.language.tokens import folded
from taxonomy.publishing.live import live_snapshot
from taxonomy.resolvers import resolve, resolver_index
from taxonomy.resolvers.entries import FROM_CONDITION
from taxonomy.snapshot import Snapshot
from zol.devservices.services import run
from zol.models import Hospital
from zol.tenancy import serving

#: Examples of which a concept counts; what a question labelled by its need weighs beside an
#: example; how freely weights may grow.
SEEN, OF_NEED, FREEDOM = 4, 0.3, 3.0
#: One in so many of the labelled questions over pages is read.
EVERY = 3
FOLDS, SEED = 5, 1

Row = tuple[str, str, str, float]


def labelled(snapshot: Snapshot) -> Iterator[tuple[str, Row]]:
    """Yield each text as it is written, and as spoken with language, intent and weight."""
    lexicon = snapshot.derived(lexicon_of)
    for path in (INTENT_EXAMPLES, DROPPED_EXAMPLES):
        for row in csv.DictReader(path.open(encoding="utf-8", newline="")):
            example = Example(Intent(row["intent"]), row["language"], row["text"])
            said = filled(example, lexicon)
            yield row["text"], (said, row["language"], row["intent"], 1.0)
    for row in csv.DictReader(NEED_EXAMPLES.open(encoding="utf-8", newline="")):
        text = row["example"]
        yield text, (text, row["language"], intents()[row["key"]], OF_NEED)
    for line in list((READING / "questions.jsonl").open(encoding="utf-8"))[::EVERY]:
        row = json.loads(line)
        text, intent = row["question"], intents().get(row["need"], Intent.UNKNOWN)
        yield text, (text, row["language"], intent, OF_NEED)


def named(text: str, language: str, snapshot: Snapshot) -> set[str]:
    """Return the kinds of things that a text names, masked or not."""
    found = resolve(text, snapshot.derived(resolver_index), language)
    kinds = {str(match.thing.kind) for match in found if match.by != FROM_CONDITION}
    led = {LED} if any(match.by == FROM_CONDITION for match in found) else set()
    return kinds | led | set(re.findall(r"\{(\w+)\}", text))


def lessons(snapshot: Snapshot) -> tuple[Any, ...]:
    """Return numbers, intents and weights of all texts, and the concepts that count."""
    lexicon, encoder = snapshot.derived(lexicon_of), get_encoder()
    rows = [pair for pair in labelled(snapshot) if pair[1][2] != Intent.UNKNOWN]
    spoken_of = [
        [use.concepts[0].name for use in lexicon.read(folded(said), language)]
        for _, (said, language, _, _) in rows
    ]
    seen = Counter(name for names in spoken_of for name in set(names))
    concepts = sorted(name for name, times in seen.items() if times >= SEEN)
    places = {name: at for at, name in enumerate(concepts)}
    made = []
    for (text, (said, language, _, _)), names in zip(rows, spoken_of, strict=True):
        vector = encoder.embed_message(said)
        needs = need_chances(vector, names)
        row = intent_row(vector, named(text, language, snapshot), needs)
        made.append(np.concatenate([row, concept_row(names, places, OF_INTENTS)]))
    wanted = np.array([str(intent) for _, (_, _, intent, _) in rows])
    weights = np.array([weight for _, (_, _, _, weight) in rows])
    return np.array(made, dtype=np.float32), wanted, weights, concepts


def fit(rows: Any, wanted: Any, weights: Any) -> LogisticRegression:
    model = LogisticRegression(C=FREEDOM, max_iter=80, tol=1e-3, class_weight="balanced")
    return model.fit(rows, wanted, sample_weight=weights)


def main() -> None:
    """Read the command line and do one step."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("step", choices=["measure", "ship"])
    step = parser.parse_args().step
    with serving(Hospital.objects.first()):
        rows, wanted, weights, concepts = lessons(live_snapshot())
    if step == "measure":
        held = np.zeros(len(rows), dtype=bool)
        for learned, asked in StratifiedKFold(FOLDS, shuffle=True, random_state=SEED).split(
            rows, wanted
        ):
            model = fit(rows[learned], wanted[learned], weights[learned])
            held[asked] = model.predict(rows[asked]) == wanted[asked]
        for intent in sorted(set(wanted)):
            print(f"{intent:32}{held[wanted == intent].mean():.3f}")
        print(f"{'all':32}{held.mean():.3f}")
        return
    model = fit(rows, wanted, weights)
    np.savez_compressed(
        INTENTS,
        keys=model.classes_,
        concepts=np.array(concepts),
        weights=model.coef_.T.astype(np.float16),
        bias=model.intercept_.astype(np.float16),
    )


if __name__ == "__main__":
    run(["manage.py", "intents"], lambda words: (django.setup(), main())[1])
