"""What can go wrong with an embedded service, in one sentence for the person at the terminal."""

from __future__ import annotations

from zol.errors import ExpectedError


class EmbeddedError(ExpectedError):
    """An embedded service cannot be had; the message says why and what to do."""
