"""A question is compared with the examples of staff; their vectors are shared by processes."""

import numpy as np

from chat.question.examples import (
    MOST,
    Example,
    ExampleIndex,
    VectorStore,
    example_index_of,
    key_of,
    vectors_of,
)
from retrieval.embedding import get_encoder
from retrieval.intents import Intent
from tests.chat.question.readers import snapshot

PARKING = Example(Intent.NAVIGATION_OR_PRACTICAL_INFO, "nl", "Waar kan ik parkeren?")
WEATHER = Example(Intent.OFF_TOPIC, "nl", "Gaat het regenen?")


def test_the_nearest_example_and_its_intent_come_first():
    index = ExampleIndex((WEATHER, PARKING), vectors_of([WEATHER.text, PARKING.text]))

    near = index.nearest(get_encoder().embed_message("Where can I park my car?"))

    assert near.examples[0][0] == PARKING
    assert near.similarity[PARKING.intent] > near.similarity[WEATHER.intent]


def test_default_examples_need_no_encoder():
    index = snapshot().derived(example_index_of)
    vector = get_encoder().embed_message("wie is de cardioloog")

    assert index.nearest(vector).similarity.keys() == {*Intent}
    assert np.isclose(np.linalg.norm(vectors_of([PARKING.text])[0]), 1, atol=0.02)


def test_without_examples_nothing_is_similar():
    assert ExampleIndex((), np.zeros((0, 384))).nearest(np.zeros(384)).examples == ()


def numbers(value):
    return lambda: {"rows": np.array([value]), "texts": np.array(["wie", "wát"])}


def fail():
    raise AssertionError("made again")


def test_a_second_process_reads_what_the_first_has_made(tmp_path):
    VectorStore(tmp_path).get("a", numbers(1))

    kept = VectorStore(tmp_path).get("a", fail)

    assert kept["rows"].tolist() == [1]
    assert kept["texts"].tolist() == ["wie", "wát"]


def test_a_broken_file_is_made_anew(tmp_path):
    store = VectorStore(tmp_path)
    store.get("a", numbers(1))
    (tmp_path / "a.npz").write_bytes(b"PK broken")

    assert store.get("a", numbers(2))["rows"].tolist() == [2]


def test_the_oldest_go_and_without_a_folder_nothing_is_kept(tmp_path):
    store = VectorStore(tmp_path / "kept")
    for number in range(MOST + 3):
        store.get(str(number), numbers(number))

    assert len(list((tmp_path / "kept").glob("*.npz"))) == MOST
    assert VectorStore().get("a", numbers(3))["rows"].tolist() == [3]


def test_a_folder_that_cannot_be_written_is_no_failure(tmp_path):
    (tmp_path / "file").write_text("")

    assert VectorStore(tmp_path / "file" / "in").get("a", numbers(4))["rows"].tolist() == [4]


def test_other_texts_have_another_key():
    assert len({key_of("a", "b"), key_of("ab"), key_of("b", "a")}) == 3
