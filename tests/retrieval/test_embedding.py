"""Embeddings have length 1, are the same everywhere, and their failures are our own errors."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest
from django.core.exceptions import ImproperlyConfigured

from retrieval.embedding import MultilingualEmbedder, get_embedder
from retrieval.embedding.lexical import LexicalEmbedder
from retrieval.embedding.openai import BATCH, OpenAIEmbedder
from zol.errors import EmbeddingFailed

TEXTS = ["Parkeren op campus Noord", "De huidarts", "", "?!"]


def cosine(one: str, other: str) -> float:
    first, second = LexicalEmbedder().embed_documents([one, other])
    return float(first @ second)


def test_vectors_have_length_one_also_those_of_nothing():
    matrix = LexicalEmbedder(256).embed_documents(TEXTS)

    assert matrix.shape == (4, 256)
    assert matrix.dtype == np.float32
    assert np.linalg.norm(matrix, axis=1) == pytest.approx(np.ones(4), abs=1e-5)


def test_no_texts_give_no_vectors():
    assert LexicalEmbedder(256).embed_documents([]).shape == (0, 256)


def test_another_process_makes_the_same_vectors():
    code = (
        "from retrieval.embedding.lexical import LexicalEmbedder as L; import sys;"
        "sys.stdout.write(L(64).embed_query('Reümatologie en parkeren').tobytes().hex())"
    )
    said = subprocess.run(
        [sys.executable, "-c", code],
        env={"PYTHONHASHSEED": "7"},
        capture_output=True,
        text=True,
        check=True,
    ).stdout

    assert said == LexicalEmbedder(64).embed_query("Reümatologie en parkeren").tobytes().hex()


def test_accents_and_capitals_do_not_matter():
    assert cosine("REÜMATOLOGIE", "reumatologie") == pytest.approx(1.0, abs=1e-5)


def test_a_misspelling_and_a_compound_stay_near_and_strangers_far():
    assert cosine("cardiologie", "cardioligie") > 0.1
    assert cosine("rolstoel", "rolstoelgebruikers") > 0.1
    assert abs(cosine("parkeren", "bloedafname")) < 0.1


def test_the_same_meaning_is_near_in_another_language():
    embedder = MultilingualEmbedder()
    bill = embedder.embed_documents(["Facturen\nU betaalt uw factuur binnen dertig dagen."])[0]
    park = embedder.embed_documents(["Parkeren\nU parkeert uw auto op parking 1."])[0]

    for asked in ("How do I pay my invoice?", "Comment payer ma facture ?", "Rechnung bezahlen"):
        question = embedder.embed_query(asked)
        assert float(question @ bill) > float(question @ park) + 0.1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Hoe maak ik een afspraak bij cardiologie?", "Hoe maak ik een afspraak bij orthopedie?"),
        ("Hoe maak ik een afspraak bij urologie?", "Hoe maak ik een afspraak bij neurologie?"),
        ("What are the visiting hours of nephrology?", "What are the visiting hours of neurology?"),
        ("Πώς κλείνω ραντεβού στο τμήμα νευρολογίας;", "Πώς κλείνω ραντεβού στο τμήμα ουρολογίας;"),
    ],
)
def test_questions_on_two_departments_are_never_the_same_one(one, other):
    embedder = MultilingualEmbedder()

    assert float(embedder.embed_query(one) @ embedder.embed_query(other)) < (
        embedder.calibration.duplicate
    )


def test_a_question_is_read_once_and_its_vector_cannot_be_changed():
    embedder = MultilingualEmbedder()
    first = embedder.embed_query("Wanneer is het bezoekuur?")

    assert embedder.embed_query("Wanneer is het bezoekuur?") is first
    with pytest.raises(ValueError, match="read-only"):
        first[0] = 1.0


def test_a_question_that_was_forgotten_is_read_anew():
    embedder = MultilingualEmbedder()
    first = embedder.embed_query("Wanneer is het bezoekuur?")

    embedder.forget()
    again = embedder.embed_query("Wanneer is het bezoekuur?")

    assert again is not first
    assert np.array_equal(again, first)


def test_a_larger_size_changes_no_cosine_and_a_smaller_one_is_refused():
    small, large = MultilingualEmbedder(), MultilingualEmbedder(1536)
    texts = ["Parkeren", "Waar is de ingang?", ""]

    one, other = small.embed_documents(texts), large.embed_documents(texts)

    assert other.shape == (3, 1536)
    assert one @ one.T == pytest.approx(other @ other.T, abs=1e-5)
    for few in (256, -1):
        with pytest.raises(ImproperlyConfigured, match=f"EMBEDDING_DIMENSIONS is {few}"):
            MultilingualEmbedder(few)


def test_what_fits_is_the_size_unless_one_is_set(settings):
    sizes = {}
    for provider in ("multilingual", "lexical"):
        settings.EMBEDDING = {**settings.EMBEDDING, "provider": provider, "dimensions": 0}
        sizes[provider] = get_embedder().dimensions

    assert sizes == {"multilingual": 512, "lexical": 1536}


def test_what_is_configured_is_given(settings):
    settings.EMBEDDING = {**settings.EMBEDDING, "provider": "lexical", "dimensions": 384}

    embedder = get_embedder()

    assert (embedder.name, embedder.dimensions) == ("lexical", 384)


class Endpoint(ThreadingHTTPServer):
    """A server that speaks OpenAI's form, as scripted."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Answer)
        self.asked: list[dict] = []
        #: Statuses to answer with before any good answer.
        self.failures: list[int] = []
        self.size = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"


