"""Where a piece stands in its document, in a few words that are searched with it."""

from __future__ import annotations

from collections.abc import Iterable

from retrieval.analysis import count_tokens
from retrieval.ingestion.split import PATH
from zol.sentences import sentences

#: Tokens of a context.
LEAST, MOST = 50, 100


def contextualise(title: str, section: str, opening: str) -> str:
    """Return title, headings and as much of the document's opening as fits."""
    place = PATH.join(filter(None, (title, section)))
    context = shortened(place, MOST)
    for sentence in sentences(opening):
        if count_tokens(context) >= LEAST:
            break
        context = f"{context.rstrip('.')}. {sentence}"
    return shortened(context, MOST)


def shortened(text: str, tokens: int) -> str:
    """Return the text, or as many of its first words as fit."""
    if count_tokens(text) <= tokens:
        return text
    return " ".join(_fitting(text.split(), tokens))


def _fitting(found: Iterable[str], tokens: int) -> list[str]:
    kept, size = [], 0
    for word in found:
        size += count_tokens(word)
        if size > tokens:
            break
        kept.append(word)
    return kept
