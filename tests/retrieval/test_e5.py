"""The encoder of passages: its weights are read as they are stored, its pieces are right."""

import numpy as np
import pytest
from django.core.exceptions import ImproperlyConfigured

from retrieval.embedding import E5Embedder
from retrieval.embedding.e5 import MEANS, edition, encoder
from retrieval.embedding.e5.encoder import BEGINNING, END, LONGEST, TRAINED, Encoder, Tokens

HOURS = "Bezoekuren\nBezoek is welkom van 14 tot 20 uur."
PARKING = "Parkeren\nU parkeert uw auto op parking 1."
ASKED = {
    "nl": "tot wanneer mag ik bij mijn moeder binnen?",
    "en": "until when can I see my mother?",
    "fr": "jusqu'à quelle heure puis-je voir ma mère ?",
    "de": "bis wann darf ich meine Mutter besuchen?",
    "tr": "annemi saat kaça kadar görebilirim?",
    "it": "fino a che ora posso vedere mia madre?",
    "ro": "până la ce oră o pot vedea pe mama?",
    "el": "μέχρι τι ώρα μπορώ να δω τη μητέρα μου;",
}


@pytest.fixture(scope="module")
def embedder() -> E5Embedder:
    return E5Embedder()


@pytest.mark.parametrize("language", ASKED)
def test_a_question_in_each_language_is_nearer_to_what_answers_it(embedder, language):
    hours, parking = embedder.embed_documents([HOURS, PARKING])
    asked = embedder.embed_query(ASKED[language])

    assert float(asked @ hours) > float(asked @ parking) + 0.05
    assert language in embedder.languages


def test_vectors_have_length_one_also_those_of_nothing(embedder):
    rows = embedder.embed_documents(["Parkeren", "", "?!"])

    assert rows.shape == (3, 384)
    assert rows.dtype == np.float32
    assert np.linalg.norm(rows, axis=1) == pytest.approx(np.ones(3), abs=1e-5)
    assert embedder.embed_documents([]).shape == (0, 384)


def test_a_question_is_read_once_and_its_vector_cannot_be_changed(embedder):
    first = embedder.embed_query("Wanneer is het bezoekuur?")

    assert embedder.embed_query("Wanneer is het bezoekuur?") is first
    with pytest.raises(ValueError, match="read-only"):
        first[0] = 1.0


def test_a_larger_size_changes_no_cosine_and_a_smaller_one_is_refused(embedder):
    texts = ["Parkeren", "Waar is de ingang?"]

    one, other = embedder.embed_documents(texts), E5Embedder(512).embed_documents(texts)

    assert other.shape == (2, 512)
    assert one @ one.T == pytest.approx(other @ other.T, abs=1e-5)
    with pytest.raises(ImproperlyConfigured, match="EMBEDDING_DIMENSIONS is 256"):
        E5Embedder(256)


def test_a_long_text_is_cut_where_the_model_ends():
    (pieces,) = Tokens(encoder.load()).of(["parkeren " * 2000])

    assert len(pieces) == LONGEST
    assert (pieces[0], pieces[-1]) == (BEGINNING, END)


def test_letters_are_written_simply_before_words_are_cut():
    tokens = Tokens(encoder.load())

    wide, plain = tokens.of(["query: ｐａｒｋｉｎｇ №1", "query: parking No1"])

    assert wide == plain


def test_stored_numbers_are_a_scale_and_sixteen_steps():
    block = np.zeros((1, 1, encoder.STORED), dtype=np.uint8)
    block[0, 0, :2] = np.array([0.5], dtype=np.float16).view(np.uint8)
    block[0, 0, 2:] = 0x8F  # Low half 15: the first half of the numbers; high half 8: the second.

    numbers = encoder.read(block)

    assert numbers.shape == (1, 32)
    assert numbers[0, :16].tolist() == [3.5] * 16
    assert numbers[0, 16:].tolist() == [0.0] * 16


def test_the_vectors_are_those_of_the_package_in_full_precision():
    """What the graph does in bytes is compared with the same layers written out in numpy."""
    stored, texts = encoder.load(), [f"passage: {HOURS}", "query: parking"]

    made = Encoder(stored)
    ours = np.array([made.half_read(text)[0] for text in texts])

    plainly = np.array([written_out(stored, pieces) for pieces in Tokens(stored).of(texts)])
    assert (ours * plainly).sum(axis=1) == pytest.approx(np.ones(2), abs=0.01)


def test_a_missing_package_is_told_with_what_to_do(monkeypatch):
    monkeypatch.setattr(encoder, "PACKAGE", "no_such_package")

    with pytest.raises(ImproperlyConfigured, match="install requirements"):
        encoder.load()


def written_out(stored: encoder.Weights, pieces: list[int]) -> np.ndarray:
    """Return the vector of a text by the layers of BERT (Devlin et al. 2019), in 32 bits."""
    width, heads = stored.width, stored.heads

    def norm(x, name):
        x = (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + stored.epsilon)
        return x * stored.plain(f"{name}.w") + stored.plain(f"{name}.b")

    def product(x, name):
        rows = encoder.read(stored.blocks(f"{name}.w", x.shape[-1]))
        return x @ rows.T + stored.plain(f"{name}.b")

    def gelu(x):
        from scipy.special import erf

        return x * 0.5 * (1 + erf(x / np.sqrt(2)))

    x = encoder.read(stored.blocks("emb.word", width)[pieces])
    x = x + stored.plain("emb.pos").reshape(-1, width)[: len(pieces)]
    x = norm(x + stored.plain("emb.type")[:width], "emb.ln")
    for number in range(stored.layers):
        name = f"l{number}."
        q, k, v = (product(x, name + each).reshape(len(x), heads, -1) for each in "qkv")
        told = np.einsum("qhd,khd->hqk", q, k) / np.sqrt(width // heads)
        share = np.exp(told - told.max(-1, keepdims=True))
        share /= share.sum(-1, keepdims=True)
        heard = np.einsum("hqk,khd->qhd", share, v).reshape(len(x), width)
        x = norm(x + product(heard, name + "ao"), name + "aln")
        x = norm(x + product(gelu(product(x, name + "fi")), name + "fo"), name + "oln")
    total = x.sum(0)
    return total / np.linalg.norm(total)


def test_other_weights_make_an_index_out_of_date(tmp_path):
    one, other = (tmp_path / name for name in ("one.npz", "other.npz"))
    one.write_bytes(b"layers")
    other.write_bytes(b"later layers")

    assert E5Embedder().model.endswith(edition(MEANS, TRAINED))
    assert edition(one) != edition(other)
