"""What was read once is read by the next process, and made anew where a file is broken."""

import numpy as np

from chat.question.examples import MOST, VectorStore, key_of, packed, texts


def numbers(value):
    return lambda: {"rows": np.array([value]), "texts": packed(["wie", "wat"])}


def fail():
    raise AssertionError("made again")


def test_a_second_process_reads_what_the_first_has_made(tmp_path):
    VectorStore(tmp_path).of("a", numbers(1))

    kept = VectorStore(tmp_path).of("a", fail)

    assert kept["rows"].tolist() == [1]
    assert texts(kept["texts"]) == ["wie", "wat"]


def test_a_broken_file_is_made_anew(tmp_path):
    store = VectorStore(tmp_path)
    store.of("a", numbers(1))
    (tmp_path / "a.npz").write_bytes(b"PK broken")

    assert store.of("a", numbers(2))["rows"].tolist() == [2]


def test_the_oldest_go_and_without_a_folder_nothing_is_kept(tmp_path):
    store = VectorStore(tmp_path / "kept")
    for number in range(MOST + 3):
        store.of(str(number), numbers(number))

    assert len(list((tmp_path / "kept").glob("*.npz"))) == MOST
    assert VectorStore().of("a", numbers(3))["rows"].tolist() == [3]


def test_a_folder_that_cannot_be_written_is_no_failure(tmp_path):
    (tmp_path / "file").write_text("")

    assert VectorStore(tmp_path / "file" / "in").of("a", numbers(4))["rows"].tolist() == [4]


def test_other_texts_have_another_key():
    assert len({key_of("a", "b"), key_of("ab"), key_of("b", "a")}) == 3
