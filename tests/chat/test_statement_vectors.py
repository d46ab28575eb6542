"""Passages are compared by the vectors kept of them, read once a turn."""

from __future__ import annotations

import numpy as np
import pytest

from chat import statement_vectors as comparing
from chat.statement_vectors import Comparing
from retrieval.embedding import Calibration
from retrieval.query import QueryText
from tests.builders import passage

PARKING, VISITS = "Parkeren kost 2 euro per uur.", "Bezoek is er van 14 tot 20 uur."


class Counting:
    """An encoder of three numbers that tells how many texts it was given."""

    name, model, dimensions = "counting", "counting", 3
    calibration = Calibration(0.0, 0.0)
    languages: frozenset[str] = frozenset()

    def __init__(self):
        self.read = []

    def embed_query(self, text):
        return np.array([1.0, 0.0, 0.0], dtype=np.float32)

    def embed_documents(self, texts):
        self.read += texts
        return np.array([[float("kost" in t), float("Bezoek" in t), 0.0] for t in texts], "f")

    def embed_passages(self, passages):
        whole = self.embed_documents([each.text for each in passages])
        return whole, [self.embed_documents([t for _, t in each.statements]) for each in passages]


@pytest.fixture
def kept(monkeypatch):
    """What the index keeps, by chunk, and how often it was asked for any."""
    known, asked = {}, []

    def kept_of(passages, embedder):
        ids = [each.chunk_id for each in passages]
        asked.append(ids)
        return {chunk: known[chunk] for chunk in ids if chunk in known}

    monkeypatch.setattr(comparing, "kept_of", kept_of)
    return known, asked


def test_a_passage_is_read_once_whatever_it_is_compared_with(kept):
    known, asked = kept
    both, encoder = [passage(PARKING, chunk_id=1), passage(VISITS, chunk_id=2)], Counting()
    known[2] = np.array([[0.0, 1.0, 0.0]], dtype=np.float32)
    turn = Comparing(encoder)

    alike = turn.likeness(QueryText("Wat kost parkeren?", "nl", ""), both)
    rows = turn.vectors(both[::-1])

    assert alike.tolist() == [1.0, 0.0]
    assert rows.tolist() == [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0]]
    assert asked == [[1, 2]]
    assert sum(PARKING in text for text in encoder.read) == 2
    assert not any(VISITS in text for text in encoder.read)


def test_a_passage_read_with_other_words_is_another(kept):
    _, asked = kept
    turn = Comparing(Counting())

    turn.vectors([passage(PARKING, chunk_id=1)])
    shorter = turn.vectors([passage(VISITS, chunk_id=1)])

    assert shorter.tolist() == [[0.0, 1.0, 0.0]]
    assert asked == [[1], [1]]
