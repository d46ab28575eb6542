"""Train and measure which need a question has.

    VENV/bin/python -m lab.needs.train measure   by sites that nothing is learned from
    VENV/bin/python -m lab.needs.train ship      chat/defaults/needs.npz

VENV has `requirements.txt` beside this file and the product's own packages. Learned from are the
labelled questions of `lab/reading` and the examples of `lab/data`. Reading takes a minute on one
processor, fitting ten seconds, a measurement five minutes.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "zol.settings")

from chat.question.networks import NEEDS, OF_NEEDS, concept_row
from lab.paths import LEXICON, NEED_EXAMPLES, READING
from retrieval.embedding import get_encoder
from taxonomy.facts.needs import keys
from taxonomy.language.lexicon import Lexicon
from taxonomy.language.tokens import folded
from zol.languages import LANGUAGES

#: Questions from which on a concept counts.
SEEN = 4
#: How freely weights may grow. From 5 to 10 held sites are read alike; chances are truest at this.
FREEDOM = 7.0
FOLDS, BINS, SEED = 8, 10, 1
#: Nearest neighbours that vote, and how fast a vote fades with the cosine.
NEAREST, FADING = 40, 0.1
#: The site of an example: none is ever held out.
EVERYWHERE = ""


@dataclass(frozen=True, slots=True, eq=False)
class TrainingSet:
    """Questions and examples: rows of numbers, needs, sites and languages."""

    rows: np.ndarray[Any, Any]
    needs: np.ndarray[Any, Any]
    sites: np.ndarray[Any, Any]
    languages: np.ndarray[Any, Any]
    concepts: tuple[str, ...]

    def of(self, which: np.ndarray[Any, Any]) -> Self:
        """Return some of them."""
        parts = (self.rows, self.needs, self.sites, self.languages)
        rows, needs, sites, languages = (part[which] for part in parts)
        return replace(self, rows=rows, needs=needs, sites=sites, languages=languages)


def labelled() -> Iterator[tuple[str, str, str, str]]:
    """Yield text, language, need and site of each question and example."""
    pages = map(json.loads, (READING / "pages.jsonl").open(encoding="utf-8"))
    sites = {page["id"]: page["site"] for page in pages}
    for line in (READING / "questions.jsonl").open(encoding="utf-8"):
        asked = json.loads(line)
        yield asked["question"], asked["language"], asked["need"], sites[asked["page"]]
    with NEED_EXAMPLES.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            yield row["example"], row["language"], row["key"], EVERYWHERE


def lessons() -> TrainingSet:
    """Return everything that is learned from."""
    with LEXICON.open(encoding="utf-8", newline="") as file:
        lexicon = Lexicon(list(csv.DictReader(file)))
    texts, languages, needs, sites = zip(*labelled(), strict=True)
    spoken = [
        [use.concepts[0].name for use in lexicon.read(folded(text), language)]
        for text, language in zip(texts, languages, strict=True)
    ]
    seen = Counter(name for names in spoken for name in set(names))
    concepts = tuple(sorted(name for name, times in seen.items() if times >= SEEN))
    places = {name: at for at, name in enumerate(concepts)}
    encoder = get_encoder()
    rows = [
        np.concatenate([encoder.embed_message(text), concept_row(names, places, OF_NEEDS)])
        for text, names in zip(texts, spoken, strict=True)
    ]
    return TrainingSet(
        np.array(rows), np.array(needs), np.array(sites), np.array(languages), concepts
    )


Chances = Callable[[np.ndarray[Any, Any]], np.ndarray[Any, Any]]


def regression(known: TrainingSet) -> Chances:
    """Return what a softmax regression says, by the order of all needs."""
    fitted = fit(known)
    order = [list(fitted.classes_).index(key) for key in keys()]
    return lambda rows: fitted.predict_proba(rows)[:, order]


def neighbours(known: TrainingSet) -> Chances:
    """Return what the nearest questions and examples say."""
    places = np.array([keys().index(need) for need in known.needs])
    unit = known.rows / np.linalg.norm(known.rows, axis=1, keepdims=True)

    def chances(rows: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        near = rows / np.linalg.norm(rows, axis=1, keepdims=True) @ unit.T
        votes = np.zeros((len(rows), len(keys())))
        for at, row in enumerate(near):
            best = np.argpartition(-row, NEAREST)[:NEAREST]
            shares = np.exp((row[best] - row[best].max()) / FADING)
            np.add.at(votes[at], places[best], shares / shares.sum())
        return votes

    return chances


def fit(known: TrainingSet) -> LogisticRegression:
    """Return the fitted regression."""
    return LogisticRegression(C=FREEDOM, max_iter=300, tol=1e-3).fit(known.rows, known.needs)


def measure(
    every: TrainingSet, learn: Callable[[TrainingSet], Chances], share: float = 1.0
) -> None:
    """Print how well the needs of sites are read that nothing was learned from; of the questions
    of other sites a share is learned from, of the examples all."""
    asked, draw = every.of(every.sites != EVERYWHERE), np.random.default_rng(SEED)
    chances = np.zeros((len(asked.needs), len(keys())))
    for _, held in GroupKFold(FOLDS).split(asked.rows, groups=asked.sites):
        others = ~np.isin(every.sites, list(set(asked.sites[held])))
        is_drawn = (every.sites == EVERYWHERE) | (draw.random(len(every.sites)) < share)
        chances[held] = learn(every.of(others & is_drawn))(asked.rows[held])
    right = np.array([keys().index(need) for need in asked.needs])
    places = (-chances).argsort(axis=1) == right[:, None]
    for language in (*LANGUAGES, "all"):
        which = (asked.languages == language) | (language == "all")
        one, three = places[which, 0].mean(), places[which, :3].any(axis=1).mean()
        wrong = calibration_error(chances[which].max(axis=1), places[which, 0])
        print(f"{language:4} {which.sum():5} {one:6.3f} {three:6.3f} {wrong:6.3f}", flush=True)


def calibration_error(said: np.ndarray[Any, Any], was_right: np.ndarray[Any, Any]) -> float:
    """Return by how much what was said differs from what was right, over ten bins."""
    bins = np.ceil(said * BINS)
    which = (bins == each for each in np.unique(bins))
    return sum(one.mean() * abs(was_right[one].mean() - said[one].mean()) for one in which)


def ship(every: TrainingSet) -> None:
    """Write the weights, learned from everything."""
    fitted = fit(every)
    order = [list(fitted.classes_).index(key) for key in keys()]
    np.savez_compressed(
        NEEDS,
        keys=np.array(keys()),
        concepts=np.array(every.concepts),
        weights=fitted.coef_[order].T.astype(np.float16),
        bias=fitted.intercept_[order].astype(np.float16),
    )


def main() -> None:
    """Read the command line and do one step."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("step", choices=["measure", "ship"])
    every = lessons()
    if parser.parse_args().step == "ship":
        ship(every)
        return
    for name, learn, share in (
        ("regression", regression, 1.0),
        ("regression, half of the questions", regression, 0.5),
        ("regression, a quarter of the questions", regression, 0.25),
        ("regression, examples alone", regression, 0.0),
        ("nearest examples and questions", neighbours, 1.0),
    ):
        print(f"{name}: questions, first, among three, calibration error")
        measure(every, learn, share)
    vectors = replace(every, rows=every.rows[:, : -len(every.concepts)])
    print("regression over the vector alone")
    measure(vectors, regression)


if __name__ == "__main__":
    main()
