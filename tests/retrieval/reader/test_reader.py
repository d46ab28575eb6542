"""The reader judges statements by what they say, not by how they are handed over."""

from __future__ import annotations

import numpy as np
import pytest

from retrieval.embedding import E5Embedder
from retrieval.embedding.base import EncoderPassage
from retrieval.reader import Question, Reader, Statement, reader
from retrieval.reader.pieces import ABOUT, HEADING, STATEMENT, pieces, shares

TEXTS = (
    "Parkeren kost 2 euro per uur, tot 12 euro per dag.",
    "Elektrische wagens laden op parking P2 kost 0,45 euro per kWh.",
    "Het bezoekuur is van 14 tot 20 uur.",
    "Breng uw identiteitskaart mee.",
)
ASKED = "Hoeveel betaal ik om mijn auto te parkeren?"


@pytest.fixture(scope="module")
def encoder() -> E5Embedder:
    return E5Embedder()


@pytest.fixture(scope="module")
def learned() -> Reader:
    return reader()


def told(encoder: E5Embedder, learned: Reader, texts: tuple[str, ...]) -> list[Statement]:
    found: dict[int, object] = {}

    def keep(window, half) -> None:  # type: ignore[no-untyped-def]
        spans = [((1, window.about), each.heading, (each.start, each.end)) for each in window.spans]
        for each, kept in zip(window.spans, learned.kept(half, spans), strict=True):
            found[each.number] = kept

    passage = EncoderPassage("Praktisch", tuple(("", text) for text in texts))
    _, (rows,) = encoder.embed_passages([passage], keep)
    near = rows @ encoder.embed_query(ASKED)
    return [
        Statement(text, "Praktisch", "nl", float(like), found[at])  # type: ignore[arg-type]
        for at, (text, like) in enumerate(zip(texts, near, strict=True))
    ]


def question(encoder: E5Embedder, learned: Reader) -> Question:
    return learned.asked(ASKED, "nl", encoder.half_read(ASKED)[1])


def test_what_answers_comes_first(encoder: E5Embedder, learned: Reader) -> None:
    verdict = learned.read(question(encoder, learned), told(encoder, learned, TEXTS))
    assert int(np.argmax(verdict.scores)) == 0
    assert all(0 <= each <= 1 for each in (*verdict.answers, verdict.nothing))


def test_that_nothing_answers_is_likelier_without_what_does(
    encoder: E5Embedder, learned: Reader
) -> None:
    asked, statements = question(encoder, learned), told(encoder, learned, TEXTS)
    assert learned.read(asked, statements[2:]).nothing > learned.read(asked, statements).nothing


def test_the_order_of_statements_does_not_matter(encoder: E5Embedder, learned: Reader) -> None:
    asked = question(encoder, learned)
    statements = told(encoder, learned, TEXTS * 12)
    order = np.random.default_rng(1).permutation(len(statements))
    straight = learned.read(asked, statements)
    turned = learned.read(asked, [statements[at] for at in order])
    assert np.allclose(np.array(straight.answers)[order], turned.answers, atol=1e-4)
    assert turned.nothing == pytest.approx(straight.nothing, abs=1e-4)


def test_without_statements_nothing_answers(encoder: E5Embedder, learned: Reader) -> None:
    verdict = learned.read(question(encoder, learned), [])
    assert verdict.answers == ()
    assert verdict.nothing == 1.0


def test_a_long_statement_is_cut_at_its_pieces() -> None:
    narrow = np.eye(128, dtype=np.float32)[np.arange(400) % 128]
    kept = pieces(narrow, ((1, 90), (90, 150), (150, 400)))
    assert np.bincount(kept.sorts).tolist() == [ABOUT, HEADING, STATEMENT]
    assert kept.rows[-1].argmax() == (150 + STATEMENT - 1) % 128


def test_the_same_file_gives_the_same_numbers(encoder: E5Embedder, learned: Reader) -> None:
    again = reader.__wrapped__()
    asked, statements = question(encoder, learned), told(encoder, learned, TEXTS)
    assert again.digest == learned.digest
    assert again.read(asked, statements) == learned.read(asked, statements)


def test_rare_words_count_more_and_endings_do_not() -> None:
    texts = ["de kosten van het parkeren", "de kosten van de kamer", "de kosten van eten"]
    own = shares("kosten kamers", "nl", texts, ["nl"] * 3)
    assert own[1] > own[0] == own[2] > 0