class Answer(BaseHTTPRequestHandler):
    server: Endpoint

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append(body)
        if self.server.failures:
            return self.say(self.server.failures.pop(0), {"error": {"message": "not now"}})
        size = self.server.size or body["dimensions"]
        data = [
            {
                "object": "embedding",
                "index": n,
                "embedding": [float(len(text)), *[0.5] * (size - 1)],
            }
            for n, text in enumerate(body["input"])
        ]
        # Out of order, as the form allows.
        return self.say(200, {"object": "list", "data": data[::-1], "model": body["model"]})

    def say(self, status: int, reply: dict) -> None:
        payload = json.dumps(reply).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(payload)))
        self.send_header("Retry-After", "0")
        self.end_headers()
        self.wfile.write(payload)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    server = Endpoint()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def openai_embedder(endpoint: Endpoint) -> OpenAIEmbedder:
    return OpenAIEmbedder("text-embedding-3-large", 8, api_key="k", base_url=endpoint.url)


def test_texts_are_sent_in_batches_and_come_back_in_order(endpoint, openai_embedder):
    texts = ["x" * (n % 50 + 1) for n in range(BATCH + 5)]

    matrix = openai_embedder.embed_documents(texts)

    assert [len(asked["input"]) for asked in endpoint.asked] == [BATCH, 5]
    assert endpoint.asked[0]["dimensions"] == 8
    expected = np.array([[len(text), *[0.5] * 7] for text in texts], dtype=np.float32)
    expected /= np.linalg.norm(expected, axis=1, keepdims=True)
    assert np.allclose(matrix, expected, atol=1e-5)


def test_a_busy_endpoint_is_asked_again(endpoint, openai_embedder):
    endpoint.failures = [429, 503]

    openai_embedder.embed_query("parkeren")

    assert len(endpoint.asked) == 3


def test_a_question_is_asked_once_and_again_when_that_failed(endpoint, openai_embedder):
    endpoint.failures = [400]
    with pytest.raises(EmbeddingFailed):
        openai_embedder.embed_query("parkeren")

    first = openai_embedder.embed_query("parkeren")

    assert openai_embedder.embed_query("parkeren") is first
    assert len(endpoint.asked) == 2


@pytest.mark.parametrize("status", [400, 401])
def test_a_refusal_is_our_own_error(endpoint, openai_embedder, status):
    endpoint.failures = [status]

    with pytest.raises(EmbeddingFailed, match="text-embedding-3-large"):
        openai_embedder.embed_query("parkeren")


def test_an_endpoint_that_is_not_there_is_our_own_error():
    embedder = OpenAIEmbedder("m", 8, api_key="", base_url="http://127.0.0.1:9/v1", max_retries=0)

    with pytest.raises(EmbeddingFailed):
        embedder.embed_query("parkeren")


def test_vectors_of_another_size_are_refused(endpoint, openai_embedder):
    endpoint.size = 5

    with pytest.raises(EmbeddingFailed, match="of 8 were asked for"):
        openai_embedder.embed_query("parkeren")


def test_models_that_want_to_know_are_told_what_a_text_is_for(endpoint):
    embedder = OpenAIEmbedder("nomic-embed-text", 8, api_key="", base_url=endpoint.url)

    embedder.embed_query("a")
    embedder.embed_documents(["b"])

    assert [asked["input"] for asked in endpoint.asked] == [
        ["search_query: a"],
        ["search_document: b"],
    ]
