"""What a resolver gives: the thing that words stand for."""

from __future__ import annotations

from dataclasses import dataclass

from taxonomy.vocabulary import Thing


@dataclass(frozen=True, slots=True)
class Match:
    """Words of a question, and the thing of the hospital that they stand for."""

    thing: Thing
    #: The words as they were written.
    text: str
    #: The resolver that fired.
    by: str
    #: From 0 to 1; 1 for an exact name or alias.
    confidence: float = 1.0
    #: Other things that fit equally well; never chosen from silently.
    alternatives: tuple[Thing, ...] = ()
    #: Where the words stand in the (NFC) question; equal when it was derived from another match.
    start: int = 0
    end: int = 0
    #: Whether only another word for the same concept names the thing: "operatie" for Surgery.
    is_borrowed: bool = False

    @property
    def is_ambiguous(self) -> bool:
        return bool(self.alternatives)
