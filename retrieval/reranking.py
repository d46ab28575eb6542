"""Client of a reranker: any server with the `/rerank` API of Jina, Cohere, vLLM or TEI.

Without `RERANK_URL` there is no reranker.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from math import isfinite
from time import monotonic
from typing import Any

import urllib3
from django.conf import settings
from django.core.signals import setting_changed
from django.dispatch import receiver

from retrieval.ranking import Reranker
from zol.errors import RerankFailed
from zol.runtime.breaker import Breaker, EndpointLeftAlone
from zol.runtime.processor import computing


@cache
def get_reranker() -> Reranker | None:
    """Return the configured reranker; None without an address."""
    chosen = settings.RERANK
    if not chosen["url"]:
        return None
    return HttpReranker(
        chosen["url"],
        model=chosen["model"],
        api_key=chosen["api_key"],
        seconds=chosen["seconds"],
        breaker=Breaker("The reranker", RerankFailed),
    )


@receiver(setting_changed)
def forget_reranker(*, setting: str, **kwargs: Any) -> None:
    """Drop the cached reranker when a test changes the settings."""
    if setting == "RERANK":
        get_reranker.cache_clear()


#: Maximum bytes of a reply (a hundred scores need a few thousand), and bytes per read.
LONGEST_REPLY, READ = 1_000_000, 65_536
#: Statuses of servers that expect another field name.
UNPROCESSABLE = (400, 422)
OK = 200


class HttpReranker:
    """A client of one server, with a circuit breaker. Thread-safe."""

    def __init__(
        self, url: str, *, model: str, api_key: str = "", seconds: float, breaker: Breaker
    ) -> None:
        self._url, self._model, self._seconds = url, model, seconds
        self._headers = {"Authorization": f"Bearer {api_key}"} if api_key else None
        self._breaker = breaker
        self._pool = urllib3.PoolManager(retries=False, maxsize=8)
        #: Field name for documents on this server: "texts" is TEI's.
        self._word = "documents"

    def __call__(self, question: str, texts: Sequence[str]) -> Sequence[float | None]:
        """Return the relevance of each text.

        :raises RerankFailed: if no usable reply came in time.
        """
        if not texts:
            return ()
        try:
            with computing.lent():
                reply = self._breaker.call(lambda: self._request(question, texts))
        except EndpointLeftAlone as error:
            raise RerankFailed(str(error)) from error
        return scores_of(reply, len(texts))

    def _request(self, question: str, texts: Sequence[str]) -> Any:
        deadline = monotonic() + self._seconds
        status, reply = self._post(question, texts, deadline)
        if status in UNPROCESSABLE and self._word == "documents" and b"texts" in reply:
            self._word = "texts"
            status, reply = self._post(question, texts, deadline)
        if status != OK:
            raise RerankFailed(f"The reranker answered with status {status}")
        try:
            return json.loads(reply)
        except (ValueError, RecursionError) as error:
            raise RerankFailed("The reranker's reply is not JSON") from error

    def _post(self, question: str, texts: Sequence[str], deadline: float) -> tuple[int, bytes]:
        body: dict[str, Any] = {"model": self._model, "query": question, self._word: list(texts)}
        if self._word == "documents":
            body |= {"top_n": len(texts), "return_documents": False}
        try:
            response = self._pool.request(
                "POST", self._url, json=body, headers=self._headers, redirect=False,
                timeout=max(0.01, deadline - monotonic()), preload_content=False,
            )  # fmt: skip
            return response.status, _body_of(response, deadline)
        except urllib3.exceptions.HTTPError as error:
            raise RerankFailed(f"The reranker did not answer: {error}") from error


def _body_of(response: urllib3.BaseHTTPResponse, deadline: float) -> bytes:
    """Read a reply; a server that sends little by little, or without end, must not hold a turn.

    :raises RerankFailed: if it takes too long or is too long.
    """
    body = b""
    try:
        while piece := response.read1(READ):
            body += piece
            if monotonic() > deadline or len(body) > LONGEST_REPLY:
                raise RerankFailed("The reranker's reply was too slow or too long")
        response.release_conn()
        return body
    finally:
        response.close()


def scores_of(reply: Any, count: int) -> list[float | None]:
    """Return the score of each document; None for one without.

    :raises RerankFailed: for a malformed reply, an unknown document, or two scores of one.
    """
    rows = reply.get("results", reply.get("data")) if isinstance(reply, dict) else reply
    if not isinstance(rows, list) or not rows:
        raise RerankFailed("The reranker's reply has no results")
    found: list[float | None] = [None] * count
    for row in rows:
        place, score = _judged(row)
        if not 0 <= place < count or found[place] is not None:
            raise RerankFailed(f"The reranker judged document {place} of {count}")
        found[place] = score
    return found


def _judged(row: Any) -> tuple[int, float]:
    if not isinstance(row, dict):
        raise RerankFailed("The reranker's results are no objects")
    place: Any = row.get("index")
    score: Any = row.get("relevance_score", row.get("score"))
    if type(place) is int and type(score) in (int, float) and isfinite(score):
        return place, float(score)
    raise RerankFailed("A result of the reranker has no index or no score")
