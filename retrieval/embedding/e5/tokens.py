"""Cutting texts into the pieces of words that the encoder knows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sentencepiece import SentencePieceProcessor, sentencepiece_model_pb2

from retrieval.embedding.e5.weights import Weights

#: Its classes are made when it is imported, so that nobody can tell their types.
described: Any = sentencepiece_model_pb2
#: The pieces that are no text.
BEGINNING, PADDING, END, UNKNOWN = 0, 1, 2, 3
#: Pieces of a text that the model reads, with its beginning and end.
LONGEST = 512


class Tokens:
    """Texts as numbers of pieces, as the model was trained on them."""

    def __init__(self, weights: Weights) -> None:
        self._letters = dict(weights.letters)
        self._cut = cutter(weights.pieces, weights.scores.tolist())

    def of(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the pieces of each text; what is too long is cut off."""
        plain = [text.translate(self._letters) for text in texts]
        found: list[list[int]] = self._cut.encode(plain)
        return [[BEGINNING, *pieces[: LONGEST - 2], END] for pieces in found]


def cutter(
    pieces: Sequence[str], scores: Sequence[float], letters: bytes = b""
) -> SentencePieceProcessor:
    """Return what cuts texts into pieces by their scores; `letters` is sentencepiece's own table
    of letters that are made simple before."""
    kinds = described.ModelProto.SentencePiece
    special = dict.fromkeys((BEGINNING, PADDING, END), kinds.CONTROL) | {UNKNOWN: kinds.UNKNOWN}
    model = described.ModelProto()
    for number, (piece, score) in enumerate(zip(pieces, scores, strict=True)):
        model.pieces.add(piece=piece, score=score, type=special.get(number, kinds.NORMAL))
    trained = model.trainer_spec
    trained.model_type, trained.vocab_size = described.TrainerSpec.UNIGRAM, len(pieces)
    trained.bos_id, trained.pad_id = BEGINNING, PADDING
    trained.eos_id, trained.unk_id = END, UNKNOWN
    model.normalizer_spec.name = "identity"
    model.normalizer_spec.precompiled_charsmap = letters
    return SentencePieceProcessor(model_proto=model.SerializeToString())
