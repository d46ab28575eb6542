"""Small trained networks that classify a message by its embedding: need, intent, personal advice,
follow-up, danger and specialty.

The encoder is that of the search. Model cards are beside the weights in `chat/defaults`, training
code in `lab/needs` and `lab/safety`.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Self

import numpy as np
import onnxruntime
from scipy.special import expit, softmax

from chat.safety.emergencies.alarm import Danger, Reading
from retrieval.embedding import get_encoder
from retrieval.vectors import Matrix
from taxonomy.vocabulary import Kind

DEFAULTS = Path(__file__).parents[1] / "defaults"
NEEDS, INTENTS, ADVICE, FOLLOWS = (
    DEFAULTS / f"{name}.npz" for name in ("needs", "intents", "advice", "follows")
)
#: Weights for dangers and specialties.
WEIGHTS = DEFAULTS / "emergencies.onnx"
#: Norm of the concept vector, relative to the message vector of norm 1.
OF_NEEDS, OF_INTENTS, OF_ADVICE = 0.5, 1.0, 1.0
#: The two keys of requests for advice.
GENERAL, PERSONAL = "general", "personal"
#: Features of an intent: kinds of named entities, and whether a department was inferred; weight of
#: the needs.
LED = "led"
KINDS = (
    Kind.DOCTOR, Kind.DEPARTMENT, Kind.SPECIALTY, Kind.CONDITION, Kind.TREATMENT,
    Kind.EXAMINATION, Kind.CAMPUS, LED,
)  # fmt: skip
ASKED = 1.5
#: Cached danger readings: several stages of a turn need them.
REMEMBERED = 2_000


@dataclass(frozen=True, slots=True, eq=False)
class Head:
    """A softmax regression on a vector and the concepts of a message. Immutable."""

    keys: Sequence[str]
    #: Row of each concept, after those of the vector.
    concepts: Mapping[str, int]
    weights: Matrix
    bias: Matrix

    @classmethod
    @cache
    def of_file(cls, path: Path) -> Self:
        """Load the weights."""
        with np.load(path) as file:
            concepts = {name: at for at, name in enumerate(file["concepts"].tolist())}
            weights, bias = (file[name].astype(np.float32) for name in ("weights", "bias"))
            return cls(tuple(file["keys"].tolist()), concepts, weights, bias)

    def chances(self, row: Matrix, concepts: Iterable[str], share: float) -> dict[str, float]:
        """Return the probability of each key; unknown concepts are ignored."""
        features = np.concatenate([row, concept_row(concepts, self.concepts, share)])
        chances = softmax(features @ self.weights + self.bias)
        return dict(zip(self.keys, chances.tolist(), strict=True))


def concept_row(concepts: Iterable[str], known: Mapping[str, int], share: float) -> Matrix:
    """Return concepts as a vector with norm `share`; zeros if none is known."""
    row = np.zeros(len(known), dtype=np.float32)
    row[[known[name] for name in concepts if name in known]] = 1.0
    return row * (share / max(float(np.sqrt(row.sum())), 1.0))


def need_chances(vector: Matrix, concepts: Iterable[str]) -> dict[str, float]:
    """Return the probability of each need in `taxonomy.facts.needs`."""
    return Head.of_file(NEEDS).chances(vector, concepts, OF_NEEDS)


def intent_chances(
    vector: Matrix, concepts: Iterable[str], kinds: Container[str], needs: Mapping[str, float]
) -> dict[str, float]:
    """Return the probability of each intent, by message, concepts, kinds of entities and needs."""
    row = intent_row(vector, kinds, needs)
    return Head.of_file(INTENTS).chances(row, concepts, OF_INTENTS)


def intent_row(vector: Matrix, kinds: Container[str], needs: Mapping[str, float]) -> Matrix:
    """Return the features of intents: vector, needs, kinds of entities."""
    asked = np.sqrt(np.fromiter(needs.values(), dtype=np.float32)) * ASKED
    named = np.array([kind in kinds for kind in KINDS], dtype=np.float32)
    return np.concatenate([vector, asked, named])


def advice_chance(
    text: str, concepts: Iterable[str], needs: Mapping[str, float], *, names_medicine: bool
) -> float:
    """Return the probability that a message asks for advice about one person's own case."""
    row = advice_row(text, needs, names_medicine=names_medicine)
    return Head.of_file(ADVICE).chances(row, concepts, OF_ADVICE)[PERSONAL]


def advice_row(text: str, needs: Mapping[str, float], *, names_medicine: bool) -> Matrix:
    """Return the features of advice besides concepts: embedding (repeated if a medicine is named),
    query vector, mean intermediate state, needs, and whether a medicine is named."""
    # The encoder reads words in capitals as names.
    text, encoder = text.lower() if text.isupper() else text, get_encoder()
    meaning = encoder.embed_message(text)
    asked = np.sqrt(np.fromiter(needs.values(), dtype=np.float32))
    pieces = encoder.half_read(text)[1].mean(axis=0)
    parts = (meaning, names_medicine * meaning, encoder.embed_query(text), pieces, asked)
    return np.concatenate([*parts, np.array([names_medicine], dtype=np.float32)])


@dataclass(frozen=True, slots=True, eq=False)
class Follows:
    """A network with one hidden layer that detects follow-up questions. Immutable."""

    hidden: Matrix
    bias: Matrix
    out: Matrix
    last: Matrix

    @classmethod
    @cache
    def of_file(cls, path: Path = FOLLOWS) -> Self:
        """Load the weights."""
        with np.load(path) as file:
            return cls(*(file[name].astype(np.float32) for name in cls.__slots__))

    def chance(self, vector: Matrix) -> float:
        """Return the probability that a message depends on the one before it."""
        hidden = np.maximum(vector @ self.hidden + self.bias, 0)
        return float(expit(hidden @ self.out + self.last[0]))


@lru_cache(maxsize=REMEMBERED)
def read_message(text: str) -> Reading:
    """Return the probabilities of dangers and specialties of a message."""
    # The encoder reads words in capitals as company names.
    vector, states = get_encoder().half_read(text.lower() if text.isupper() else text)
    network, specialties = _learned()
    dangers, leads, goes_on = network.run(None, {"vector": vector[None], "states": states[None]})
    return Reading(
        dict(zip(Danger, dangers[0].tolist(), strict=True)),
        dict(zip(specialties, leads[0].tolist(), strict=True)),
        float(goes_on[0, 1]),
    )


@cache
def _learned() -> tuple[onnxruntime.InferenceSession, tuple[str, ...]]:
    options = onnxruntime.SessionOptions()
    # One thread per model: a process answers many questions at a time.
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    network = onnxruntime.InferenceSession(
        str(WEIGHTS), options, providers=["CPUExecutionProvider"]
    )
    named = network.get_modelmeta().custom_metadata_map["specialties"]
    return network, tuple(named.split(","))
