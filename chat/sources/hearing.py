"""Questions and examples as both encoders hear them; what took long is kept for other processes."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from hashlib import blake2b

import numpy as np

from chat.question.content_words import without_marks
from chat.question.learned.needs import need_head
from chat.question.learned.store import Arrays, packed, shelf, texts
from chat.sources.curated import ROWS, CuratedIndex, CuratedQuestion, TextVectors
from chat.sources.records import CuratedAnswer
from chat.turn import Context
from retrieval.embedding import get_hearer, get_listener
from retrieval.embedding.multilingual import NATIVE, MultilingualEmbedder
from retrieval.reader import AFTER, BEFORE, reader
from retrieval.vectors import Matrix
from taxonomy.lexicon import lexicon_of
from taxonomy.snapshot import Snapshot

#: Questions that a process remembers: a turn asks more than once.
REMEMBERED = 100
#: By hospital, what was heard for the version before: of an answer that is edited only new examples
#: are heard.
_before: dict[int, dict[str, TextVectors]] = {}


def curated_of(snapshot: Snapshot) -> CuratedIndex:
    """Return a version's curated answers; use it through `snapshot.derived`."""
    answers = [CuratedAnswer.frozen(row) for row in snapshot.rows_of(ROWS)]
    asked = {t: code for each in answers for code, said in each.examples.items() for t in said}
    before = _before.get(snapshot.hospital_id, {})
    heard = _from_arrays(shelf.of(_key(asked), lambda: _arrays(asked, before))) if asked else {}
    _before[snapshot.hospital_id] = heard
    return CuratedIndex(answers, heard, snapshot.derived(lexicon_of), snapshot.vocabulary)


def asked_in(ctx: Context) -> CuratedQuestion:
    """Return a turn's question as it is compared; one that follows another, as it was completed."""
    meant = ctx.understanding
    language = meant.detected or meant.language
    text = without_marks(ctx.question)
    if meant.is_followup and meant.query:
        text = meant.query
    heard = hear(text, language)
    needs = need_head().probabilities(heard.passages, meant.concepts)
    return CuratedQuestion(text, language, meant.language, heard, meant.matches, needs)


@lru_cache(maxsize=REMEMBERED)
def hear(text: str, language: str) -> TextVectors:
    """Return a text as both encoders hear it."""
    # Encoders read what is shouted in capitals as names of companies.
    text = text.lower() if text.isupper() else text
    hearer, listener = get_hearer(), get_listener()
    _, states = hearer.half_read(text)
    narrow = reader().narrowed(states)
    own = narrow[BEFORE:-AFTER]
    is_heard = listener.name == MultilingualEmbedder.name and language in listener.languages
    sentences = listener.embed_query(text) if is_heard else np.zeros(1, dtype=np.float32)
    return TextVectors(hearer.heard(text), _sized(sentences), own if len(own) else narrow)


def _sized(row: Matrix) -> Matrix:
    """Return a row as long as the sentence encoder's, whoever made it."""
    return np.pad(row, (0, max(0, NATIVE - len(row))))[:NATIVE]


def _key(asked: Mapping[str, str]) -> str:
    said = blake2b(digest_size=16)
    models = get_hearer().model, get_listener().model, reader().edition, "curated"
    for text in (*models, *sorted(f"{code} {text}" for text, code in asked.items())):
        said.update(f"{text}\n".encode())
    return said.hexdigest()


def _arrays(asked: Mapping[str, str], before: Mapping[str, TextVectors]) -> Arrays:
    """Return the texts in order, and what was heard of each."""
    listed = sorted(asked)
    heard = [before.get(text) or hear(text, asked[text]) for text in listed]
    return {
        "texts": packed(listed),
        "passages": np.stack([each.passages for each in heard]).astype(np.float16),
        "sentences": np.stack([each.sentences for each in heard]).astype(np.float16),
        "pieces": np.concatenate([each.pieces for each in heard]).astype(np.float16),
        "ends": np.cumsum([len(each.pieces) for each in heard]),
    }


def _from_arrays(kept: Arrays) -> dict[str, TextVectors]:
    passages, sentences, pieces = (
        kept[name].astype(np.float32) for name in ("passages", "sentences", "pieces")
    )
    rows = zip(passages, sentences, np.split(pieces, kept["ends"][:-1]), strict=True)
    return dict(zip(texts(kept["texts"]), (TextVectors(*each) for each in rows), strict=True))
