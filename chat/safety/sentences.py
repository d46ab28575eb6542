"""The sentences of a message, as people end them: a stop, a question mark, a new line."""

from __future__ import annotations

import re

_ENDED = re.compile(r"(?<=[.!?;…])\s+|\n+")
#: Sentences of a message that are looked at one by one: the first and the last ones.
MOST = 12


def sentences(text: str) -> tuple[str, ...]:
    """Return the sentences of a message of several; nothing where it is one."""
    found = [piece.strip() for piece in _ENDED.split(text)]
    said = [piece for piece in found if len(piece) > 1]
    if len(said) > MOST:
        said = [*said[: MOST // 2], *said[-MOST // 2 :]]
    return tuple(said) if len(said) > 1 else ()


def stretches(text: str) -> tuple[str, ...]:
    """Return every two sentences that follow each other; nothing where there are hardly more."""
    said = sentences(text)
    return (
        tuple(" ".join(said[at : at + 2]) for at in range(len(said) - 1)) if len(said) > 2 else ()
    )
