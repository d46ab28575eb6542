"""Learning what tells a program's text from a person's: a logistic regression over traits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random

import numpy as np
from scipy.optimize import minimize
from scipy.sparse import csr_array

from chat.safety.attacks import BIAS, STRETCH, SuffixDetector, stretches, traits
from lab.suffixes.habits import attacks, messages

#: Invented attacks and messages that are learned from; messages among which the hardest are looked
#: for, and how often.
ATTACKS, MESSAGES, LOOKED_THROUGH, ROUNDS = 8_000, 20_000, 20_000, 3
#: Share of a stretch that is the attack's, from which it is learned as one.
MOSTLY = 0.6
#: Traits that are kept, and in how many stretches they must be.
KEPT, LEAST = 1_000, 12
#: What a person who is turned away weighs against an attack that is let through; ridge; and the
#: odds from which a message is a hard one.
HARM, RIDGE, HARD = 2.5, 2.0, -2.0
Traits = Mapping[str, float]


def fit(sentences: Sequence[str], seed: int = 0, *, share: float = 1.0) -> dict[str, float]:
    """Return the weights of traits, from sentences that people write; no attack is needed.

    The same seed gives the same weights; a `share` of what is invented takes as much less time.
    """
    random = Random(seed)  # noqa: S311 (texts that can be had again)
    programs = [
        one
        for attack in attacks(random, int(ATTACKS * share))
        for one in _grafted(random, sentences, attack)
    ]
    people = [
        one
        for text in (*sentences, *messages(random, sentences, int(MESSAGES * share)))
        for one in _of(text)
    ]
    weights = _fitted(programs, people)
    for _ in range(ROUNDS):
        detector = SuffixDetector(weights | {BIAS: weights[BIAS] - HARD})
        sent = (*sentences, *messages(random, sentences, int(LOOKED_THROUGH * share)))
        hard = [text for text in sent if detector.check(text)]
        people += [one for text in hard for one in _of(text)]
        weights = _fitted(programs, people)
    return weights


def _of(text: str) -> list[Traits]:
    return [traits(stretch) for stretch in stretches(text)]


def _grafted(random: Random, sentences: Sequence[str], attack: str) -> list[Traits]:
    """Return the stretches of an attack behind a sentence that are mostly the attack's."""
    whole = f"{random.choice(sentences)} {attack}"
    mostly = int(MOSTLY * STRETCH)
    return [
        traits(stretch)
        for stretch in stretches(whole)
        if "".join(stretch[-mostly:]) in attack or "".join(stretch[:mostly]) in attack
    ]


def _fitted(programs: Sequence[Traits], people: Sequence[Traits]) -> dict[str, float]:
    rows = [*programs, *people]
    spread = Counter(trait for row in rows for trait in row)
    names = [trait for trait, times in spread.most_common(KEPT) if times >= LEAST]
    place = {trait: at for at, trait in enumerate(names)}
    cells = [
        (at, place[trait], value)
        for at, row in enumerate(rows)
        for trait, value in row.items()
        if trait in place
    ]
    ats, columns, values = (np.array(each) for each in zip(*cells, strict=True))
    table = csr_array((values, (ats, columns)), shape=(len(rows), len(names)))
    signs = np.r_[np.ones(len(programs)), -np.ones(len(people))]
    harm = np.where(signs > 0, 1.0, HARM)

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        margin = signs * (table @ weights)
        slope = -harm * signs / (1 + np.exp(np.clip(margin, -50, 50)))
        total = float((harm * np.logaddexp(0, -margin)).sum() + RIDGE * weights @ weights / 2)
        return total, table.T @ slope + RIDGE * weights

    found = minimize(
        loss, np.zeros(len(names)), jac=True, method="L-BFGS-B", options={"maxiter": 300}
    )
    return dict(zip(names, map(float, found.x), strict=True))
