"""Chunks and questions that behave like a hospital's, in any number and the same every time.

Words follow Zipf's law, every topic has words of its own, and the vectors of a topic lie together:
search spends its time as it would on real pages. Noise without clusters would be too hard for a
graph and too easy for a keyword index. The hospital that they fill leaves nothing behind.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np
from django.db import connection
from numpy.typing import NDArray

from retrieval.index.writing import call
from retrieval.vectors import Matrix, normalised
from zol.models import Hospital
from zol.tenancy import serving

WORDS_PER_CHUNK = 250
CHUNKS_PER_DOCUMENT = 10
VOCABULARY = 60_000
#: Words that a topic prefers, and the share of its text that they make up.
TOPIC_WORDS, TOPIC_SHARE = 400, 0.25
#: The most frequent words: articles and the like, which no question of content words holds.
FUNCTION_WORDS = 120
#: How far a chunk strays from its topic, and a question from its chunk.
SPREAD, ASKED_SPREAD = 1.0, 0.6

_SOUNDS = {
    "onsets": "b br d dr f fl g gr h j k kl kr l m n p pl r s sch sl st t tr v w z",
    "nuclei": "a aa e ee i ie o oo u uu oe ij ei ui",
    "codas": "- - n r l s t k ng rt st",
}


@dataclass(frozen=True, slots=True)
class GeneratedText:
    """A generated chunk or question."""

    text: str
    vector: Matrix


@dataclass(frozen=True)
class Generator:
    """Writes the same corpus for the same size and seed."""

    chunks: int
    dimensions: int = 1536
    seed: int = 20_260

    @cached_property
    def topics(self) -> int:
        return max(20, self.chunks // 100)

    @cached_property
    def words(self) -> NDArray[np.str_]:
        random = np.random.default_rng(self.seed)
        sounds = (each.replace("-", " ").split(" ") for each in _SOUNDS.values())
        syllables = ["".join(parts) for parts in product(*sounds)]
        found: dict[str, None] = {}
        while len(found) < VOCABULARY:
            sizes = random.integers(1, 5, 10_000)
            picks = random.integers(0, len(syllables), (10_000, 4))
            for size, pick in zip(sizes, picks, strict=True):
                found.setdefault("".join(syllables[n] for n in pick[:size]))
        return np.array(list(found)[:VOCABULARY])

    @cached_property
    def frequencies(self) -> NDArray[np.float64]:
        """The cumulative share of text of the words, most frequent first."""
        weights = 1.0 / np.arange(2.7, VOCABULARY + 2.7) ** 1.05
        cumulative: NDArray[np.float64] = np.cumsum(weights / weights.sum())
        return cumulative

    @cached_property
    def centres(self) -> Matrix:
        random = np.random.default_rng(self.seed + 1)
        return normalised(random.standard_normal((self.topics, self.dimensions), dtype=np.float32))

    @cached_property
    def topic_words(self) -> NDArray[np.intp]:
        random = np.random.default_rng(self.seed + 2)
        drawn = self._draw(random, self.topics * TOPIC_WORDS * 2, beyond=FUNCTION_WORDS)
        return drawn[: self.topics * TOPIC_WORDS].reshape(self.topics, TOPIC_WORDS)

    def written(self, first: int, last: int) -> Iterator[GeneratedText]:
        """Give the chunks of a range; ten that follow each other share a topic, as on a page."""
        for number in range(first, last):
            random = np.random.default_rng((self.seed, number))
            yield GeneratedText(
                self._text(random, self._topic(number)), self._vector(random, number)
            )

    def questions(self, wanted: int) -> Iterator[GeneratedText]:
        """Give questions of three to eight content words, each about some chunk."""
        random = np.random.default_rng(self.seed + 3)
        for _ in range(wanted):
            number = int(random.integers(0, self.chunks))
            chunk = np.random.default_rng((self.seed, number))
            said = self._text(chunk, self._topic(number)).split()
            size = int(random.integers(3, 9))
            common = set(self.words[:FUNCTION_WORDS])
            content = [word for word in said if word not in common]
            picked = random.choice(len(content), size=min(size, len(content)), replace=False)
            vector = self._vector(chunk, number)
            noise = random.standard_normal(self.dimensions, dtype=np.float32)
            stray = noise * np.float32(ASKED_SPREAD / np.sqrt(self.dimensions))
            yield GeneratedText(" ".join(content[n] for n in picked), normalised(vector + stray))

    def _topic(self, number: int) -> int:
        return (number // CHUNKS_PER_DOCUMENT) % self.topics

    def _text(self, random: np.random.Generator, topic: int) -> str:
        size = int(random.integers(WORDS_PER_CHUNK * 3 // 5, WORDS_PER_CHUNK * 7 // 5))
        drawn = self._draw(random, size)
        own = random.random(len(drawn)) < TOPIC_SHARE
        favourite = np.minimum(random.geometric(0.02, len(drawn)) - 1, TOPIC_WORDS - 1)
        drawn = np.where(own, self.topic_words[topic][favourite], drawn)
        return " ".join(self.words[drawn])

    def _vector(self, random: np.random.Generator, number: int) -> Matrix:
        noise = random.standard_normal(self.dimensions, dtype=np.float32)
        stray = noise * np.float32(SPREAD / np.sqrt(self.dimensions))
        return normalised(self.centres[self._topic(number)] + stray)

    def _draw(self, random: np.random.Generator, size: int, *, beyond: int = 0) -> NDArray[np.intp]:
        """Return words by their frequency, leaving out the most frequent ones if so asked."""
        least = float(self.frequencies[beyond - 1]) if beyond else 0.0
        shares = random.random(size) * (1.0 - least) + least
        drawn = np.searchsorted(self.frequencies, shares)
        return np.minimum(drawn, VOCABULARY - 1)


#: Every table that a measurement fills, children first.
TABLES = ("retrieval_chunk", "retrieval_document", "retrieval_corpusstate")


@contextmanager
def throwaway_hospital(language: str) -> Iterator[Hospital]:
    """Serve a hospital of this content language until the block ends, however it ends."""
    name = f"benchmark-{secrets.token_hex(4)}"
    hospital = Hospital.objects.create(
        slug=name, name=name, short_name=name, default_language=language
    )
    try:
        with serving(hospital):
            yield hospital
    finally:
        remove(hospital)


def remove(hospital: Hospital) -> None:
    """Remove a hospital that has pages and nothing else."""
    with serving(hospital):
        call("SELECT zol_drop_index()", [])
        with connection.cursor() as cursor:
            for table in TABLES:
                cursor.execute(f"DELETE FROM {table} WHERE hospital_id = %s", [hospital.pk])
            cursor.execute("DELETE FROM zol_hospital WHERE id = %s", [hospital.pk])
