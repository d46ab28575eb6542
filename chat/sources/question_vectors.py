"""Embed questions and curated examples, cached for other processes."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import lru_cache

import numpy as np

from chat.question.content_words import without_marks
from chat.question.examples import Arrays, key_of, vector_store
from chat.question.networks import need_chances
from chat.sources.curated import ROWS, CuratedIndex, CuratedQuestion, TextVectors
from chat.sources.records import CuratedAnswer
from chat.turn import Context
from retrieval.embedding import get_encoder
from retrieval.embedding.e5 import PIECES, edition
from taxonomy.language.lexicon import lexicon_of
from taxonomy.snapshot import Snapshot
from zol.text import words

#: Cached questions of a process: a turn embeds one more than once.
REMEMBERED = 100
#: Vectors of the previous version, by hospital: after an edit only new examples are embedded.
_before: dict[int, dict[str, TextVectors]] = {}


def curated_of(snapshot: Snapshot) -> CuratedIndex:
    """Return the index of a version's curated answers; use it through `snapshot.derived`."""
    answers = [CuratedAnswer.frozen(row) for row in snapshot.rows_of(ROWS)]
    texts = {text for each in answers for asked in each.examples.values() for text in asked}
    before = _before.get(snapshot.hospital_id, {})
    vectors: dict[str, TextVectors] = {}
    if texts:
        vectors = _from_arrays(vector_store.get(_key(texts), lambda: _arrays(texts, before)))
    _before[snapshot.hospital_id] = vectors
    return CuratedIndex(answers, vectors, snapshot.derived(lexicon_of), snapshot.vocabulary)


def asked_in(ctx: Context, snapshot: Snapshot) -> CuratedQuestion:
    """Return a turn's question for comparison with examples; a follow-up in its completed form."""
    meant = ctx.understanding
    language = meant.written_in
    text, written_in = without_marks(ctx.question), language
    if meant.is_followup and meant.query:
        text, written_in = meant.query, snapshot.profile.default_language
    vectors, needs = vectors_of(text), meant.needs
    if not needs:
        uses = snapshot.derived(lexicon_of).read(words(text), written_in)
        needs = need_chances(vectors.whole, [use.concepts[0].name for use in uses])
    return CuratedQuestion(text, language, meant.language, vectors, meant.matches, needs)


@lru_cache(maxsize=REMEMBERED)
def vectors_of(text: str) -> TextVectors:
    """Return the vectors of a text, as a whole and by piece."""
    # The encoder takes words in capitals for company names.
    text = text.lower() if text.isupper() else text
    return TextVectors(get_encoder().embed_message(text), get_encoder().pieces(text))


def _key(texts: Collection[str]) -> str:
    return key_of(get_encoder().model, edition(PIECES), "curated", *sorted(texts))


def _arrays(texts: Collection[str], before: Mapping[str, TextVectors]) -> Arrays:
    """Return the texts in order, and the vectors of each."""
    listed = sorted(texts)
    vectors = [before.get(text) or vectors_of(text) for text in listed]
    return {
        "texts": np.array(listed),
        "whole": np.stack([each.whole for each in vectors]).astype(np.float16),
        "pieces": np.concatenate([each.pieces for each in vectors]).astype(np.float16),
        "ends": np.cumsum([len(each.pieces) for each in vectors]),
    }


def _from_arrays(kept: Arrays) -> dict[str, TextVectors]:
    whole, pieces = (kept[name].astype(np.float32) for name in ("whole", "pieces"))
    rows = zip(whole, np.split(pieces, kept["ends"][:-1]), strict=True)
    return dict(zip(kept["texts"].tolist(), (TextVectors(*each) for each in rows), strict=True))
